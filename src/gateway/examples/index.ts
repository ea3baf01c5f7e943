/** A question that GraphiQL opens with: a tab that returns rows on the demo data. */
export interface Example {
  title: string;
  query: string;
  variables?: Record<string, unknown>;
}

export const examples: readonly Example[] = [
  {
    title: 'Open tournaments near Austin',
    query: `# Tournaments within 50 km of Austin in the next 30 days with open registration, nearest first
query NearAustin {
  tournaments(
    first: 10
    filter: { near: { latitude: 30.2672, longitude: -97.7431, distance: 50 }, isRegistering: true }
  ) {
    totalCount
    nodes {
      title
      startsAt
      location { venue city }
      registrationFee
      currency
    }
  }
}
`,
  },
];
