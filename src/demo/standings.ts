import { FinalStanding } from '../modules/tournaments/final-standing.js';
import type { World } from './world.js';

/** Inserts the final rankings of all teams in finished events. */
export async function demoStandings({ faker, insert, teams }: World): Promise<void> {
  const over = teams.filter(({ event }) => event.tournament.endsIn < 0);
  await insert(
    FinalStanding,
    over.map(({ id, eventId, ranking, event: { tournament } }) => ({
      id: faker.string.uuid(),
      eventId,
      teamId: id,
      finalRanking: ranking,
      createdAt: tournament.endsAt,
      updatedAt: tournament.endsAt,
    })),
  );
}
