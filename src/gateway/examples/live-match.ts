import type { Example } from './example.js';

export const liveMatch: Example = {
  title: 'Live: a match as it is played',
  as: 'platform',
  query: `# Execute, and look: as long as this is open, a match is played in the demo season, an event every second and a half.
# Setup, players on court, warm-up, coin toss, scoring, the starts of three games; then it begins anew in the same records.
# With the cursor of an event as a variable, { "after": "…" }, you are first told what came since.
subscription LiveMatch($tournamentId: ID!, $after: String) {
  matches(tournamentId: $tournamentId, after: $after) {
    kind
    at
    changedFields
    prematch {
      matchId
      setupStartedAt
      playersOnCourtAt
      warmupStartedAt
      coinTossedAt
      coinTossTeam { playerOne { lastName } playerTwo { lastName } }
      scoringStartedAt
    }
    pregame { matchId gameNumber servingTeam { playerOne { lastName } playerTwo { lastName } } }
    cursor
  }
}`,
  variables: { tournamentId: 'demo-tournament' },
};
