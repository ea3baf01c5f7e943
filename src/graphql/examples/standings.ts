import type { Example } from './example.js';

export const standings: Example = {
  title: 'Standings of the most recently finished tournament, by event',
  query: `query Standings {
  tournaments(first: 1, filter: { isPast: true, isCanceled: false }, orderBy: [{ field: ENDS_AT, direction: DESC }]) {
    nodes {
      title
      endsAt
      events {
        nodes {
          title
          standings(first: 3, orderBy: [{ field: FINAL_RANKING }]) {
            nodes {
              finalRanking
              team { rating playerOne { firstName lastName } playerTwo { firstName lastName } }
            }
          }
        }
      }
    }
  }
}`,
};
