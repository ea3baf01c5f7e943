import type { Example } from './example.js';

export const counts: Example = {
  title: 'Totals for a dashboard, without any rows',
  query: `query Counts {
  tournaments { totalCount }
  playing: tournaments(filter: { isPlaying: true }) { totalCount }
  registering: tournaments(filter: { isRegistering: true }) { totalCount }
  doubles: events(filter: { title: { contains: "Doubles" } }) { totalCount }
  teams { totalCount }
  clubs { totalCount }
}`,
};
