import type { Example } from './example.js';

export const playingNow: Example = {
  title: 'Tournaments in progress, with the number of players',
  query: `query PlayingNow {
  tournaments(first: 5, filter: { isPlaying: true }, orderBy: [{ field: REGISTRATION_COUNT, direction: DESC }]) {
    totalCount
    nodes {
      title
      timeZone { ianaName abbreviation }
      utcOffset
      location { city country { title } }
      players { totalCount }
      events { totalCount }
    }
  }
}`,
};
