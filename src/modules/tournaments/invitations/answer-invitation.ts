import { LockMode } from '@mikro-orm/core';
import { uuidv7 } from 'uuidv7';
import type { Context } from '../../../kernel/declare/context.js';
import { fail } from '../../../kernel/declare/errors.js';
import { onBehalfOf } from '../../../kernel/declare/policy/on-behalf-of.js';
import { failForbidden, userTokenCredential } from '../../../kernel/declare/policy/policy-error.js';
import type { RowOf } from '../../../kernel/declare/row.js';
import { now } from '../../../kernel/declare/scalars/instant.js';
import { entityToRow, saveEntity, touch } from '../../../kernel/write/entities.js';
import { entryStatuses } from '../choices.js';
import type { IdsDeletedByWithdrawal } from '../deleted-ids.js';
import { checkPartner } from '../entries/check-eligibility.js';
import { ensureRegistrations, enterPlayers } from '../entries/enter-players.js';
import { EventRegistration } from '../entries/event-registration.js';
import { leaveEvents, playersIn } from '../entries/leave-events.js';
import { type EntryTarget, findEvents } from '../entries/lock-event.js';
import { confirmationRefusal, hasStarted } from '../entries/registration-refusal.js';
import { checkNotEntered, lockPlayers } from '../players/players.js';
import { Team } from '../players/team.js';
import { eventDisplayName } from './invite-partner.js';
import { TeamInvitation } from './team-invitation.js';

const lockOptions = { lockMode: LockMode.PESSIMISTIC_WRITE } as const;

/** Locked invitation, with its locked team and event. The event and the team are null if they were deleted. */
interface LockedInvitation {
  target: EntryTarget | null;
  invitation: TeamInvitation;
  team: Team | null;
  userId: string;
}

/**
 * Locks an invitation, its event and its team. Throws FORBIDDEN unless the signed-in user was invited by ID or by their verified email
 * address.
 */
async function lockInvitation(context: Context, id: string): Promise<LockedInvitation> {
  const { sql } = context;
  const userId = onBehalfOf(context, null);
  const row = await sql.first(
    sql.db
      .selectFrom('team_invitation as i')
      .leftJoin('app_user as u', (join) => join.on('u.id', '=', userId).on('u.verified_at', 'is not', null))
      .select(['i.event_id as eventId', 'i.user_id as invitedId', 'i.email', 'u.email as ownEmail'])
      .where('i.id', '=', id),
  );
  if (!row) return fail('NOT_FOUND', `no invitation with the id ${id}`);
  const { eventId, invitedId, email, ownEmail } = row;
  if (invitedId === null ? email === null || email !== ownEmail : invitedId !== userId)
    failForbidden(userTokenCredential('of the invited player'));
  const {
    events: [event],
    tournaments: [tournament],
  } = await findEvents(context, [eventId ?? ''], true);
  const target = event && tournament ? { event, tournament } : null;
  const invitation = await sql.em.findOne(TeamInvitation, { id }, lockOptions);
  if (!invitation) return fail('NOT_FOUND', `no invitation with the id ${id}`);
  return { target, invitation, team: await sql.em.findOne(Team, { id: invitation.teamId ?? '' }, lockOptions), userId };
}

/** Adds the user to the team, if the invitation was sent to an email address. */
async function joinTeam(
  context: Context,
  { invitation, userId }: LockedInvitation,
  target: EntryTarget,
  team: Team,
): Promise<void> {
  const { em } = context.sql;
  await lockPlayers(context.sql, [userId]);
  await checkNotEntered(context.sql, target.event.id, userId, 'you are already in this event');
  const entryId = uuidv7();
  const inviterEntry = await em.findOne(EventRegistration, { id: team.registrationOneId ?? '' }, lockOptions);
  const partners = inviterEntry?.userId ? [[userId, { userId: inviterEntry.userId, entryId: inviterEntry.id }] as const] : [];
  Object.assign(team, { playerTwoId: userId, registrationTwoId: entryId });
  touch(context, team);
  // Writes the team first, because the check of the entry reads it.
  await em.flush();
  const hasPartner = partners.length > 0;
  const registrations = await ensureRegistrations(context, target.tournament, new Map([[userId, { hasPartner }]]));
  await enterPlayers(context, target, team.id, [{ userId, entryId }], new Map(partners), registrations);
  if (inviterEntry) {
    Object.assign(inviterEntry, { partnerId: userId, partnerRegistrationId: entryId });
    touch(context, inviterEntry);
  }
  invitation.userId = userId;
}

