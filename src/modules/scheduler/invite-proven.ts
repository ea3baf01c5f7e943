import type { Context } from '../../kernel/context.js';
import { hostName } from './invite.js';
import { lockAddresses } from './invited-addresses.js';

interface NewInvitation {
  [column: string]: unknown;
  id: string;
  title: string | null;
  host: string;
  /** The game that it repeats, else itself. */
  series: string;
  isNews: boolean;
}

/**
 * A person has proven that an address is theirs: from now on they are in the invitations of all games to which it was invited, and are told,
 * of a game with its repetitions once. In the transaction of the proof; done again it changes nothing.
 */
export async function inviteProven({ sql, services }: Context, userId: string, address: string): Promise<void> {
  const key = address.toLowerCase();
  await lockAddresses(sql, [key]);
  const named = 'r.invited_addresses @> array[$1]::text[]';
  // Locked before they are looked for again: repetitions that somebody was just making are there then, too.
  await sql.rows(`select r.id from game r where ${named} order by r.id for update`, [key]);
  const games = await sql.rows<NewInvitation>(
    `with invited as (
       update game r set invited_by_email_ids = array_append(r.invited_by_email_ids, $2)
       where ${named} and not r.invited_by_email_ids @> array[$2]::text[]
       returning r.id, r.title, r.owner_id, coalesce(r.parent_id, r.id) as series, r.created_at,
         r.owner_id is distinct from $2 and not r.invited_ids @> array[$2]::text[] as news)
     select i.id, i.title, i.series, i.news as "isNews", ${hostName} as host
     from invited i left join app_user o on o.id = i.owner_id order by i.id = i.series desc, i.created_at, i.id`,
    [key, userId],
  );
  const told = new Set<string>();
  for (const { id, title, host, series, isNews } of games) {
    if (isNews && !told.has(series)) {
      await services.notify(sql, [userId], {
        event: 'GAME_INVITATION',
        content: `${host} invites you to ${title || 'a game'}.`,
        subject: { kind: 'GAME', id },
      });
    }
    told.add(series);
  }
}
