import type { Example } from './example.js';

export const matches: Example = {
  title: 'Matches of a tournament, with teams, court and referees',
  query: `query Matches($tournamentId: ID!) {
  matches(tournamentId: $tournamentId, first: 5) {
    totalCount
    nodes {
      id
      event { title }
      court
      scoringStartedAt
      gamesStarted
      teams(first: 2) { nodes { playerOne { lastName } playerTwo { lastName } } }
      referees(first: 2) { nodes { lastName } }
    }
  }
}`,
  variables: { tournamentId: 'demo-tournament' },
};
