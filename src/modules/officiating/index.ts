import { module } from '../../kernel/serve/module.js';
import { liveMatches } from './live.js';
import { Match } from './match.js';
import { MatchResolver, matchRelations } from './match-resolver.js';
import { Pregame } from './pregame.js';
import { Prematch } from './prematch.js';

/** Matches, and the records that referees create (sections 2.11 and 4.9). */
export const officiating = module({
  name: 'officiating',
  description: 'Matches, and the records that referees create before matches (prematches) and before games (pregames).',
  records: [Prematch, Pregame, Match],
  resolvers: [liveMatches, MatchResolver, ...matchRelations],
});
