import type { Example } from '../../src/gateway/examples/index.js';

/** Operations that cross modules, for the comparison of the one graph with the supergraph. */
export const nested: readonly Example[] = [
  {
    title: 'tournament, club, tier, teams, players and their countries',
    query:
      '{ tournaments(first: 5) { totalCount nodes { title club { title slug } tierLevel { name } teams(first: 3) { totalCount nodes { playerOne { lastName country { title } state { title } } event { title format { title } } } } } } }',
  },
  {
    title: 'users with what other modules know of them',
    query:
      '{ users(first: 10) { totalCount nodes { firstName lastName teamsAsPlayerOne(first: 2) { nodes { id tournament { title club { title } } } } registrations(first: 2) { nodes { id tournament { title } } } refereeAssignments(first: 2) { totalCount } } } }',
  },
  {
    title: 'a reference that leads nowhere',
    query: '{ teams(first: 20) { nodes { id playerOne { id } tournament { id title } } } }',
  },
  {
    title: 'lists from their ends',
    query:
      '{ tournaments(last: 3) { nodes { title teams(last: 2) { nodes { id playerOne { lastName } } pageInfo { hasPreviousPage startCursor } } } } games(last: 5) { nodes { id players(last: 2) { totalCount nodes { lastName teams(last: 1) { totalCount } } } } } }',
  },
  {
    title: 'results of ranked players',
    query:
      '{ rankings(last: 3, since: "2000-01-01T00:00:00Z") { totalCount nodes { rank results(last: 2) { totalCount nodes { points tournament { title } } } } pageInfo { startCursor } } }',
  },
  {
    title: 'an inner list that is refused',
    query: '{ tournaments(first: 2) { nodes { title teams(first: 101) { totalCount } } } clubs { totalCount } }',
  },
  { title: 'an unknown id', query: '{ team(id: "nobody-has-this-id") { id } user(id: "nobody") { lastName } }' },
  { title: 'a page that is too long', query: '{ tournaments(first: 101) { nodes { id } } }' },
  {
    title: 'a place that is not on earth',
    query: '{ tournaments(filter: { near: { latitude: 91, longitude: 0, distance: 1 } }) { totalCount } }',
  },
];
