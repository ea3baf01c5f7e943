import { uuidv7 } from 'uuidv7';
import type { Context } from '../../../kernel/declare/context.js';
import { create } from '../../../kernel/write/save.js';
import { senderIn, templates } from '../../../messaging/ports.js';
import type { EntryTarget } from '../entries/lock-event.js';
import { TeamInvitation } from './team-invitation.js';

const findVerifiedUser = ({ sql }: Context, address: string) =>
  sql.first(sql.db.selectFrom('app_user').select('id').where('email', '=', address).where('verified_at', 'is not', null));

export type Partner = { userId: string } | { email: string };

/** Returns the display name of an event with its tournament, such as `Mixed Doubles of Austin Open`. */
export const eventDisplayName = ({ event, tournament }: EntryTarget): string =>
  `${event.title || 'an event'} of ${tournament.title || 'a tournament'}`;

/** Finds an invitation that the partner has declined, from the same inviter and for the same event. */
const findDeclined = ({ sql }: Context, eventId: string, inviterId: string, partner: Partner) =>
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

/**
 * Invites the partner of a team. A user with the ID or the verified email address gets a notification. Unverified addresses get an email.
 */
export async function invitePartner(
  context: Context,
  target: EntryTarget,
  teamId: string,
  inviterId: string,
  partner: Partner,
): Promise<void> {
  const { caller, sql, services } = context;
  const host = caller.user?.name || 'A player';
  const repeatPhrase = (await findDeclined(context, target.event.id, inviterId, partner)) ? ' invites you again and' : '';
  const id = uuidv7();
  await create(context, TeamInvitation, {}, ['id'], {
    id,
    teamId,
    eventId: target.event.id,
    inviterId,
    // The value is explicitly null, because the default would be the signed-in user.
    userId: null,
    ...partner,
    status: 'PENDING',
  });
  const userId = 'userId' in partner ? partner.userId : (await findVerifiedUser(context, partner.email))?.id;
  const content = `${host}${repeatPhrase} has entered ${eventDisplayName(target)} with you. Please confirm or decline.`;
  if (userId)
    await services.notify(sql, [userId], {
      event: 'TEAM_INVITATION',
      content,
      subject: { kind: 'TEAM_INVITATION', id },
    });
  else if ('email' in partner)
    await services.outbox.enqueue(
      templates.teamInvitationMail({ to: partner.email, host, entry: eventDisplayName(target) }),
      sql,
      senderIn(caller),
    );
}
