import { FinalStanding } from '../../modules/tournaments/final-standing.js';
import type { DemoContext } from '../context.js';

/** Inserts the final rankings of all teams in finished events. */
export async function insertStandings({ faker, insert, teams }: DemoContext): Promise<void> {
  const pastTeams = teams.filter(({ event }) => event.tournament.endsIn < 0);
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
