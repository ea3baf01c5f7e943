import { FinalStanding } from '../modules/tournaments/final-standing.js';
import { TeamInvitation } from '../modules/tournaments/invitations/team-invitation.js';
import { Team } from '../modules/tournaments/players/team.js';
import { Tournament } from '../modules/tournaments/tournament.js';
import { TournamentReferee } from '../modules/tournaments/tournament-referee.js';
import { type DemoContext, fixedOrRandomId, isTournamentFinished } from './context.js';
import { insertEvents } from './tournaments/events.js';
import { insertRegistrations } from './tournaments/registrations.js';
import { createTeams } from './tournaments/teams.js';
import { createTournaments } from './tournaments/tournaments.js';

/** Inserts tournaments with their events, registrations, teams, standings and referees. */
export async function insertTournaments(context: DemoContext): Promise<void> {
  const { insert, teams, tournaments } = context;
  await createTournaments(context);
  createTeams(context, await insertEvents(context));
  await insertRegistrations(context);
  await insert(Tournament, tournaments);
  await insert(Team, teams);
  await insertTeamInvitations(context);
  await insertStandings(context);
  await insertReferees(context);
}

/** Inserts one invitation, from player one to player two, for each pair in an upcoming tournament. One in five is pending. */
async function insertTeamInvitations({ insert, teams, day }: DemoContext): Promise<void> {
  const pairs = teams.filter(({ players, event }) => players.length === 2 && event.tournament.startsIn > 0);
  await insert(
    TeamInvitation,
    pairs.map(({ id, eventId, playerOneId, playerTwoId }, index) => {
      const isPending = index % 5 === 0;
      return {
        id: `invitation-${id}`,
        teamId: id,
        eventId,
        inviterId: playerOneId,
        userId: playerTwoId,
        status: isPending ? 'PENDING' : 'CONFIRMED',
        answeredAt: isPending ? null : day(-1),
        createdAt: day(-3),
        updatedAt: day(isPending ? -3 : -1),
      } as const;
    }),
  );
}

/** Inserts the final rankings of all teams in finished events. */
async function insertStandings({ faker, insert, teams }: DemoContext): Promise<void> {
  const pastTeams = teams.filter(isTournamentFinished);
  await insert(
    FinalStanding,
    pastTeams.map(({ id, eventId, ranking, event: { tournament } }) => ({
      id: faker.string.uuid(),
      eventId,
      teamId: id,
      finalRanking: ranking,
      createdAt: tournament.endsAt,
      updatedAt: tournament.endsAt,
    })),
  );
}

/** Inserts 1,500 referee assignments, three or four per tournament. The referees are users with the role REFEREE. */
async function insertReferees({ faker, insert, players, tournaments }: DemoContext): Promise<void> {
  const referees = players.slice(1, 301);
  const assignments = tournaments.flatMap(({ id: tournamentId }, index) =>
    faker.helpers.arrayElements(referees, index < 300 ? 4 : 3).map(({ id: userId }, position) => ({
      id: fixedOrRandomId('demo-referee', index + position, faker.string.uuid()),
      tournamentId,
      userId,
    })),
  );
  await insert(TournamentReferee, assignments);
}
