import type { DemoContext } from './context.js';
import { insertEvents } from './tournaments/events.js';
import { insertReferees } from './tournaments/referees.js';
import { insertRegistrations } from './tournaments/registrations.js';
import { insertStandings } from './tournaments/standings.js';
import { insertTeamInvitations } from './tournaments/team-invitations.js';
import { insertTeams, makeTeams } from './tournaments/teams.js';
import { insertTournamentRows, makeTournaments } from './tournaments/tournaments.js';

/** Inserts tournaments with their events, registrations, teams, standings and referees. */
export async function insertTournaments(context: DemoContext): Promise<void> {
  await makeTournaments(context);
  makeTeams(context, await insertEvents(context));
  await insertRegistrations(context);
  await insertTournamentRows(context);
  await insertTeams(context);
  await insertTeamInvitations(context);
  await insertStandings(context);
  await insertReferees(context);
}
