import type { Example } from './example.js';

export const professional: Example = {
  title: 'Upcoming tournaments of the professional tours, with their sanctioning',
  query: `query Professional {
  tournaments(
    first: 5
    filter: { sanctionedBy: { hasAny: [PPA, APP, MLP] }, isUpcoming: true, hasPrizeMoney: true }
    orderBy: [{ field: STARTS_AT }]
  ) {
    totalCount
    nodes {
      title
      startsAt
      tierLevel { title }
      sanctions { body isSanctioned levelTitle }
      approvals { status governingBody { shortName url } }
    }
  }
}`,
};
