import { readSql } from '../../kernel/facts.js';
import { is } from '../../kernel/row-shape.js';
import type { Session } from '../../kernel/session.js';

/** The end of the log of the primary, such as `0/16B3748`: what is committed now lies before it. */
export async function writtenTo(sql: Session): Promise<string> {
  const row = await sql.row(readSql([], 'select pg_current_wal_insert_lsn()::text as position', { isVolatile: true }), [], {
    position: is.text,
  });
  return row?.position ?? '0/0';
}

/** How far the server that a session reads from has applied that log; null where it is the primary itself. */
export async function appliedTo(sql: Session): Promise<string | null> {
  const row = await sql.row(readSql([], 'select pg_last_wal_replay_lsn()::text as position', { isVolatile: true }), [], {
    position: is.orNull(is.text),
  });
  return row?.position ?? null;
}
