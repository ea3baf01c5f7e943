import type { Example } from './example.js';

export const liveChanges: Example = {
  title: 'Live: all changes of selected record types, to keep a copy up to date',
  caller: 'platform',
  query: `# Execute it to receive the changes of a simulated match, the same as in the example "Live: events of a running match".
# Without $records, you receive the changes of all records that the platform may read. Change one in another window to see it here.
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
};
