import type { Example } from './example.js';

/** Examples of lists, lookups and counts. */
export const listExamples: readonly Example[] = [
  {
    title: 'Totals for a dashboard, without any rows',
    query: `query Counts {
  tournaments { totalCount }
  playing: tournaments(filter: { isPlaying: true }) { totalCount }
  registering: tournaments(filter: { isRegistering: true }) { totalCount }
  doubles: events(filter: { title: { contains: "Doubles" } }) { totalCount }
  teams { totalCount }
  clubs { totalCount }
}`,
  },
  {
    title: 'Pagination: to get the next page, set the variable "after" to the endCursor of this page',
    query: `query Pages($after: String) {
  tournaments(first: 3, after: $after, filter: { isUpcoming: true }, orderBy: [{ field: STARTS_AT }]) {
    totalCount
    edges {
      cursor
      node { title startsAt }
    }
    pageInfo { hasNextPage endCursor }
  }
}`,
    variables: { after: null },
  },
  {
    title: 'All lookups of an entry form in one request',
    query: `query Lookups {
  formats { nodes { id title needsPartner } }
  playerGroups { nodes { id title description } }
  bracketLevels { nodes { id title } }
  countries(first: 3, filter: { title: { startsWith: "United" } }) {
    nodes { title callingCode states(first: 5) { totalCount nodes { title abbreviation } } }
  }
}`,
  },
  {
    title: 'Filters across relations: tournaments by the format of their events, and teams by the city of their tournament',
    query: `query RelationFilters($city: String!, $format: String!) {
  tournaments(first: 5, filter: { isUpcoming: true, events: { some: { format: { title: { contains: $format } } } } }) {
    totalCount
    nodes { title startsAt club { title } }
  }
  teams(first: 5, filter: { tournament: { locationCity: { eq: $city } } }) {
    totalCount
    nodes { tournament { title } event { title } playerOne { firstName lastName } }
  }
}`,
    variables: { city: 'Austin', format: 'Doubles' },
  },
];
