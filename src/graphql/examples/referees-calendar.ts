import type { Example } from './example.js';

export const refereesCalendar: Example = {
  title: 'Referees of a tournament, with their other assignments',
  query: `query RefereesCalendar($id: ID!) {
  tournament(id: $id) {
    title
    referees {
      totalCount
      nodes {
        user {
          firstName
          lastName
          refereeAssignments(first: 5) { totalCount nodes { tournament { title startsAt location { city } } } }
        }
      }
    }
  }
}`,
  variables: { id: 'demo-tournament' },
};
