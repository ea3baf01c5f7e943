import type { Example } from './example.js';

const from = new Date();

export const games: Example = {
  title: 'Upcoming games near Austin, with players and capacity',
  caller: 'user',
  query: `query Games($near: Near!, $from: Instant!) {
  games(first: 10, filter: { near: $near, startsAt: { gte: $from } }, orderBy: [{ field: STARTS_AT }]) {
    totalCount
    nodes {
      title
      startsAt
      localStartsAt
      maxPlayers
      playerCount
      location { venue city }
      owner { firstName lastName }
      players(first: 4) { nodes { firstName lastName } }
    }
  }
}`,
  variables: {
    near: { latitude: 30.2672, longitude: -97.7431, distance: 50, unit: 'KILOMETERS' },
    from: from.toISOString(),
  },
};
