import { LockMode } from '@mikro-orm/core';
import { uuidv7 } from 'uuidv7';
import type { Context } from '../../kernel/declare/context.js';
import { fail } from '../../kernel/declare/errors.js';
import { now } from '../../kernel/declare/instant.js';
import { onBehalfOf } from '../../kernel/declare/on-behalf-of.js';
import type { RowOf } from '../../kernel/declare/row-of.js';
import { asRow, saved } from '../../kernel/write/entities.js';
import { touch } from '../../kernel/write/touch.js';
import { checkPartner } from './check-players.js';
import { entryStatuses } from './choices.js';
import { ensureRegistrations, enterPlayers } from './enter-players.js';
import { EventRegistration } from './event-registration.js';
import { partnerName } from './invite-partner.js';
import { leaveEvents, playersIn } from './leave-events.js';
import { type Entered, lockEvent } from './open-event.js';
import { checkNotEntered, lockPlayers } from './players.js';
import { Team } from './team.js';
import { TeamInvitation } from './team-invitation.js';

const lock = { lockMode: LockMode.PESSIMISTIC_WRITE } as const;

/** What an answer is about, locked. */
interface Asked {
  entered: Entered;
  invitation: TeamInvitation;
  team: Team | null;
  userId: string;
}

/** The invitation of the signed-in user with that id, or to an address that they have proven to be theirs; FORBIDDEN for others. */
async function lockAsked(context: Context, id: string): Promise<Asked> {
  const { sql } = context;
  const userId = onBehalfOf(context, null);
  const found = await sql.first(
    sql.db
      .selectFrom('team_invitation as i')
      .leftJoin('app_user as u', (join) => join.on('u.id', '=', userId).on('u.verified_at', 'is not', null))
      .select(['i.event_id as eventId', 'i.user_id as invitedId', 'i.email', 'u.email as mine'])
      .where('i.id', '=', id),
  );
  if (!found) return fail('NOT_FOUND', `no invitation with the id ${id}`);
  const { eventId, invitedId, email, mine } = found;
  if (invitedId === null ? email === null || email !== mine : invitedId !== userId)
    fail('FORBIDDEN', 'only for: the player who is invited');
  const entered = await lockEvent(context, eventId ?? '');
  const invitation = await sql.em.findOne(TeamInvitation, { id }, lock);
  if (!invitation) return fail('NOT_FOUND', `no invitation with the id ${id}`);
  return { entered, invitation, team: await sql.em.findOne(Team, { id: invitation.teamId ?? '' }, lock), userId };
}

/** Who was invited by an address comes into the team with the answer. */
async function join(context: Context, { entered, invitation, userId }: Asked, team: Team): Promise<void> {
  const { em } = context.sql;
  await lockPlayers(context.sql, [userId]);
  await checkNotEntered(context.sql, entered.event.id, userId, 'you are already in this event');
  const entryId = uuidv7();
  const first = await em.findOne(EventRegistration, { id: team.registrationOneId ?? '' }, lock);
  const partners = first?.userId ? [[userId, { userId: first.userId, entryId: first.id }] as const] : [];
  Object.assign(team, { playerTwoId: userId, registrationTwoId: entryId });
  touch(context, team);
  // Before the entry is made: players enter teams of their own only.
  await em.flush();
  const hasPartner = partners.length > 0;
  const registrations = await ensureRegistrations(context, entered.tournament, new Map([[userId, { hasPartner }]]));
  await enterPlayers(context, entered, team.id, [{ userId, entryId }], new Map(partners), registrations);
  if (first) {
    Object.assign(first, { partnerId: userId, partnerRegistrationId: entryId });
    touch(context, first);
  }
  invitation.userId = userId;
}

/** The entry that was made for the partner stands now. */
async function enter(context: Context, teamId: string, userId: string): Promise<void> {
  const entry = await context.sql.em.findOne(EventRegistration, { teamId, userId }, lock);
  if (!entry) return;
  entry.status = Number(entryStatuses.shown.keep('REGISTERED'));
  touch(context, entry);
}

async function tellInviter({ caller, sql, services }: Context, { entered, invitation }: Asked, isPlaying: boolean) {
  const name = caller.user?.name || 'Your partner';
  const answer = isPlaying
    ? `${name} has confirmed and plays with you in ${partnerName(entered)}.`
    : `${name} has declined to play in ${partnerName(entered)}. Your team has lost its place: register again, with them or with somebody else.`;
  await services.notify(sql, [invitation.inviterId], {
    event: isPlaying ? 'TEAM_CONFIRMED' : 'TEAM_DECLINED',
    content: answer,
    subject: { kind: 'TOURNAMENT', id: entered.tournament.id },
  });
}

const decided = ({ status }: TeamInvitation): never =>
  fail('CONFLICT', `the invitation was ${status === 'CONFIRMED' ? 'confirmed: withdraw instead' : status.toLowerCase()}`);

/** The partner confirms; done again it changes nothing. */
export const confirmInvitation = (context: Context, id: string, returning: readonly string[]): Promise<RowOf<TeamInvitation>> =>
  context.sql.transaction(async () => {
    const asked = await lockAsked(context, id);
    const { invitation, team } = asked;
    if (invitation.status === 'CONFIRMED') return asRow(invitation, returning);
    if (invitation.status !== 'PENDING') return decided(invitation);
    if (!team) return fail('CONFLICT', 'the team was deleted');
    await checkPartner(context, asked.entered, asked.userId, invitation.inviterId);
    if (invitation.userId === null) await join(context, asked, team);
    else await enter(context, team.id, invitation.userId);
    Object.assign(invitation, { status: 'CONFIRMED', answeredAt: now() });
    await tellInviter(context, asked, true);
    return saved(context, invitation, returning);
  });

/** The partner declines: the team loses its place, and the inviter the entry; done again it changes nothing. */
export const declineInvitation = (context: Context, id: string, returning: readonly string[]): Promise<RowOf<TeamInvitation>> =>
  context.sql.transaction(async () => {
    const asked = await lockAsked(context, id);
    const { invitation, team, userId } = asked;
    if (invitation.status === 'DECLINED') return asRow(invitation, returning);
    if (invitation.status !== 'PENDING') return decided(invitation);
    Object.assign(invitation, { userId, status: 'DECLINED', answeredAt: now() });
    touch(context, invitation);
    await context.sql.em.flush();
    if (team) {
      const own = await context.sql.em.find(EventRegistration, { teamId: team.id, userId: { $in: playersIn(team) } });
      await leaveEvents(context, own, [team]);
    }
    await tellInviter(context, asked, false);
    return asRow(await context.sql.em.findOneOrFail(TeamInvitation, { id }, { refresh: true }), returning);
  });
