import boss from 'pg-boss/package.json' with { type: 'json' };
import { errorCode } from '../kernel/database-errors.js';
import { sqlForReading } from '../kernel/facts.js';
import { is } from '../kernel/row-shape.js';
import type { Session } from '../kernel/session.js';
import { queueSchema } from './queue-names.js';

/** Version of the tables that this release of pg-boss needs. */
const requiredVersion = boss.pgboss.schema;

/** Returns the version of the tables of the job queue. Null if the tables do not exist. */
export async function queueVersion(sql: Session): Promise<number | null> {
  try {
    const statement = sqlForReading([`${queueSchema}.version`], `select version from ${queueSchema}.version`);
    return (await sql.row(statement, [], { version: is.number }))?.version ?? null;
  } catch (error) {
    if (errorCode(error) === '42P01') return null;
    throw error;
  }
}

/** Whether the tables of the job queue have the version that this release needs, or a newer one. */
export const isQueueCurrent = async (sql: Session): Promise<boolean> => ((await queueVersion(sql)) ?? 0) >= requiredVersion;
