import type { DemoContext } from './context.js';
import { insertEvents } from './events.js';
import { insertReferees } from './referees.js';
import { insertRegistrations } from './registrations.js';
import { insertStandings } from './standings.js';
import { insertTeamInvitations } from './team-invitations.js';
import { insertTeams, makeTeams } from './teams.js';
import { insertTournamentRows, makeTournaments } from './tournaments.js';

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
