import { TournamentReferee } from '../modules/tournaments/tournament-referee.js';
import { wellKnown } from './well-known.js';
import type { World } from './world.js';

/** Inserts 1,500 referee assignments: three or four per tournament, of users with the role. */
export async function demoReferees({ faker, insert, players, tournaments }: World): Promise<void> {
  const referees = players.slice(1, 301);
  const assigned = tournaments.flatMap(({ id: tournamentId }, index) =>
    faker.helpers.arrayElements(referees, index < 300 ? 4 : 3).map(({ id: userId }, place) => ({
      id: wellKnown('demo-referee', index + place, faker.string.uuid()),
      tournamentId,
      userId,
    })),
  );
  await insert(TournamentReferee, assigned);
}
