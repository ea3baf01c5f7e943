import { uuidv7 } from 'uuidv7';
import type { Context } from '../../kernel/declare/context.js';
import { create } from '../../kernel/write/save.js';
import { senderIn, templates } from '../../messaging/ports.js';
import type { Entered } from './open-event.js';
import { TeamInvitation } from './team-invitation.js';

const ownerOf = ({ sql }: Context, address: string) =>
  sql.first(sql.db.selectFrom('app_user').select('id').where('email', '=', address).where('verified_at', 'is not', null));

export type Partner = { userId: string } | { email: string };

/** What a team is entered in, as people read it. */
export const partnerName = ({ event, tournament }: Entered): string =>
  `${event.title || 'an event'} of ${tournament.title || 'a tournament'}`;

/** Whether somebody has declined to play with a player in an event, by id or by their address. */
const hasDeclined = ({ sql }: Context, eventId: string, inviterId: string, partner: Partner) =>
  sql.first(
    sql.db
      .selectFrom('team_invitation')
      .select('id')
      .where('event_id', '=', eventId)
      .where('inviter_id', '=', inviterId)
      .where('status', '=', 'DECLINED')
      .where((i) => ('userId' in partner ? i('user_id', '=', partner.userId) : i('email', '=', partner.email)))
      .limit(1),
  );

/** Asks the partner of a team whether they play: a user by a notification, an address that nobody has proven to be theirs by a mail. */
export async function invitePartner(
  context: Context,
  entered: Entered,
  teamId: string,
  inviterId: string,
  partner: Partner,
): Promise<void> {
  const { caller, sql, services } = context;
  const host = caller.user?.name || 'A player';
  const again = (await hasDeclined(context, entered.event.id, inviterId, partner)) ? ' asks you again and' : '';
  const id = uuidv7();
  await create(context, TeamInvitation, {}, ['id'], {
    id,
    teamId,
    eventId: entered.event.id,
    inviterId,
    // Said, because a record that nobody is named for is that of who makes it.
    userId: null,
    ...partner,
    status: 'PENDING',
  });
  const told = 'userId' in partner ? partner.userId : (await ownerOf(context, partner.email))?.id;
  const content = `${host}${again} has entered ${partnerName(entered)} with you. Please confirm or decline.`;
  if (told)
    await services.notify(sql, [told], {
      event: 'TEAM_INVITATION',
      content,
      subject: { kind: 'TEAM_INVITATION', id },
    });
  else if ('email' in partner)
    await services.outbox.enqueue(
      templates.teamInvitation({ to: partner.email, host, entry: partnerName(entered) }),
      sql,
      senderIn(caller),
    );
}
