import type { Example } from './example.js';

export const pendingApprovals: Example = {
  title: 'Pending approvals of all types, oldest first, and whether I may approve them',
  caller: 'admin',
  query: `query PendingApprovals {
  pendingApprovals(first: 10) {
    totalCount
    nodes {
      __typename
      id
      approval { state required }
      viewerCan { approve }
      ... on Sponsor { title users(first: 1) { nodes { lastName } } }
      ... on SponsorImage { url size }
      ... on UserImage { url type user { firstName lastName } }
      ... on Biography { text user { firstName lastName } }
    }
  }
}`,
};
