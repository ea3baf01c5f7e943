import { module } from '../../kernel/module.js';
import { Club } from './club.js';

/** Leagues, clubs and messages to players (sections 2.17, 2.20, 4.16 and 4.19). */
export const leagues = module({
  name: 'leagues',
  description: 'Leagues, clubs and messages to their players.',
  records: [Club],
});
