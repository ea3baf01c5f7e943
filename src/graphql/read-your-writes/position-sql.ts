import { sqlForReading } from '../../kernel/facts.js';
import { is } from '../../kernel/row-shape.js';
import type { Session } from '../../kernel/session.js';

/** Reads the current position of the primary's write-ahead log, such as `0/16B3748`. All committed writes have earlier positions. */
export async function primaryPosition(sql: Session): Promise<string> {
  const row = await sql.row(
    sqlForReading([], 'select pg_current_wal_insert_lsn()::text as position', { otherDependency: 'pg_current_wal_insert_lsn' }),
    [],
    {
      position: is.text,
    },
  );
  return row?.position ?? '0/0';
}

/** Reads the replay position of the server that the session reads from. Null if that server is the primary. */
export async function replicaPosition(sql: Session): Promise<string | null> {
  const row = await sql.row(
    sqlForReading([], 'select case when pg_is_in_recovery() then pg_last_wal_replay_lsn() end::text as position', {
      otherDependency: 'pg_last_wal_replay_lsn',
    }),
    [],
    {
      position: is.orNull(is.text),
    },
  );
  return row?.position ?? null;
}
