// Registers a player for an event: node examples/enter.js [origin] [publishable key] [email address] [password]
// It imports the SDK from dist/sdk, which `npm run sdk` creates. In your project, import from 'courtside-sdk'.
import { setTimeout as sleep } from 'node:timers/promises';
import { createGraphQLClient, GraphQLRequestError, graphql } from '../dist/sdk/index.js';

const [
  origin = 'http://localhost:4000',
  publishableKey = 'pk_demo-publishable-key',
  email = 'player@courtside.test',
  password = 'courtside-demo',
] = process.argv.slice(2);
let token = null;
const graph = createGraphQLClient({ origin, publishableKey, userToken: () => token });

const Login = graphql('mutation Login($input: LoginInput!) { login(input: $input) { token user { firstName } } }');
const Near = graphql(`query Near($near: Near!, $after: String) {
  tournaments(first: 20, after: $after, filter: { near: $near, isRegistering: true }, orderBy: [{ field: DISTANCE }]) {
    nodes { id title distance events { nodes { id title isViewerRegistered format { needsPartner } } } }
    pageInfo { hasNextPage endCursor }
  }
}`);
const Price = graphql('query Price($input: QuoteInput!) { quote(input: $input) { total currency { abbreviation } } }');
const RegisterTeam = graphql(
  'mutation Enter($input: RegisterTeamInput!) { registerTeam(input: $input) { event { title teams { totalCount } } } }',
);
const Teams = graphql('query Teams { teams { totalCount } }');

const { login } = await graph.run(Login, { input: { email, password } });
token = login.token;
console.log(`signed in as ${login.user.firstName}`);

const openTournaments = [];
const near = { latitude: 30.2672, longitude: -97.7431, distance: 50 };
for await (const { nodes } of graph.pages(Near, { near }, ({ tournaments }) => tournaments)) openTournaments.push(...nodes);
console.log(`${openTournaments.length} tournaments within 50 km with open registration`);
for (const { title, distance } of openTournaments.slice(0, 3)) console.log(`  ${title}, ${distance.toFixed(1)} km`);

const before = await graph.run(Teams);

/** Registers the player for the first event that does not reject the player. */
async function registerForFirstEvent() {
  for (const { title, events } of openTournaments)
    for (const event of events.nodes) {
      if (event.isViewerRegistered) continue;
      const partner = event.format?.needsPartner ? { partnerEmail: 'partner@example.com' } : {};
      try {
        const entry = { eventId: event.id, ...partner };
        const { quote } = await graph.run(Price, { input: { events: [entry] } });
        const { registerTeam } = await graph.run(RegisterTeam, { input: entry });
        const price = `${quote.total} ${quote.currency?.abbreviation ?? ''}`.trim();
        return `registered for ${registerTeam.event.title} of ${title}, price: ${price}`;
      } catch (error) {
        if (!(error instanceof GraphQLRequestError) || !['CONFLICT', 'BAD_INPUT'].includes(error.code)) throw error;
      }
    }
  return 'the player cannot register for any event';
}
console.log(await registerForFirstEvent());

// Without a consistency token, a query may not see a write for up to two seconds. Therefore, poll until the count changes.
for (let attempt = 0; attempt < 10; attempt += 1) {
  const { teams } = await graph.run(Teams);
  if (teams.totalCount > before.teams.totalCount) break;
  await sleep(500);
}
const after = await graph.run(Teams);
console.log(`teams: ${before.teams.totalCount}, now ${after.teams.totalCount}`);
