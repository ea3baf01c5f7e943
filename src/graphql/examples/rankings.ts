import type { Example } from './example.js';

export const rankings: Example = {
  title: 'Mixed doubles ranking of the last 52 weeks, with the results that count',
  query: `query Rankings {
  rankings(division: MIXED_DOUBLES, first: 10) {
    totalCount
    nodes {
      rank
      points
      playerName
      tournamentsPlayed
      player { city slug }
      results(first: 3) { nodes { tournamentTitle eventTitle points } }
    }
  }
}`,
};
