import { uuidv7 } from 'uuidv7';
import type { Context } from '../../../kernel/declare/context.js';
import { onBehalfOf } from '../../../kernel/declare/policy/on-behalf-of.js';
import type { RowOf } from '../../../kernel/declare/row.js';
import { create } from '../../../kernel/write/save.js';
import { invitePartner } from '../invitations/invite-partner.js';
import { Team } from '../players/team.js';
import {
  type AllowedEntry,
  checkEntries,
  hasPartner,
  partnerIdOf,
  type RequestedEntry,
  requestedEntries,
  requestedEntry,
} from './check-entries.js';
import { type Entrant, ensureRegistrations, enterPlayers } from './enter-players.js';
import { limitRefusedPartners } from './limit-refused-partners.js';
import { checkTeamInput, checkTeamsInput, type RegisterTeamInput, type RegisterTeamsInput } from './register-team-input.js';

/** Returns the players in the entries, keyed by user ID. The values state whether the player has a partner. */
function playersOf(callerId: string, entries: readonly AllowedEntry[]): ReadonlyMap<string, { hasPartner: boolean }> {
  const partners = entries.flatMap((entry) => partnerIdOf(entry) ?? []);
  return new Map([
    [callerId, { hasPartner: partners.length > 0 }] as const,
    ...partners.map((userId) => [userId, { hasPartner: true }] as const),
  ]);
}

/** Creates the team for an entry, together with the entries of its players, and invites the partner. */
async function createTeam(
  context: Context,
  callerId: string,
  entry: AllowedEntry,
  registrations: ReadonlyMap<string, string>,
  returning: readonly string[],
): Promise<RowOf<Team>> {
  const partnerId = partnerIdOf(entry);
  const ownEntrant: Entrant = { userId: callerId, entryId: uuidv7() };
  const partnerEntrant: Entrant | null = partnerId ? { userId: partnerId, entryId: uuidv7() } : null;
  const values = {
    playerOneId: callerId,
    playerTwoId: partnerId,
    eventId: entry.event.id,
    tournamentId: entry.tournament.id,
    registrationOneId: ownEntrant.entryId,
    registrationTwoId: partnerEntrant?.entryId ?? null,
  };
  const team = await create(context, Team, values, [...new Set([...returning, 'id'])]);
  const teamId = String(team.id);
  const players = partnerEntrant ? [ownEntrant, partnerEntrant] : [ownEntrant];
  const partners = new Map(
    partnerEntrant ? [[callerId, partnerEntrant] as const, [partnerEntrant.userId, ownEntrant] as const] : [],
  );
  await enterPlayers(context, entry, teamId, players, partners, registrations);
  if (entry.partner) await invitePartner(context, entry, teamId, callerId, entry.partner);
  return team;
}

/**
 * Enters the signed-in user in all events or in none. All events must belong to one tournament. Refused partners count toward the limit of
 * `limitRefusedPartners`.
 */
const enter = (context: Context, requested: readonly RequestedEntry[], returning: readonly string[]): Promise<RowOf<Team>[]> =>
  limitRefusedPartners(context, requested.some(hasPartner), () =>
    context.sql.transaction(async () => {
      const callerId = onBehalfOf(context, null);
      const entries = await checkEntries(context, callerId, requested, true);
      const [firstEntry] = entries;
      if (!firstEntry) return [];
      const registrations = await ensureRegistrations(context, firstEntry.tournament, playersOf(callerId, entries));
      const teams: RowOf<Team>[] = [];
      for (const entry of entries) teams.push(await createTeam(context, callerId, entry, registrations, returning));
      return teams;
    }),
  );

/** Enters the signed-in user in an event, with or without a partner. The partner must confirm. The place is reserved until then. */
export async function registerTeam(
  context: Context,
  input: RegisterTeamInput,
  returning: readonly string[],
): Promise<RowOf<Team>> {
  checkTeamInput(input, 'input.');
  const [team] = await enter(context, [requestedEntry(input)], returning);
  if (!team) throw new Error('the registration created no team');
  return team;
}

/**
 * Enters the signed-in user in several events of a tournament: either in all of them or in none. Returns the teams in the order of the
 * events.
 */
export async function registerTeams(
  context: Context,
  input: RegisterTeamsInput,
  returning: readonly string[],
): Promise<RowOf<Team>[]> {
  checkTeamsInput(input, 'input.');
  return enter(context, requestedEntries(input.events), returning);
}
