import { sqlForReading } from '../../kernel/facts.js';
import type { Session } from '../../kernel/session.js';

/** Acquires the lock for changes to deprecations until the end of the transaction. */
export const lockDeprecations = (sql: Session): Promise<unknown> =>
  sql.rows(
    sqlForReading([], `select pg_advisory_xact_lock(hashtext('courtside deprecations'))`, {
      otherDependency: 'pg_advisory_xact_lock',
    }),
  );
