import type { Example } from './example.js';

const from = new Date();
const until = new Date(from.getTime() + 30 * 86_400_000);
const dayOf = (date: Date) => date.toISOString().slice(0, 10);

export const nearAustin: Example = {
  title: 'Tournaments within 50 km of Austin in the next 30 days with open registration, nearest first',
  query: `query NearAustin($near: Near!, $days: TournamentDaysFilter!) {
  tournaments(first: 10, filter: { near: $near, days: $days, isRegistering: true }) {
    totalCount
    nodes {
      title
      kilometers: distance
      startsAt
      registrationClosesAt
      location { venue city }
      registrationFee
      currency { abbreviation }
    }
  }
}`,
  variables: {
    near: { latitude: 30.2672, longitude: -97.7431, distance: 50, unit: 'KILOMETERS' },
    days: { gte: dayOf(from), lte: dayOf(until) },
  },
};
