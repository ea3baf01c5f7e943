import boss from 'pg-boss/package.json' with { type: 'json' };
import { sqlForReading } from '../kernel/facts.js';
import { is } from '../kernel/row-shape.js';
import type { Session } from '../kernel/session.js';
import { queueSchema } from './queue-names.js';

/** Version of the tables that this release of pg-boss needs. */
const requiredVersion = boss.pgboss.schema;

const versionTable = `${queueSchema}.version`;

/** Returns the version of the tables of the job queue. Null if the tables do not exist. */
export async function queueVersion(sql: Session): Promise<number | null> {
  // Querying a missing table would be counted as a database error, which can trigger an alert.
  const existence = sqlForReading([], `select to_regclass('${versionTable}') is not null as "exists"`, {
    otherDependency: 'to_regclass',
  });
  if (!(await sql.row(existence, [], { exists: is.boolean }))?.exists) return null;
  const statement = sqlForReading([versionTable], `select version from ${versionTable}`);
  return (await sql.row(statement, [], { version: is.number }))?.version ?? null;
}

/** Whether the tables of the job queue have the version that this release needs, or a newer one. */
export const isQueueCurrent = async (sql: Session): Promise<boolean> => ((await queueVersion(sql)) ?? 0) >= requiredVersion;
