// A tournament as it is played, in a terminal: node examples/follow.js [service] [platform token] [id of the tournament]
// In a project of its own it would import from 'courtside-sdk'; here the package lies where npm run sdk has made it.
import { GraphError, graphClient, graphql } from '../dist/sdk/index.js';

const [origin = 'http://localhost:4000', platformToken = 'demo-platform-token', tournamentId = 'demo-tournament'] =
  process.argv.slice(2);
const graph = graphClient({ origin, platformToken });

const Shown = graphql(`query Shown($id: ID!) {
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

/** Reads what is shown, and where the log of changes was before: what comes behind that place is told. */
async function read() {
  const { liveCursor, tournament } = await graph.run(Shown, { id: tournamentId });
  console.log(`${tournament.title}: ${tournament.teams.totalCount} teams, ${tournament.referees.totalCount} referees`);
  return liveCursor;
}

const nameOf = (team) => team?.playerOne?.lastName ?? 'nobody';

/** An event in words. */
function wordsOf({ kind, changedFields, prematch, pregame, tournamentReferee }) {
  if (pregame) return `game ${pregame.gameNumber} of ${pregame.matchId}: ${nameOf(pregame.servingTeam)} serves`;
  const isTossed = changedFields.includes('coinTossedAt') && prematch?.coinTossTeam;
  if (isTossed) return `${prematch.matchId}: the coin toss is won by ${nameOf(prematch.coinTossTeam)}`;
  if (prematch) return `${prematch.matchId}: ${changedFields.join(', ') || kind}`;
  return `${kind}: ${tournamentReferee?.user?.lastName ?? 'what is gone'}`;
}

const ended = new AbortController();
process.once('SIGINT', () => ended.abort());

const after = await read();
try {
  for await (const { matches } of graph.subscribe(Matches, { tournamentId }, { after, signal: ended.signal })) {
    // Breaks and restarts of the service are not seen here: what was missed comes first. Only who was away for days reads anew.
    if (matches.kind === 'CHANGES_MISSED') await read();
    else console.log(wordsOf(matches));
  }
} catch (error) {
  if (!(error instanceof GraphError)) throw error;
  console.error(`${error.code}: ${error.message}`);
  process.exitCode = 1;
}
