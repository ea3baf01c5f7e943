import type { Example } from './example.js';

export const misspelled: Example = {
  title: 'A search that forgives a misspelling: exact hits come first, near ones behind',
  query: `query Misspelled($words: String!) {
  tournaments(first: 5, filter: { search: $words }) {
    totalCount
    nodes { title location { city } startsAt }
  }
}`,
  variables: { words: 'autsin open' },
};
