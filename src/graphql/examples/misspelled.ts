import type { Example } from './example.js';

export const misspelled: Example = {
  title: 'Search with a typo (exact matches come first)',
  query: `query Misspelled($words: String!) {
  tournaments(first: 5, filter: { search: $words }) {
    totalCount
    nodes { title location { city } startsAt }
  }
}`,
  variables: { words: 'autsin open' },
};
