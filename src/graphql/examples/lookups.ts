import type { Example } from './example.js';

export const lookups: Example = {
  title: 'All lookups of an entry form in one request',
  query: `query Lookups {
  formats { nodes { id title needsPartner } }
  playerGroups { nodes { id title description } }
  bracketLevels { nodes { id title } }
  countries(first: 3, filter: { title: { startsWith: "United" } }) {
    nodes { title callingCode states(first: 5) { totalCount nodes { title abbreviation } } }
  }
}`,
};
