import {
  type Code,
  createGraphQLClient,
  GraphQLRequestError,
  graphql,
  NetworkError,
  type ResultOf,
  type VariablesOf,
} from 'courtside-sdk';

declare const process: { argv: string[] };
const [origin = '', publishableKey = '', email = '', password = '', eventId = ''] = process.argv.slice(2);

let token: string | null = null;
const graph = createGraphQLClient({ origin, publishableKey, userToken: () => token, timeout: 10_000 });

const Where = graphql('fragment Where on Place { city }');
const Near = graphql(
  `query Near($near: Near!, $first: Int) {
    tournaments(first: $first, filter: { near: $near }, orderBy: [{ field: DISTANCE }]) {
      totalCount
      nodes { id title distance phase startsAt location { ...Where } }
    }
  }`,
  [Where],
);
const Login = graphql('mutation Login($input: LoginInput!) { login(input: $input) { token user { firstName } } }');
const Enter = graphql('mutation Enter($input: RegisterTeamInput!) { registerTeam(input: $input) { id event { title } } }');
const Events = graphql(
  'query Events($after: String) { events(first: 2, after: $after) { nodes { id } pageInfo { hasNextPage endCursor } } }',
);
const Mixed = graphql('query Mixed($id: ID!) { tournaments { totalCount } tournament(id: $id) { title refereeCode } }');

/** Returns an error message as a page might display it. */
function messageOf(error: unknown): string {
  if (error instanceof NetworkError) return error.reason;
  if (!(error instanceof GraphQLRequestError)) throw error;
  const messages: Partial<Record<Code, string>> = { INVALID_CREDENTIALS: 'wrong', UNAUTHENTICATED: 'sign in first' };
  return messages[error.code] ?? error.problems.map(({ field, expected }) => `${field} ${expected}`).join();
}

const input: VariablesOf<typeof Near> = { near: { latitude: 30.2672, longitude: -97.7431, distance: 50, unit: 'KILOMETERS' } };
const nearby: ResultOf<typeof Near> = await graph.run(Near, input);
const [nearest] = nearby.tournaments?.nodes ?? [];
const city: string | null | undefined = nearest?.location?.city;
const distance: number | null | undefined = nearest?.distance;

const errorMessages = [
  await graph.run(Enter, { input: { eventId } }).catch(messageOf),
  await graph.run(Login, { input: { email, password: 'not this one' } }).catch(messageOf),
  await graph.run(Near, { near: { latitude: 200, longitude: 0, distance: 1 } }).catch(messageOf),
];

const { login } = await graph.run(Login, { input: { email, password } });
token = login?.token ?? null;
const idempotencyKey = `entry-${Date.now()}`;
const entry = await graph.run(Enter, { input: { eventId } }, { idempotencyKey });
const repeatedEntry = await graph.run(Enter, { input: { eventId } }, { idempotencyKey });
const duplicateCode = await graph.run(Enter, { input: { eventId } }).catch((error) => (error as GraphQLRequestError).code);

const pages: string[][] = [];
for await (const { nodes } of graph.pages(Events, {}, ({ events }) => events)) pages.push(nodes.map(({ id }) => id));

// A field with `@include` is optional in the result.
const Optional = graphql(
  'query Optional($isDetailed: Boolean!) { tournaments { totalCount nodes @include(if: $isDetailed) { title } } }',
);
const { tournaments: withoutNodes } = await graph.run(Optional, { isDetailed: false });
const omittedTitles: readonly (string | null)[] | undefined = withoutNodes?.nodes?.map(({ title }) => title);
if (omittedTitles) throw new Error('the response contains an omitted field');

const partial = await graph.runPartial(Mixed, { id: 'nobody' });

console.log(
  JSON.stringify({
    found: { total: nearby.tournaments?.totalCount, city, near: (distance ?? 99) < 50 },
    refused: errorMessages,
    name: login?.user?.firstName,
    entered: entry.registerTeam?.event?.title,
    same: repeatedEntry.registerTeam?.id === entry.registerTeam?.id,
    twice: duplicateCode,
    pages: pages.map(({ length }) => length),
    partly: [partial.data?.tournaments?.totalCount, partial.data?.tournament, partial.errors.map(({ code }) => code)],
  }),
);

/** Calls that must not compile. The function is never called. */
export async function invalidCalls(): Promise<void> {
  // @ts-expect-error a variable of the wrong type
  await graph.run(Near, { near: { latitude: 'north', longitude: 0, distance: 1 } });
  // @ts-expect-error a value that the enumeration does not have
  await graph.run(Near, { near: { latitude: 1, longitude: 0, distance: 1, unit: 'PARSECS' } });
  // @ts-expect-error a required variable is missing
  await graph.run(Near);
  // @ts-expect-error a variable that the document does not have
  await graph.run(Near, { ...input, radius: 5 });
  // @ts-expect-error a field that the graph does not have
  await graph.run(graphql('query { tournaments { nodes { titel } } }'));
  // @ts-expect-error a field that the document does not select
  nearest?.registrationFee;
  // @ts-expect-error a field with an error is null
  nearby.tournaments.totalCount;
  // @ts-expect-error an unknown error code
  const code: Code = 'TEAPOT';
  // @ts-expect-error a publishable key and a platform token exclude each other
  createGraphQLClient({ origin, publishableKey, platformToken: code });
  // @ts-expect-error the document has no variable for the cursor
  graph.pages(Near, input, ({ tournaments }) => tournaments);
}
