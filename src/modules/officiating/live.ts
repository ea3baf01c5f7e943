import { type Change, ofRowsWith } from '../../kernel/changes/index.js';
import { staff } from '../../kernel/declare/writers.js';
import { changeTypeOf } from '../../kernel/serve/change-types.js';
import { liveRoot } from '../../kernel/serve/live.js';
import { TournamentReferee } from '../tournaments/tournament-referee.js';
import { isMatchOf } from './match-tournament-sql.js';
import { Pregame } from './pregame.js';
import { Prematch } from './prematch.js';

const MatchChange = changeTypeOf('MatchChange', 'A change of a prematch, a pregame or a referee assignment of a tournament.', [
  Prematch,
  Pregame,
  TournamentReferee,
]);

/** Values of the references of a change with matching keys. A reference has the form `key=value`. */
const refsOf = ({ refs }: Change, matches: (key: string) => boolean): string[] =>
  refs.flatMap((ref) => {
    const [key = '', ...value] = ref.split('=');
    return matches(key) ? [value.join('=')] : [];
  });

/** Subscription to the matches of a tournament. */
export const liveMatches = liveRoot<{ tournamentId: string }>({
  name: 'matches',
  type: () => MatchChange,
  description:
    'Changes of prematches, pregames and referee assignments of a tournament. A match belongs to the tournament of the teams in its prematches and pregames.',
  policies: staff('REFEREE'),
  ids: { tournamentId: 'ID of the tournament.' },
  topics: ({ tournamentId }) => ['Prematch', 'Pregame', ofRowsWith('TournamentReferee', 'tournamentId', tournamentId)],
  concerns: (change, { tournamentId }, { sql }) =>
    change.record === TournamentReferee.name ||
    isMatchOf(
      sql,
      tournamentId,
      refsOf(change, (key) => key.endsWith('TeamId')),
      refsOf(change, (key) => key === 'matchId'),
    ),
});
