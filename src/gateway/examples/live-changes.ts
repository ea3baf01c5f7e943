import type { Example } from './example.js';

export const liveChanges: Example = {
  title: 'Live: every change of some kinds of records, for platforms that keep a copy',
  as: 'platform',
  query: `# Execute, and look: the same match as in the tab before, told as changes of records of any kind.
# Leave out $records and you are told of whatever the platform may read: then change something in another window.
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
