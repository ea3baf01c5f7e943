import { relatedRecords } from '../../kernel/serve/relations.js';
import { User } from '../accounts/users/user.js';
import { Match } from './match.js';
import { Pregame } from './pregame.js';
import { seesAllMatches } from './visible-matches.js';

/** Relations of a match to its pregames and referees. */
export const matchRelations = [
  relatedRecords(
    Match,
    'pregames',
    Pregame,
    (caller, { key, row }) => (seesAllMatches(caller) ? `${row}.match_id = ${key}` : 'false'),
    'Pregames of the match, with the serving team and the sides of the court. Empty for visitors and other users.',
  ),
  relatedRecords(
    Match,
    'referees',
    User,
    (caller, { key, row, table }) => {
      const showsReferees = seesAllMatches(caller) ? 'true' : 'not coalesce(t.score_card_hides_referees, false)';
      return `${row}.id in (select unnest(m.referee_ids) from ${table('match')} m left join ${table('tournament')} t on t.id = m.tournament_id where m.id = ${key} and ${showsReferees})`;
    },
    'Users who recorded the match. Empty for visitors and other users if the tournament hides its referees (`scoreCard.hidesReferees`).',
  ),
];
