import { sqlForReading } from '../../../kernel/facts.js';
import { is } from '../../../kernel/row-shape.js';
import type { Session } from '../../../kernel/session.js';
import type { VerificationChanges } from './pending-changes.js';

/**
 * Reads the password hashes of pending registrations for an address: at most `limit` hashes, newest first. Excludes the current hash of the
 * account.
 */
export async function pendingPasswordHashes(sql: Session, email: string, limit: number): Promise<string[]> {
  const rows = await sql.rows(
    sqlForReading(
      ['one_time_value', 'app_user'],
      `select v.pending->>'passwordHash' as hash from one_time_value v join app_user u on u.id = v.user_id
     where u.email = $1 and (u.verified_at is null or u.password_hash is null)
       and v.purpose = 'verifyEmail' and v.used_at is null and v.pending->>'from' = u.email
       and v.pending->>'passwordHash' <> coalesce(u.password_hash, '')
     group by 1 order by max(v.created_at) desc limit $2`,
    ),
    [email, limit],
    { hash: is.text },
  );
  return rows.map(({ hash }) => hash);
}

/**
 * Reads the user with this unverified email address, and the pending changes of the newest unused verification link. Null if no such user
 * exists.
 */
export const unverifiedUser = (
  sql: Session,
  email: string,
): Promise<{ id: string; pending: VerificationChanges | null } | null> =>
  sql.row(
    sqlForReading(
      ['app_user', 'one_time_value'],
      `select u.id, v.pending from app_user u left join lateral (
       select pending from one_time_value where user_id = u.id and purpose = 'verifyEmail' and used_at is null and pending->>'from' = u.email order by created_at desc limit 1) v on true
     where u.email = $1 and u.verified_at is null`,
    ),
    [email],
    { id: is.text, pending: is.orNull(is.json<VerificationChanges>()) },
  );
