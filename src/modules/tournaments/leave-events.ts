import { LockMode } from '@mikro-orm/core';
import type { Context } from '../../kernel/declare/context.js';
import { EventRegistration } from './event-registration.js';
import { Registration } from './registration.js';
import { Team } from './team.js';
import { TeamInvitation } from './team-invitation.js';

const locked = { lockMode: LockMode.PESSIMISTIC_WRITE, orderBy: { id: 'asc' } } as const;
const idsOf = (ids: readonly (string | null)[]): string[] => [...new Set(ids.filter((id) => id !== null))];

/** Whom a team consists of. */
export const playersIn = ({ playerOneId, playerTwoId }: Team): string[] => idsOf([playerOneId, playerTwoId]);

/** The teams that players leave: those of their entries in which they really play, for everybody may write a team's id in an own entry. */
export const teamsOf = async ({ sql }: Context, entries: readonly EventRegistration[]): Promise<Team[]> =>
  (await sql.em.find(Team, { id: { $in: idsOf(entries.map(({ teamId }) => teamId)) } }, locked)).filter((team) =>
    entries.some(({ teamId, userId }) => teamId === team.id && userId !== null && playersIn(team).includes(userId)),
  );

/** Ends what invitations there are to teams that are dissolved. */
async function endInvitations({ sql }: Context, teams: readonly Team[]): Promise<void> {
  const invitations = await sql.em.find(
    TeamInvitation,
    { teamId: { $in: teams.map(({ id }) => id) }, status: { $in: ['PENDING', 'CONFIRMED'] } },
    locked,
  );
  for (const invitation of invitations) invitation.status = 'WITHDRAWN';
}

/** Registrations of the players that have no entry left go with the last one. */
async function dropRegistrations({ sql }: Context, entries: readonly EventRegistration[]): Promise<string[]> {
  const ids = idsOf(entries.map(({ registrationId }) => registrationId));
  const registrations = await sql.em.find(Registration, { id: { $in: ids } }, locked);
  for (const entry of entries) sql.em.remove(entry);
  await sql.em.flush();
  const left = await sql.em.find(EventRegistration, { registrationId: { $in: ids } });
  const gone = registrations.filter(
    ({ id, userId }) =>
      entries.some((entry) => entry.registrationId === id && entry.userId === userId) &&
      !left.some(({ registrationId }) => registrationId === id),
  );
  for (const registration of gone) sql.em.remove(registration);
  await sql.em.flush();
  return gone.map(({ id }) => id);
}

/**
 * Takes entries out of their events: with them the teams, whose places are free again, the partners' entries and what nobody has paid yet.
 * The events are locked.
 */
export async function leaveEvents(context: Context, own: readonly EventRegistration[], teams: readonly Team[]): Promise<void> {
  const { sql, services, loaders } = context;
  await endInvitations(context, teams);
  const members = await sql.em.find(EventRegistration, { teamId: { $in: teams.map(({ id }) => id) } }, locked);
  const partners = members.filter(
    ({ teamId, userId }) => userId !== null && teams.some((team) => team.id === teamId && playersIn(team).includes(userId)),
  );
  const entries = [...new Set([...own, ...partners])];
  const entryIds = entries.map(({ id }) => id);
  for (const team of teams) sql.em.remove(team);
  const registrationIds = await dropRegistrations(context, entries);
  await services.entriesWithdrawn(context, entryIds, registrationIds);
  loaders.clear();
}
