import type { Example } from './example.js';

export const clubs: Example = {
  title: 'Clubs in Austin with their next three tournaments',
  query: `query Clubs {
  clubs(first: 5, filter: { title: { startsWith: "Austin" } }, orderBy: [{ field: TITLE }]) {
    nodes {
      title
      firstContact { firstName lastName }
      tournaments(first: 3, filter: { isUpcoming: true }, orderBy: [{ field: STARTS_AT }]) {
        totalCount
        nodes { title startsAt phase }
      }
    }
  }
}`,
};