/** Sets the entry of the invited partner to REGISTERED. */
async function confirmEntry(context: Context, teamId: string, userId: string): Promise<void> {
  const entry = await context.sql.em.findOne(EventRegistration, { teamId, userId }, lockOptions);
  if (!entry) return;
  entry.status = Number(entryStatuses.conversion.toStored('REGISTERED'));
  touch(context, entry);
}

async function notifyInviter(
  { caller, sql, services }: Context,
  { inviterId }: TeamInvitation,
  target: EntryTarget,
  isPlaying: boolean,
): Promise<void> {
  const name = caller.user?.name || 'Your partner';
  const answer = isPlaying
    ? `${name} has confirmed and plays with you in ${eventDisplayName(target)}.`
    : `${name} has declined to play in ${eventDisplayName(target)}. Your team has lost its place. You can register again, with the same or another partner.`;
  await services.notify(sql, [inviterId], {
    event: isPlaying ? 'TEAM_CONFIRMED' : 'TEAM_DECLINED',
    content: answer,
    subject: { kind: 'TOURNAMENT', id: target.tournament.id },
  });
}

/** Throws CONFLICT for an invitation that is no longer pending. The error message contains its status. */
const failAnswered = ({ status }: TeamInvitation): never =>
  fail(
    'CONFLICT',
    `the invitation was ${status === 'CONFIRMED' ? 'confirmed. Withdraw to leave the team' : status.toLowerCase()}`,
  );

/** Confirms an invitation. No effect if it has already been confirmed. */
export const confirmInvitation = (context: Context, id: string, returning: readonly string[]): Promise<RowOf<TeamInvitation>> =>
  context.sql.transaction(async () => {
    const lockedInvitation = await lockInvitation(context, id);
    const { target, invitation, team } = lockedInvitation;
    if (invitation.status === 'CONFIRMED') return entityToRow(invitation, returning);
    if (invitation.status !== 'PENDING') return failAnswered(invitation);
    if (!target) return fail('NOT_FOUND', `no event with the id ${invitation.eventId ?? ''}`);
    if (!team) return fail('CONFLICT', 'the team was deleted');
    const refusal = confirmationRefusal(target.event, target.tournament);
    if (refusal) return fail('CONFLICT', refusal);
    await checkPartner(context, target, lockedInvitation.userId, invitation.inviterId);
    if (invitation.userId === null) await joinTeam(context, lockedInvitation, target, team);
    else await confirmEntry(context, team.id, invitation.userId);
    Object.assign(invitation, { status: 'CONFIRMED', answeredAt: now() });
    await notifyInviter(context, invitation, target, true);
    return saveEntity(context, invitation, returning);
  });

/** Deletes the team of an invitation and the entries of its players. The entries are also deleted if the team no longer exists. */
async function deleteTeam(context: Context, { invitation, team, userId }: LockedInvitation): Promise<IdsDeletedByWithdrawal> {
  const playerIds = team ? playersIn(team) : [invitation.inviterId, userId].filter((id) => id !== null);
  const entries = await context.sql.em.find(EventRegistration, { teamId: invitation.teamId ?? '', userId: { $in: playerIds } });
  return leaveEvents(context, entries, team ? [team] : []);
}

/**
 * Declines an invitation, which deletes the team and the entries of its players. No effect if it has already been declined. Also returns
 * the IDs of the deleted records.
 */
export const declineInvitation = (
  context: Context,
  id: string,
  returning: readonly string[],
): Promise<RowOf<TeamInvitation> & Partial<IdsDeletedByWithdrawal>> =>
  context.sql.transaction(async () => {
    const lockedInvitation = await lockInvitation(context, id);
    const { target, invitation, userId } = lockedInvitation;
    if (invitation.status === 'DECLINED') return entityToRow(invitation, returning);
    if (invitation.status !== 'PENDING') return failAnswered(invitation);
    if (target && hasStarted(target.tournament)) return fail('CONFLICT', 'the tournament has started');
    Object.assign(invitation, { userId, status: 'DECLINED', answeredAt: now() });
    touch(context, invitation);
    await context.sql.em.flush();
    const deletedIds = await deleteTeam(context, lockedInvitation);
    if (target) await notifyInviter(context, invitation, target, false);
    const row = entityToRow(await context.sql.em.findOneOrFail(TeamInvitation, { id }, { refresh: true }), returning);
    return { ...row, ...deletedIds };
  });
