// What a player can enter, from a terminal: node examples/enter.js [service] [publishable key] [e-mail address] [password]
// In a project of its own it would import from 'courtside-sdk'; here the package lies where npm run sdk has made it.
import { setTimeout as sleep } from 'node:timers/promises';
import { GraphError, graphClient, graphql } from '../dist/sdk/index.js';

const [
  origin = 'http://localhost:4000',
  publishableKey = 'pk_demo-publishable-key',
  email = 'player@courtside.test',
  password = 'courtside-demo',
] = process.argv.slice(2);
let token = null;
const graph = graphClient({ origin, publishableKey, userToken: () => token });

const Login = graphql('mutation Login($input: LoginInput!) { login(input: $input) { token user { firstName } } }');
const Near = graphql(`query Near($near: Near!, $after: String) {
  tournaments(first: 20, after: $after, filter: { near: $near, isRegistering: true }, orderBy: [{ field: DISTANCE }]) {
    nodes { id title distance events { nodes { id title isViewerRegistered format { needsPartner } } } }
    pageInfo { hasNextPage endCursor }
  }
}`);
const Price = graphql('query Price($input: QuoteInput!) { quote(input: $input) { total currency { abbreviation } } }');
const Enter = graphql(
  'mutation Enter($input: RegisterTeamInput!) { registerTeam(input: $input) { event { title teams { totalCount } } } }',
);
const Teams = graphql('query Teams { teams { totalCount } }');

const { login } = await graph.run(Login, { input: { email, password } });
token = login.token;
console.log(`signed in as ${login.user.firstName}`);

const open = [];
const near = { latitude: 30.2672, longitude: -97.7431, distance: 50 };
for await (const { nodes } of graph.pages(Near, { near }, ({ tournaments }) => tournaments)) open.push(...nodes);
console.log(`${open.length} tournaments within 50 km take registrations`);
for (const { title, distance } of open.slice(0, 3)) console.log(`  ${title}, ${distance.toFixed(1)} km`);

const before = await graph.run(Teams);

/** Enters the first event that takes the player: what refuses them says why. */
async function enter() {
  for (const { title, events } of open)
    for (const event of events.nodes) {
      if (event.isViewerRegistered) continue;
      const partner = event.format?.needsPartner ? { partnerEmail: 'partner@example.com' } : {};
      try {
        const entry = { eventId: event.id, ...partner };
        const { quote } = await graph.run(Price, { input: { events: [entry] } });
        const { registerTeam } = await graph.run(Enter, { input: entry });
        const price = `${quote.total} ${quote.currency?.abbreviation ?? ''}`.trim();
        return `entered ${registerTeam.event.title} of ${title} for ${price}`;
      } catch (error) {
        if (!(error instanceof GraphError) || !['CONFLICT', 'BAD_INPUT'].includes(error.code)) throw error;
      }
    }
  return 'no event took the player';
}
console.log(await enter());

// Other readers see a write after two seconds at the latest: until then one asks again.
for (let tries = 0; tries < 10; tries += 1) {
  const { teams } = await graph.run(Teams);
  if (teams.totalCount > before.teams.totalCount) break;
  await sleep(500);
}
const after = await graph.run(Teams);
console.log(`teams: ${before.teams.totalCount}, now ${after.teams.totalCount}`);
