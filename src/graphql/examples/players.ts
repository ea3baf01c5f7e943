import type { Example } from './example.js';

/** Examples of operations on players and clubs. */
export const playerExamples: readonly Example[] = [
  {
    title: "A player's season: tournaments, partners and results",
    query: `query PlayersSeason($id: ID!) {
  user(id: $id) {
    firstName
    lastName
    teams(first: 20) {
      totalCount
      nodes {
        tournament { title startsAt phase }
        event { title }
        seed
        playerOne { firstName lastName }
        playerTwo { firstName lastName }
        standings { nodes { finalRanking } }
      }
    }
  }
}`,
    variables: { id: 'demo-user' },
  },
  {
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
  },
  {
    title: 'Mixed doubles ranking of the last 52 weeks, with the results that count',
    query: `query Rankings {
  rankings(division: MIXED_DOUBLES, first: 10) {
    totalCount
    nodes {
      rank
      points
      playerName
      tournamentsPlayed
      player { city slug }
      results(first: 3) { nodes { tournamentTitle eventTitle points } }
    }
  }
}`,
  },
  {
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
  },
];

/** Examples of operations for a signed-in player. */
export const viewerExamples: readonly Example[] = [
  {
    title: 'Upcoming games near Austin, with players and capacity',
    caller: 'user',
    query: `query Games($near: Near!, $from: Instant!) {
  games(first: 10, filter: { near: $near, startsAt: { gte: $from } }, orderBy: [{ field: STARTS_AT }]) {
    totalCount
    nodes {
      title
      startsAt
      localStartsAt
      maxPlayers
      playerCount
      location { venue city }
      owner { firstName lastName }
      players(first: 4) { nodes { firstName lastName } }
    }
  }
}`,
    variables: {
      near: { latitude: 30.2672, longitude: -97.7431, distance: 50, unit: 'KILOMETERS' },
      from: new Date().toISOString(),
    },
  },
  {
    title: 'My registrations, teams, games and rank',
    caller: 'user',
    query: `query MyRegistrations {
  viewer {
    firstName
    registrations(first: 10) {
      totalCount
      nodes {
        tournament { title startsAt isViewerRegistered }
        events { nodes { status event { title } team { id } } }
      }
    }
    teams(first: 5) { nodes { event { title } playerOne { lastName } } }
    games(first: 5) { totalCount }
    rankings { rank points tournamentsPlayed }
  }
}`,
  },
  {
    title: 'Create the invoice for my registration (repeating the mutation returns the same invoice)',
    caller: 'user',
    query: `mutation Checkout($input: CheckoutInput!) {
  checkout(input: $input) {
    methods
    request { totalAmount currency { abbreviation } }
    invoice {
      id
      amounts { currency { abbreviation } total }
      items { nodes { type title unitPrice discountCode { code } } }
    }
  }
}`,
    variables: { input: { registrationId: 'demo-registration' } },
  },
];
