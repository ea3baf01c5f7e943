import type { Example } from './example.js';

export const subscriptionExamples: readonly Example[] = [
  {
    title: 'Live: events of a running match',
    caller: 'platform',
    query: `# Execute this subscription to start a simulated match with an event every 1.5 seconds. The match stops when you close the subscription.
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
  },
  {
    title: 'Live: all changes to selected record types, to keep a copy up to date',
    caller: 'platform',
    query: `# Execute this subscription to receive the changes to a simulated match, the same as in the example "Live: events of a running match".
# Without $records, you receive the changes to all records that the platform may read. Change a record in another window to see the change here.
subscription LiveChanges($records: [String!], $after: String) {
  changes(records: $records, after: $after) {
    record
    id
    kind
    at
    changedFields
    platform { title }
    user { firstName lastName }
    node {
      ... on Prematch { coinTossTeam { id } scoringStartedAt }
      ... on Pregame { gameNumber servingTeam { id } }
    }
    cursor
  }
}`,
    variables: { records: ['Prematch', 'Pregame'] },
  },
];
