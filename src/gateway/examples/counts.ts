import type { Example } from './example.js';

export const counts: Example = {
  title: 'Figures for a dashboard: totals without a single row',
  query: `query Counts {
  tournaments { totalCount }
  playing: tournaments(filter: { isPlaying: true }) { totalCount }
  registering: tournaments(filter: { isRegistering: true }) { totalCount }
  doubles: events(filter: { title: { contains: "Doubles" } }) { totalCount }
  teams { totalCount }
  clubs { totalCount }
}`,
};
