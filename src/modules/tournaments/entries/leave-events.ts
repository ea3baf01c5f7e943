import { LockMode } from '@mikro-orm/core';
import type { Context } from '../../../kernel/declare/context.js';
import type { IdsDeletedByWithdrawal } from '../deleted-ids.js';
import { TeamInvitation } from '../invitations/team-invitation.js';
import { Team } from '../players/team.js';
import { EventRegistration } from './event-registration.js';
import { Registration } from './registration.js';

const writeLock = { lockMode: LockMode.PESSIMISTIC_WRITE, orderBy: { id: 'asc' } } as const;
const distinctIds = (ids: readonly (string | null)[]): string[] => [...new Set(ids.filter((id) => id !== null))];

/** Returns the user IDs of the players on a team. */
export const playersIn = ({ playerOneId, playerTwoId }: Team): string[] => distinctIds([playerOneId, playerTwoId]);

/**
 * Locks the teams of entries. Omits teams that do not contain the player of the entry, because players can set any team ID in their own
 * entries.
 */
export const teamsOf = async ({ sql }: Context, entries: readonly EventRegistration[]): Promise<Team[]> =>
  (await sql.em.find(Team, { id: { $in: distinctIds(entries.map(({ teamId }) => teamId)) } }, writeLock)).filter((team) =>
    entries.some(({ teamId, userId }) => teamId === team.id && userId !== null && playersIn(team).includes(userId)),
  );

/** Sets the status of the teams' pending and confirmed invitations to WITHDRAWN. */
async function withdrawInvitations({ sql }: Context, teams: readonly Team[]): Promise<void> {
  const invitations = await sql.em.find(
    TeamInvitation,
    { teamId: { $in: teams.map(({ id }) => id) }, status: { $in: ['PENDING', 'CONFIRMED'] } },
    writeLock,
  );
  for (const invitation of invitations) invitation.status = 'WITHDRAWN';
}

/** Deletes entries, and the registrations of players who have no other entries. Returns the IDs of the deleted registrations. */
async function removeEmptyRegistrations({ sql }: Context, entries: readonly EventRegistration[]): Promise<string[]> {
  const ids = distinctIds(entries.map(({ registrationId }) => registrationId));
  const registrations = await sql.em.find(Registration, { id: { $in: ids } }, writeLock);
  for (const entry of entries) sql.em.remove(entry);
  await sql.em.flush();
  const remainingEntries = await sql.em.find(EventRegistration, { registrationId: { $in: ids } });
  const emptyRegistrations = registrations.filter(
    ({ id, userId }) =>
      entries.some((entry) => entry.registrationId === id && entry.userId === userId) &&
      !remainingEntries.some(({ registrationId }) => registrationId === id),
  );
  for (const registration of emptyRegistrations) sql.em.remove(registration);
  await sql.em.flush();
  return emptyRegistrations.map(({ id }) => id);
}

/**
 * Deletes entries with their teams, the entries of the partners and the unpaid invoice items. The places of the teams become free. The
 * caller must have locked the events. Returns the IDs of all deleted records.
 */
export async function leaveEvents(
  context: Context,
  withdrawnEntries: readonly EventRegistration[],
  teams: readonly Team[],
): Promise<IdsDeletedByWithdrawal> {
  const { sql, services, loaders } = context;
  await withdrawInvitations(context, teams);
  const members = await sql.em.find(EventRegistration, { teamId: { $in: teams.map(({ id }) => id) } }, writeLock);
  const partners = members.filter(
    ({ teamId, userId }) => userId !== null && teams.some((team) => team.id === teamId && playersIn(team).includes(userId)),
  );
  const entries = [...new Set([...withdrawnEntries, ...partners])];
  const entryIds = entries.map(({ id }) => id);
  const deletedTeamIds = teams.map(({ id }) => id);
  for (const team of teams) sql.em.remove(team);
  const registrationIds = await removeEmptyRegistrations(context, entries);
  const deletedInvoiceItemIds = await services.onEntriesWithdrawn(context, entryIds, registrationIds);
  loaders.clear();
  return {
    deletedTeamIds,
    deletedEventRegistrationIds: entryIds,
    deletedRegistrationIds: registrationIds,
    deletedInvoiceItemIds,
  };
}
