import { type Change, ofRowsWith } from '../../kernel/changes/index.js';
import { staff } from '../../kernel/declare/writers.js';
import { changeTypeOf } from '../../kernel/serve/change-types.js';
import { liveRoot } from '../../kernel/serve/live.js';
import { TournamentReferee } from '../tournaments/tournament-referee.js';
import { isPlayedIn } from './played-in-sql.js';
import { Pregame } from './pregame.js';
import { Prematch } from './prematch.js';

const MatchChange = changeTypeOf(
  'MatchChange',
  'A change of what referees record of the matches of a tournament, or of its referees.',
  [Prematch, Pregame, TournamentReferee],
);

/** Values of the refs of a change whose keys are such. */
const refsOf = ({ refs }: Change, isSuch: (key: string) => boolean): string[] =>
  refs.flatMap((ref) => {
    const [key = '', ...value] = ref.split('=');
    return isSuch(key) ? [value.join('=')] : [];
  });

/** The matches of a tournament as they are prepared and played. */
export const liveMatches = liveRoot<{ tournamentId: string }>({
  name: 'matches',
  type: () => MatchChange,
  description:
    'Changes of what referees record of the matches of a tournament, setup, warm-up, coin toss and the starts of games, and of its referees. A match is of the tournament in which the teams play that any of its records names.',
  policies: staff('REFEREE'),
  ids: { tournamentId: 'Id of the tournament.' },
  topics: ({ tournamentId }) => ['Prematch', 'Pregame', ofRowsWith('TournamentReferee', 'tournamentId', tournamentId)],
  concerns: (change, { tournamentId }, { sql }) =>
    change.record === TournamentReferee.name ||
    isPlayedIn(
      sql,
      tournamentId,
      refsOf(change, (key) => key.endsWith('TeamId')),
      refsOf(change, (key) => key === 'matchId'),
    ),
});
