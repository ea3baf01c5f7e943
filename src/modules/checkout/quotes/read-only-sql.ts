import type { Context } from '../../../kernel/declare/context.js';
import { sqlForWriting } from '../../../kernel/facts.js';
import { Session } from '../../../kernel/session.js';

/** Runs work in a separate read-only transaction on the primary, with a single snapshot. Other fields of the request do not use it. */
export function runInReadOnlyTransaction<T>(context: Context, work: (context: Context) => Promise<T>): Promise<T> {
  const { pools, caller, deadline, sources } = context.sql;
  const sql = new Session(pools, 'write', caller, { deadline }, sources);
  return sql.transaction(async () => {
    await sql.rows(sqlForWriting([], 'set transaction isolation level repeatable read, read only'));
    return work({ ...context, sql });
  });
}
