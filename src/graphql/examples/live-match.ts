import type { Example } from './example.js';

export const liveMatch: Example = {
  title: 'Live: events of a running match',
  caller: 'platform',
  query: `# Execute it to start a simulated match with an event every 1.5 seconds. The match stops when you close the subscription.
# Events: setup, players on court, warm-up, coin toss, scoring, and the start of three games. Then the match starts again.
# To resume, pass the cursor of the last event: { "after": "…" }. You first receive the events since then.
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
