import type { Example } from './example.js';

export const wholeTournament: Example = {
  title: 'A tournament with its events, teams, their players and its referees',
  query: `query WholeTournament($id: ID!) {
  tournament(id: $id) {
    title
    phase
    code
    location { venue streetAddress city state { abbreviation } }
    club { title }
    events(orderBy: [{ field: STARTS_AT }]) {
      nodes {
        title
        startsAt
        teams(orderBy: [{ field: SEED }]) {
          totalCount
          nodes {
            seed
            rating
            playerOne { firstName lastName city }
            playerTwo { firstName lastName city }
          }
        }
      }
    }
    referees { nodes { user { firstName lastName } } }
  }
}`,
  variables: { id: 'demo-tournament' },
};
