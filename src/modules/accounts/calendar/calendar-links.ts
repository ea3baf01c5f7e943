import { uuidv7 } from 'uuidv7';
import { type Context, publicUrlOf } from '../../../kernel/declare/context.js';
import { fail, reject } from '../../../kernel/declare/errors.js';
import type { Session } from '../../../kernel/session.js';
import { clockTimestamp } from '../../../kernel/statement.js';
import { signedInUserId } from '../sign-in/credentials.js';
import { runExclusive } from '../tokens/run-exclusive.js';
import { hashOf, newToken } from '../tokens/secrets.js';
import { lockSession } from '../tokens/tokens.js';

/** Maximum number of active links per user. */
export const maxActiveLinks = 20;

/**
 * Creates a calendar link to the games of the signed-in user. The URL is not stored. Throws CONFLICT if the user already has
 * `maxActiveLinks` active links.
 */
export async function createLink(context: Context, label: string | null): Promise<{ id: string; url: string }> {
  const { sql } = context;
  if (label !== null && label.length > 200) reject('label', 'at most 200 characters');
  const userId = signedInUserId(context);
  const token = newToken();
  const id = uuidv7();
  await runExclusive(`calendar links of ${userId}`, () =>
    sql.transaction(async () => {
      // Unlike `runExclusive`, this lock also covers concurrent requests to other processes.
      await lockSession(context, userId);
      const activeLinks = await sql.run(
        sql.db.selectFrom('calendar_link').select('id').where('user_id', '=', userId).where('revoked_at', 'is', null),
      );
      if (activeLinks.length >= maxActiveLinks)
        fail('CONFLICT', `the user already has ${maxActiveLinks} active calendar links: revoke one first`);
      await sql.run(sql.db.insertInto('calendar_link').values({ id, user_id: userId, label, token_hash: hashOf(token) }));
    }),
  );
  return { id, url: `${publicUrlOf(context)}/users/${encodeURIComponent(userId)}/games.ics?token=${token}` };
}

/** Revokes a link. If the link was already revoked, keeps the original time of revocation. Throws NOT_FOUND for links of other users. */
export async function revokeLink(context: Context, id: string): Promise<string> {
  const { sql } = context;
  const link = await sql.first(
    sql.db
      .updateTable('calendar_link')
      .set(({ fn, ref }) => ({ revoked_at: fn.coalesce(ref('revoked_at'), clockTimestamp) }))
      .where('id', '=', id)
      .where('user_id', '=', signedInUserId(context))
      .returning('id'),
  );
  return link?.id ?? fail('NOT_FOUND', `no calendar link with the id ${id}`);
}

/** Revokes all links of a user. */
export async function revokeLinksOf(sql: Session, userId: string): Promise<void> {
  await sql.run(
    sql.db
      .updateTable('calendar_link')
      .set({ revoked_at: clockTimestamp })
      .where('user_id', '=', userId)
      .where('revoked_at', 'is', null),
  );
}

/** Whether a token belongs to an active link of a user whose account is not locked. */
export async function isActiveLink({ sql }: Context, userId: string, token: string): Promise<boolean> {
  // Reads from the primary, because a replica might not have the revocation yet.
  sql.usePrimary();
  const link = await sql.first(
    sql.db
      .selectFrom('calendar_link as l')
      .innerJoin('app_user as u', 'u.id', 'l.user_id')
      .select('l.id')
      .where('l.token_hash', '=', hashOf(token))
      .where('l.user_id', '=', userId)
      .where('l.revoked_at', 'is', null)
      .where('u.locked_at', 'is', null),
  );
  return link !== null;
}
