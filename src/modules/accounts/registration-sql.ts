import { readSql } from '../../kernel/facts.js';
import { is } from '../../kernel/row-shape.js';
import type { Session } from '../../kernel/session.js';
import type { Confirmation } from './pending.js';

/**
 * The password hashes of registrations of an address that wait for their validation and are not the account's own, the latest first; of `most`
 * of them.
 */
export async function waitingHashes(sql: Session, email: string, most: number): Promise<string[]> {
  const rows = await sql.rows(
    readSql(
      ['one_time_value', 'app_user'],
      `select v.pending->>'passwordHash' as hash from one_time_value v join app_user u on u.id = v.user_id
     where u.email = $1 and (u.verified_at is null or u.password_hash is null)
       and v.purpose = 'verifyEmail' and v.used_at is null and v.pending->>'from' = u.email
       and v.pending->>'passwordHash' <> coalesce(u.password_hash, '')
     group by 1 order by max(v.created_at) desc limit $2`,
    ),
    [email, most],
    { hash: is.text },
  );
  return rows.map(({ hash }) => hash);
}

/** The user of an address that is not verified yet, and what the last link to it confirms; null when there is no such user. */
export const unverifiedUser = (sql: Session, email: string): Promise<{ id: string; pending: Confirmation | null } | null> =>
  sql.row(
    readSql(
      ['app_user', 'one_time_value'],
      `select u.id, v.pending from app_user u left join lateral (
       select pending from one_time_value where user_id = u.id and purpose = 'verifyEmail' and pending->>'from' = u.email order by created_at desc limit 1) v on true
     where u.email = $1 and u.verified_at is null`,
    ),
    [email],
    { id: is.text, pending: is.orNull(is.written<Confirmation>()) },
  );
