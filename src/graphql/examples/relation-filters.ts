import type { Example } from './example.js';

export const relationFilters: Example = {
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
};
