// Prints the changes of a tournament: node examples/follow.js [origin] [platform token] [tournament ID]
// It imports the SDK from dist/sdk, which `npm run sdk` creates. In your project, import from 'courtside-sdk'.
import { createGraphQLClient, GraphQLRequestError, graphql } from '../dist/sdk/index.js';

const [origin = 'http://localhost:4000', platformToken = 'demo-platform-token', tournamentId = 'demo-tournament'] =
  process.argv.slice(2);
const graph = createGraphQLClient({ origin, platformToken });

const Overview = graphql(`query Overview($id: ID!) {
  liveCursor
  tournament(id: $id) { title teams { totalCount } referees { totalCount } }
}`);
const Matches = graphql(`subscription Matches($tournamentId: ID!, $after: String) {
  matches(tournamentId: $tournamentId, after: $after) {
    kind
    cursor
    changedFields
    prematch { matchId coinTossTeam { playerOne { lastName } } }
    pregame { matchId gameNumber servingTeam { playerOne { lastName } } }
    tournamentReferee { user { lastName } }
  }
}`);

/** Prints an overview, and returns the position in the change log at which it was read. */
async function printOverview() {
  const { liveCursor, tournament } = await graph.run(Overview, { id: tournamentId });
  console.log(`${tournament.title}: ${tournament.teams.totalCount} teams, ${tournament.referees.totalCount} referees`);
  return liveCursor;
}

const nameOf = (team) => team?.playerOne?.lastName ?? 'nobody';

/** Describes an event in one line. */
function describe({ kind, changedFields, prematch, pregame, tournamentReferee }) {
  if (pregame) return `game ${pregame.gameNumber} of ${pregame.matchId}: ${nameOf(pregame.servingTeam)} serves`;
  const isTossed = changedFields.includes('coinTossedAt') && prematch?.coinTossTeam;
  if (isTossed) return `${prematch.matchId}: the coin toss is won by ${nameOf(prematch.coinTossTeam)}`;
  if (prematch) return `${prematch.matchId}: ${changedFields.join(', ') || kind}`;
  return `${kind}: ${tournamentReferee?.user?.lastName ?? 'a deleted record'}`;
}

const interrupted = new AbortController();
process.once('SIGINT', () => interrupted.abort());

const after = await printOverview();
try {
  for await (const { matches } of graph.subscribe(Matches, { tournamentId }, { after, signal: interrupted.signal })) {
    // The SDK reconnects and yields missed events first. If the service has already deleted the missed events, the SDK yields
    // CHANGES_MISSED instead.
    if (matches.kind === 'CHANGES_MISSED') await printOverview();
    else console.log(describe(matches));
  }
} catch (error) {
  if (!(error instanceof GraphQLRequestError)) throw error;
  console.error(`${error.code}: ${error.message}`);
  process.exitCode = 1;
}
