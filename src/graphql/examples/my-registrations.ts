import type { Example } from './example.js';

export const myRegistrations: Example = {
  title: 'My registrations, teams, games and rank',
  caller: 'user',
  query: `query MyRegistrations {
  viewer {
    firstName
    registrations(first: 10) {
      totalCount
      nodes {
        tournament { title startsAt isViewerRegistered }
        events { nodes { status event { title } team { id } } }
      }
    }
    teams(first: 5) { nodes { event { title } playerOne { lastName } } }
    games(first: 5) { totalCount }
    rankings { rank points tournamentsPlayed }
  }
}`,
};
