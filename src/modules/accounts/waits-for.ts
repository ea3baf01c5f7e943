import type { Context } from '../../kernel/context.js';
import { verifyPassword } from './password.js';

/** How many registrations of one address are tried. As many hashes are verified where fewer or none wait, so that the time tells nothing. */
const tried = 2;

const waitingSql = `
  select v.pending->>'passwordHash' as hash from one_time_value v join app_user u on u.id = v.user_id
  where u.email = $1 and (u.verified_at is null or u.password_hash is null)
    and v.purpose = 'verifyEmail' and v.used_at is null and v.pending->>'from' = u.email
    and v.pending->>'passwordHash' <> coalesce(u.password_hash, '')
  group by 1 order by max(v.created_at) desc limit $2`;

/**
 * Whether it is the password of a registration of the address that waits for its validation and is not, or not yet, the account's own: of one
 * for an account that a platform had made, or of one that a later registration overtook. Links that are too old count: they can be sent again.
 */
export async function waitsFor({ sql }: Context, email: string, password: string): Promise<boolean> {
  const waiting = await sql.rows<{ hash: string }>(waitingSql, [email, tried]);
  const hashes = Array.from({ length: tried }, (_, index) => verifyPassword(waiting[index]?.hash ?? null, password));
  return (await Promise.all(hashes)).includes(true);
}
