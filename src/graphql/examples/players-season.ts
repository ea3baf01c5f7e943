import type { Example } from './example.js';

export const playersSeason: Example = {
  title: "A player's season: tournaments, partners and results",
  query: `query PlayersSeason($id: ID!) {
  user(id: $id) {
    firstName
    lastName
    teams(first: 20) {
      totalCount
      nodes {
        tournament { title startsAt phase }
        event { title }
        seed
        playerOne { firstName lastName }
        playerTwo { firstName lastName }
        standings { nodes { finalRanking } }
      }
    }
  }
}`,
  variables: { id: 'demo-user' },
};
