import { clubs } from './clubs.js';
import { counts } from './counts.js';
import type { Example } from './example.js';
import { lookups } from './lookups.js';
import { misspelled } from './misspelled.js';
import { nearAustin } from './near-austin.js';
import { pages } from './pages.js';
import { playersSeason } from './players-season.js';
import { playingNow } from './playing-now.js';
import { professional } from './professional.js';
import { refereesCalendar } from './referees-calendar.js';
import { registerTeam } from './register-team.js';
import { standings } from './standings.js';
import { wholeTournament } from './whole-tournament.js';

/** Those tabs as GraphiQL takes them, with the token that it sends, where there is one. */
export const tabsOf = (token: string | null) =>
  examples.map(({ query, variables }) => ({
    query,
    variables: variables ? JSON.stringify(variables, null, 2) : '',
    headers: token ? JSON.stringify({ 'PB-API-TOKEN': token }, null, 2) : '',
  }));

export type { Example } from './example.js';

/** The tabs that GraphiQL opens with, in this order, each with its title as a comment at its head. */
export const examples: readonly Example[] = [
  nearAustin,
  wholeTournament,
  playersSeason,
  misspelled,
  standings,
  clubs,
  playingNow,
  professional,
  refereesCalendar,
  counts,
  pages,
  lookups,
  registerTeam,
].map((example) => ({ ...example, query: `# ${example.title}\n${example.query}\n` }));
