import type { Example } from '../../../src/graphql/examples/index.js';

/** Operations that span several modules, for comparing the graph with the supergraph. */
export const nested: readonly Example[] = [
  {
    title: 'tournament, club, tier, teams, players and their countries',
    query:
      '{ tournaments(first: 5) { totalCount nodes { title club { title slug } tierLevel { title } teams(first: 3) { totalCount nodes { playerOne { lastName country { title } state { title } } event { title format { title } } } } } } }',
  },
  {
    title: 'countries and states of places',
    query:
      '{ clubs(first: 5) { nodes { title location { city country { id title } state { id title } } } } leagues(first: 5) { nodes { location { country { id } } } } games(first: 5) { nodes { location { country { id } } } } }',
  },
  {
    title: 'users with fields of other modules',
    query:
      '{ users(first: 10) { totalCount nodes { firstName lastName teamsAsPlayerOne(first: 2) { nodes { id tournament { title club { title } } } } registrations(first: 2) { nodes { id tournament { title } } } refereeAssignments(first: 2) { totalCount } } } }',
  },
  {
    title: 'a reference to a missing record',
    query: '{ teams(first: 20) { nodes { id playerOne { id } tournament { id title } } } }',
  },
  {
    title: 'last pages of lists',
    query:
      '{ tournaments(last: 3) { nodes { title teams(last: 2) { nodes { id playerOne { lastName } } pageInfo { hasPreviousPage startCursor } } } } games(last: 5) { nodes { id players(last: 2) { totalCount nodes { lastName teams(last: 1) { totalCount } } } } } }',
  },
  {
    title: 'results of ranked players',
    query:
      '{ rankings(last: 3, since: "2000-01-01T00:00:00Z") { totalCount nodes { rank results(last: 2) { totalCount nodes { points tournament { title } } } } pageInfo { startCursor } } }',
  },
  {
    title: 'an invalid page size of a nested list',
    query: '{ tournaments(first: 2) { nodes { title teams(first: 101) { totalCount } } } clubs { totalCount } }',
  },
  { title: 'an unknown ID', query: '{ team(id: "nobody-has-this-id") { id } user(id: "nobody") { lastName } }' },
  { title: 'a page size above the limit', query: '{ tournaments(first: 101) { nodes { id } } }' },
  {
    title: 'an invalid latitude',
    query: '{ tournaments(filter: { near: { latitude: 91, longitude: 0, distance: 1 } }) { totalCount } }',
  },
  {
    title: 'records of several modules by node ID',
    query:
      '{ tournaments(first: 2) { nodes { nodeId ... on Node { nodeId } } } node(id: "Rm9ybWF0OjE") { __typename nodeId ... on Format { title } } nodes(ids: ["Q291bnRyeTox", "VGVhbTpnb25l", "UGxheWVyR3JvdXA6MQ"]) { nodeId ... on Country { title } ... on PlayerGroup { title } } }',
  },
  { title: 'an invalid node ID', query: '{ node(id: "x") { nodeId } }' },
  {
    title: 'subjects of approvals',
    query:
      '{ approvals(first: 10) { nodes { item { __typename id approval { id state } ... on Sponsor { title user { lastName } } } } } }',
  },
  {
    title: 'subjects of favorites and notifications',
    query:
      '{ favorites(first: 20) { nodes { subject { __typename ... on Tournament { title club { title } } ... on League { title } } } } notifications(first: 20) { nodes { subject { ... on Tournament { title } ... on UserImage { url } } } } }',
  },
  {
    title: 'a search over several modules',
    query:
      '{ search(text: "autsin open", first: 5) { totalCount pageInfo { hasNextPage endCursor } edges { cursor node { __typename ... on Tournament { title club { title } } ... on League { title } ... on User { lastName } ... on NewsItem { title } } } } }',
  },
  { title: 'a search with an empty text', query: '{ search(text: " ") { totalCount } }' },
  {
    title: 'pending approvals with the permissions of the caller',
    query:
      '{ pendingApprovals(first: 5) { totalCount nodes { __typename id viewerCan { approve delete } ... on UserImage { user { lastName rankings { rank } } } } } sponsors(first: 3) { nodes { viewerCan { update approve } } } }',
  },
  {
    title: 'viewer fields of tournaments and games',
    query:
      '{ tournaments(first: 3) { nodes { isViewerRegistered viewerTeams { id } events(first: 2) { nodes { isViewerRegistered viewerTeam { id } } } viewerCan { update } } } games(first: 3) { nodes { isViewerPlaying isViewerInvited viewerCan { update delete } } } }',
  },
];
