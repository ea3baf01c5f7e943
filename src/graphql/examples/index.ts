import type { Example } from './example.js';
import { listExamples } from './lists.js';
import { subscriptionExamples } from './live.js';
import { pendingApprovals, registerTeam } from './operators.js';
import { playerExamples, viewerExamples } from './players.js';
import { nearAustin, tournamentExamples } from './tournaments.js';

/** Demo tokens that GraphiQL sends with the examples. */
export interface ExampleTokens {
  readonly platform: string;
  readonly publishable: string;
  readonly user: string;
  readonly admin: string;
}

/** Returns the headers of an example: a platform token or a publishable key, and the user token if the example has a signed-in user. */
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

const group = (title: string, members: readonly Example[]): ExampleGroup => ({ title, examples: members.map(withTitle) });

const liveGroup = group('Live changes', subscriptionExamples);

/** Example in the first tab of GraphiQL. The first tab and new tabs run as the demo player, who can query `viewer`. */
export const firstExample = withTitle({ ...nearAustin, caller: 'user' });

/** Examples in GraphiQL, grouped by topic. */
export const exampleGroups: readonly ExampleGroup[] = [
  group('Tournaments', tournamentExamples),
  group('Players and clubs', playerExamples),
  group('Lists, lookups and counts', listExamples),
  group('Signed-in player', viewerExamples),
  group('Approvals', [pendingApprovals]),
  group('Platforms', [registerTeam]),
  liveGroup,
];

/** Examples of queries and mutations. */
export const examples: readonly Example[] = exampleGroups
  .filter((group) => group !== liveGroup)
  .flatMap(({ examples }) => examples);

/** Examples of subscriptions. */
export const liveExamples: readonly Example[] = liveGroup.examples;

/** Returns the operation name of an example, which identifies the example in URLs. */
export const exampleName = ({ query }: Pick<Example, 'query'>): string =>
  /^(?:query|mutation|subscription) (\w+)/m.exec(query)?.[1] ?? '';

/** Returns the GraphiQL tab for an example, with the headers of its caller. */
export const tabOf = (example: Example, tokens: ExampleTokens | null) => ({
  id: `example-${exampleName(example)}`,
  title: exampleName(example),
  query: example.query,
  variables: example.variables ? JSON.stringify(example.variables, null, 2) : '',
  headers: tokens ? JSON.stringify(headersOf(example, tokens), null, 2) : '',
});
