import type { Example } from './example.js';

export const pages: Example = {
  title: 'Pagination: to get the next page, set the variable "after" to the endCursor',
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
