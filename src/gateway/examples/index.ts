import { checkout } from './checkout.js';
import { clubs } from './clubs.js';
import { counts } from './counts.js';
import type { Example } from './example.js';
import { games } from './games.js';
import { liveChanges } from './live-changes.js';
import { liveMatch } from './live-match.js';
import { lookups } from './lookups.js';
import { matches } from './matches.js';
import { misspelled } from './misspelled.js';
import { myRegistrations } from './my-registrations.js';
import { nearAustin } from './near-austin.js';
import { pages } from './pages.js';
import { pendingApprovals } from './pending-approvals.js';
import { playersSeason } from './players-season.js';
import { playingNow } from './playing-now.js';
import { professional } from './professional.js';
import { rankings } from './rankings.js';
import { refereesCalendar } from './referees-calendar.js';
import { registerTeam } from './register-team.js';
import { relationFilters } from './relation-filters.js';
import { standings } from './standings.js';
import { wholeTournament } from './whole-tournament.js';

/** Tokens of the demo data, which GraphiQL sends. */
export interface ExampleTokens {
  readonly platform: string;
  readonly publishable: string;
  readonly user: string;
  readonly admin: string;
}

/** The headers that an example sends: as pages do, a publishable key, and the token of the signed-in user. */
export const headersOf = ({ as }: Pick<Example, 'as'>, tokens: ExampleTokens): Readonly<Record<string, string>> => ({
  ...(as === 'platform' ? { 'PB-API-TOKEN': tokens.platform } : { 'PB-API-TOKEN': tokens.publishable }),
  ...(as === 'user' || as === 'admin' ? { 'PB-USER-TOKEN': tokens[as] } : {}),
});

/** All tabs as GraphiQL takes them, with the tokens that it sends, where there are any. */
export const tabsOf = (tokens: ExampleTokens | null) =>
  [...examples, ...liveExamples].map((example) => ({
    query: example.query,
    variables: example.variables ? JSON.stringify(example.variables, null, 2) : '',
    headers: tokens ? JSON.stringify(headersOf(example, tokens), null, 2) : '',
  }));

export type { Example } from './example.js';

const titled = (example: Example): Example => ({ ...example, query: `# ${example.title}\n${example.query}\n` });

/** What the tabs ask that GraphiQL opens with, in this order, each with its title as a comment at its head. */
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
  relationFilters,
  rankings,
  games,
  myRegistrations,
  checkout,
  pendingApprovals,
  matches,
].map(titled);

/** The subscriptions in the tabs behind those. */
export const liveExamples: readonly Example[] = [liveMatch, liveChanges].map(titled);
