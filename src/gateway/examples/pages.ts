import type { Example } from './example.js';

export const pages: Example = {
  title: 'Page by page: put the endCursor of an answer into the variable "after" to go on',
  query: `query Pages($after: String) {
  tournaments(first: 3, after: $after, filter: { isUpcoming: true }, orderBy: [{ field: STARTS_AT }]) {
    totalCount
    edges {
      cursor
      node { title startsAt }
    }
    pageInfo { hasNextPage endCursor }
  }
}`,
  variables: { after: null },
};
