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
  { title: 'an unknown id', query: '{ team(id: "nobody-has-this-id") { id } user(id: "nobody") { lastName } }' },
  { title: 'a page that is too long', query: '{ tournaments(first: 101) { nodes { id } } }' },
  {
    title: 'a place that is not on earth',
    query: '{ tournaments(filter: { near: { latitude: 91, longitude: 0, distance: 1 } }) { totalCount } }',
  },
];
