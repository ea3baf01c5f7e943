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

/** Headers of an example: a platform token or a publishable key, and the token of a signed-in user. */
export const headersOf = ({ caller }: Pick<Example, 'caller'>, tokens: ExampleTokens): Readonly<Record<string, string>> => ({
  ...(caller === 'platform' ? { 'PB-API-TOKEN': tokens.platform } : { 'PB-API-TOKEN': tokens.publishable }),
  ...(caller === 'user' || caller === 'admin' ? { 'PB-USER-TOKEN': tokens[caller] } : {}),
});

export type { Example } from './example.js';

const withTitle = (example: Example): Example => ({ ...example, query: `# ${example.title}\n${example.query}\n` });

/** Examples of one topic. */
export interface ExampleGroup {
  readonly title: string;
  readonly examples: readonly Example[];
}

const group = (title: string, ...members: readonly Example[]): ExampleGroup => ({ title, examples: members.map(withTitle) });

const liveGroup = group('Live changes', liveMatch, liveChanges);

/** Example in the first tab of GraphiQL. The first tab and new tabs run as the demo player, which can query `viewer`. */
export const firstExample = withTitle({ ...nearAustin, caller: 'user' });

/** Examples of GraphiQL by topic. */
export const exampleGroups: readonly ExampleGroup[] = [
  group('Tournaments', nearAustin, wholeTournament, misspelled, standings, playingNow, professional, matches),
  group('Players and clubs', playersSeason, clubs, rankings, refereesCalendar),
  group('Lists, lookups and counts', counts, pages, lookups, relationFilters),
  group('Signed-in player', games, myRegistrations, checkout),
  group('Approvals', pendingApprovals),
  group('Platforms', registerTeam),
  liveGroup,
];

/** Examples with a query or a mutation. */
export const examples: readonly Example[] = exampleGroups
  .filter((group) => group !== liveGroup)
  .flatMap(({ examples }) => examples);

/** Examples with a subscription. */
export const liveExamples: readonly Example[] = liveGroup.examples;

/** Operation name of an example. It identifies the example in URLs. */
export const exampleName = ({ query }: Pick<Example, 'query'>): string =>
  /^(?:query|mutation|subscription) (\w+)/m.exec(query)?.[1] ?? '';

/** GraphiQL tab of an example, with the headers of its caller. */
export const tabOf = (example: Example, tokens: ExampleTokens | null) => ({
  id: `example-${exampleName(example)}`,
  title: exampleName(example),
  query: example.query,
  variables: example.variables ? JSON.stringify(example.variables, null, 2) : '',
  headers: tokens ? JSON.stringify(headersOf(example, tokens), null, 2) : '',
});
