import { TournamentReferee } from '../../modules/tournaments/tournament-referee.js';
import type { DemoContext } from '../context.js';
import { wellKnown } from '../well-known.js';

/** Inserts 1,500 referee assignments, three or four per tournament. The referees are users with the role REFEREE. */
export async function insertReferees({ faker, insert, players, tournaments }: DemoContext): Promise<void> {
  const referees = players.slice(1, 301);
  const assignments = tournaments.flatMap(({ id: tournamentId }, index) =>
    faker.helpers.arrayElements(referees, index < 300 ? 4 : 3).map(({ id: userId }, position) => ({
      id: wellKnown('demo-referee', index + position, faker.string.uuid()),
      tournamentId,
      userId,
    })),
  );
  await insert(TournamentReferee, assignments);
}
