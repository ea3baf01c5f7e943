import { module } from '../../kernel/serve/module.js';
import { liveMatches } from './live.js';
import { Pregame } from './pregame.js';
import { Prematch } from './prematch.js';

/** What referees record of matches (sections 2.11 and 4.9). */
export const officiating = module({
  name: 'officiating',
  description: 'What referees record before matches and games.',
  records: [Prematch, Pregame],
  resolvers: [liveMatches],
});
