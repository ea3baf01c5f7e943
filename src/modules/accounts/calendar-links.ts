import { uuidv7 } from 'uuidv7';
import type { Context } from '../../kernel/declare/context.js';
import { fail, reject } from '../../kernel/declare/errors.js';
import { ownAddress } from '../../kernel/declare/own-address.js';
import { inTurn } from './in-turn.js';
import { moment } from './moment.js';
import { hashOf, newToken } from './secrets.js';

/** Most links of a user that open something at a time. */
export const mostLinks = 20;

/** Who makes and revokes links: the signed-in user, for nobody else. */
const own = ({ caller: { user } }: Context): string => user?.id ?? fail('UNAUTHENTICATED', 'a user token is needed');

/** Makes a link to the games of the signed-in user; its address is known at this moment only. */
export async function createLink(context: Context, label: string | null): Promise<{ id: string; url: string }> {
  const { sql } = context;
  if (label !== null && label.length > 200) reject('label', 'at most 200 characters');
  const userId = own(context);
  const token = newToken();
  const id = uuidv7();
  await inTurn(`calendar links of ${userId}`, () =>
    sql.transaction(async () => {
      // Locked, so that as many as are allowed are not made twice over by several processes.
      await sql.first(sql.db.selectFrom('app_user').select('id').where('id', '=', userId).forUpdate());
      const open = await sql.run(
        sql.db.selectFrom('calendar_link').select('id').where('user_id', '=', userId).where('revoked_at', 'is', null),
      );
      if (open.length >= mostLinks) fail('CONFLICT', `there are ${mostLinks} calendar links already: revoke one first`);
      await sql.run(sql.db.insertInto('calendar_link').values({ id, user_id: userId, label, token_hash: hashOf(token) }));
    }),
  );
  return { id, url: `${ownAddress(context)}/users/${encodeURIComponent(userId)}/games.ics?token=${token}` };
}

/** Ends a link; one that has ended keeps the time at which it did. NOT_FOUND for links of others. */
export async function revokeLink(context: Context, id: string): Promise<string> {
  const { sql } = context;
  const ended = await sql.first(
    sql.db
      .updateTable('calendar_link')
      .set(({ fn, ref }) => ({ revoked_at: fn.coalesce(ref('revoked_at'), moment) }))
      .where('id', '=', id)
      .where('user_id', '=', own(context))
      .returning('id'),
  );
  return ended?.id ?? fail('NOT_FOUND', `no calendar link with the id ${id}`);
}

/** Whether a token is that of a link of a user that was not revoked. */
export async function isLink({ sql }: Context, userId: string, token: string): Promise<boolean> {
  // What was revoked is dead at once: no replica is asked.
  sql.writes();
  const found = await sql.first(
    sql.db
      .selectFrom('calendar_link')
      .select('id')
      .where('token_hash', '=', hashOf(token))
      .where('user_id', '=', userId)
      .where('revoked_at', 'is', null),
  );
  return found !== null;
}
