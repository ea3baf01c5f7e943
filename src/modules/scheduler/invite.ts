import { DateTime } from 'luxon';
import type { Context } from '../../kernel/context.js';
import { templates } from '../../messaging/ports.js';

interface Invitations {
  [column: string]: unknown;
  title: string | null;
  startsAt: string | null;
  timeZone: string | null;
  host: string;
  /** Users invited by id or by their address. */
  users: string[];
  /** Addresses that no user has. */
  strangers: string[];
}

const isKnown = 'exists (select from app_user u where u.email = lower(e.address))';

/** When a game starts, as a reader at its place says it. */
function whenOf({ startsAt, timeZone }: Invitations): string | undefined {
  if (!startsAt) return undefined;
  const at = DateTime.fromISO(startsAt, { zone: timeZone || 'utc' });
  return (at.isValid ? at : DateTime.fromISO(startsAt, { zone: 'utc' }))
    .setLocale('en')
    .toFormat("cccc, d LLLL yyyy 'at' h:mm a ZZZZ");
}

/** Invites everybody whom a new game names: users get a notification, addresses that no user has a mail (section 2.15). */
export async function invite({ sql, services }: Context, gameId: string): Promise<void> {
  const found = await sql.row<Invitations>(
    `update game r set invited_by_email_ids = array(select u.id from app_user u where u.email in (select lower(address) from unnest(r.invited_emails) address))
     where r.id = $1
     returning r.title, r.starts_at as "startsAt", r.time_zone as "timeZone",
       coalesce((select nullif(concat_ws(' ', o.first_name, o.last_name), '') from app_user o where o.id = r.owner_id), 'A player') as host,
       array_remove(r.invited_ids || r.invited_by_email_ids, r.owner_id) as users,
       array(select distinct lower(e.address) from unnest(r.invited_emails) e(address) where not ${isKnown}) as strangers`,
    [gameId],
  );
  if (!found) return;
  const game = found.title || 'a game';
  await services.notify(sql, found.users, {
    event: 'GAME_INVITATION',
    content: `${found.host} invites you to ${game}.`,
    subject: { kind: 'GAME', id: gameId },
  });
  const when = whenOf(found);
  await services.outbox.enqueueAll(
    found.strangers.map((to) => templates.gameInvitation({ to, host: found.host, game, when })),
    sql,
  );
}
