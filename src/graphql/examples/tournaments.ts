import type { Example } from './example.js';

const from = new Date();
const until = new Date(from.getTime() + 30 * 86_400_000);
const dayOf = (date: Date) => date.toISOString().slice(0, 10);

export const nearAustin: Example = {
  title: 'Tournaments with open registration within 50 km of Austin in the next 30 days, nearest first',
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

export const tournamentExamples: readonly Example[] = [
  nearAustin,
  {
    title: 'A tournament with its events, teams, players and referees',
    query: `query WholeTournament($id: ID!) {
  tournament(id: $id) {
    title
    phase
    code
    location { venue streetAddress city state { abbreviation } }
    club { title }
    events(orderBy: [{ field: STARTS_AT }]) {
      nodes {
        title
        startsAt
        teams(orderBy: [{ field: SEED }]) {
          totalCount
          nodes {
            seed
            rating
            playerOne { firstName lastName city }
            playerTwo { firstName lastName city }
          }
        }
      }
    }
    referees { nodes { user { firstName lastName } } }
  }
}`,
    variables: { id: 'demo-tournament' },
  },
  {
    title: 'Search with a typo (exact matches come first)',
    query: `query Misspelled($words: String!) {
  tournaments(first: 5, filter: { search: $words }) {
    totalCount
    nodes { title location { city } startsAt }
  }
}`,
    variables: { words: 'autsin open' },
  },
  {
    title: 'Standings of the most recently finished tournament, grouped by event',
    query: `query Standings {
  tournaments(first: 1, filter: { isPast: true, isCanceled: false }, orderBy: [{ field: ENDS_AT, direction: DESC }]) {
    nodes {
      title
      endsAt
      events {
        nodes {
          title
          standings(first: 3, orderBy: [{ field: FINAL_RANKING }]) {
            nodes {
              finalRanking
              team { rating playerOne { firstName lastName } playerTwo { firstName lastName } }
            }
          }
        }
      }
    }
  }
}`,
  },
  {
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
  },
  {
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
  },
  {
    title: 'Matches of a tournament, with teams, court and referees',
    query: `query Matches($tournamentId: ID!) {
  matches(tournamentId: $tournamentId, first: 5) {
    totalCount
    nodes {
      id
      event { title }
      court
      scoringStartedAt
      gamesStarted
      teams(first: 2) { nodes { playerOne { lastName } playerTwo { lastName } } }
      referees(first: 2) { nodes { lastName } }
    }
  }
}`,
    variables: { tournamentId: 'demo-tournament' },
  },
];
