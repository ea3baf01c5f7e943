import { type Code, GraphError, graphClient, graphql, NoAnswer, type ResultOf, type VariablesOf } from 'courtside-sdk';

declare const process: { argv: string[] };
const [origin = '', publishableKey = '', email = '', password = '', eventId = ''] = process.argv.slice(2);

let token: string | null = null;
const graph = graphClient({ origin, publishableKey, userToken: () => token, timeout: 10_000 });

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

/** What a page would tell somebody about an error. */
function told(error: unknown): string {
  if (error instanceof NoAnswer) return error.reason;
  if (!(error instanceof GraphError)) throw error;
  const words: Partial<Record<Code, string>> = { INVALID_CREDENTIALS: 'wrong', UNAUTHENTICATED: 'sign in first' };
  return words[error.code] ?? error.problems.map(({ field, expected }) => `${field} ${expected}`).join();
}

const input: VariablesOf<typeof Near> = { near: { latitude: 30.2672, longitude: -97.7431, distance: 50, unit: 'KILOMETERS' } };
const found: ResultOf<typeof Near> = await graph.run(Near, input);
const [nearest] = found.tournaments?.nodes ?? [];
const city: string | null | undefined = nearest?.location?.city;
const distance: number | null | undefined = nearest?.distance;

const refused = [
  await graph.run(Enter, { input: { eventId } }).catch(told),
  await graph.run(Login, { input: { email, password: 'not this one' } }).catch(told),
  await graph.run(Near, { near: { latitude: 200, longitude: 0, distance: 1 } }).catch(told),
];

const { login } = await graph.run(Login, { input: { email, password } });
token = login?.token ?? null;
const idempotencyKey = `entry-${Date.now()}`;
const entered = await graph.run(Enter, { input: { eventId } }, { idempotencyKey });
const again = await graph.run(Enter, { input: { eventId } }, { idempotencyKey });
const twice = await graph.run(Enter, { input: { eventId } }).catch((error) => (error as GraphError).code);

const pages: string[][] = [];
for await (const { nodes } of graph.pages(Events, {}, ({ events }) => events)) pages.push(nodes.map(({ id }) => id));

const partly = await graph.runPartly(Mixed, { id: 'nobody' });

console.log(
  JSON.stringify({
    found: { total: found.tournaments?.totalCount, city, near: (distance ?? 99) < 50 },
    refused,
    name: login?.user?.firstName,
    entered: entered.registerTeam?.event?.title,
    same: again.registerTeam?.id === entered.registerTeam?.id,
    twice,
    pages: pages.map(({ length }) => length),
    partly: [partly.data?.tournaments?.totalCount, partly.data?.tournament, partly.errors.map(({ code }) => code)],
  }),
);

/** What must not compile: who writes it learns of it while writing. */
export async function wrong(): Promise<void> {
  // @ts-expect-error a variable of another type
  await graph.run(Near, { near: { latitude: 'north', longitude: 0, distance: 1 } });
  // @ts-expect-error a value that the enumeration does not have
  await graph.run(Near, { near: { latitude: 1, longitude: 0, distance: 1, unit: 'PARSECS' } });
  // @ts-expect-error a variable that is needed
  await graph.run(Near);
  // @ts-expect-error a variable that the document does not have
  await graph.run(Near, { ...input, radius: 5 });
  // @ts-expect-error a field that the graph does not have
  await graph.run(graphql('query { tournaments { nodes { titel } } }'));
  // @ts-expect-error a field that was not asked for
  nearest?.registrationFee;
  // @ts-expect-error what was refused is null
  found.tournaments.totalCount;
  // @ts-expect-error a code that is not in the table
  const code: Code = 'TEAPOT';
  // @ts-expect-error a page has a key, a server has a token
  graphClient({ origin, publishableKey, platformToken: code });
  // @ts-expect-error pages follow a cursor that the document has to take
  graph.pages(Near, input, ({ tournaments }) => tournaments);
}
