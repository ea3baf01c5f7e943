import { demoEvents } from './events.js';
import { demoReferees } from './referees.js';
import { demoRegistrations } from './registrations.js';
import { demoStandings } from './standings.js';
import { demoTeamInvitations } from './team-invitations.js';
import { insertTeams, makeTeams } from './teams.js';
import { insertTournaments, makeTournaments } from './tournaments.js';
import type { World } from './world.js';

/** Inserts tournaments with their events, registrations, teams, standings and referees. */
export async function demoTournaments(world: World): Promise<void> {
  await makeTournaments(world);
  makeTeams(world, await demoEvents(world));
  await demoRegistrations(world);
  await insertTournaments(world);
  await insertTeams(world);
  await demoTeamInvitations(world);
  await demoStandings(world);
  await demoReferees(world);
}
