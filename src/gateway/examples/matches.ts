import type { Example } from './example.js';

export const matches: Example = {
  title: 'The matches of a tournament that referees have recorded, with teams, court and referees',
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
      prematch { coinTossTeamId }
      pregames(first: 3) { nodes { gameNumber servingTeamId } }
    }
  }
}`,
  variables: { tournamentId: 'demo-tournament' },
};
