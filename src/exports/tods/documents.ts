/** Query for the tournament. */
export const tournamentDocument = `query ($id: ID!) {
  tournament(id: $id) {
    id title detailsUrl startsAt endsAt registrationOpensAt registrationClosesAt phase isCanceled isTest
    createdAt updatedAt clubId utcOffset timeZone { ianaName } tierLevel { title }
    location { venue streetAddress city legacy { state } zip latitude longitude country { abbreviation } }
  }
}`;

/** Returns the query for one page of a tournament's list, oldest items first. */
const listQuery = (list: string, filter: string, fields: string): string =>
  `query ($id: ID!, $after: String) {
    rows: ${list}(filter: ${filter}, orderBy: [{ field: CREATED_AT, direction: ASC }], first: 100, after: $after) {
      nodes { ${fields} }
      pageInfo { hasNextPage endCursor }
    }
  }`;

const tournamentFilter = '{ tournamentId: { eq: $id } }';
const eventTournamentFilter = '{ event: { tournamentId: { eq: $id } } }';
const personFields = 'id firstName lastName nameSuffix gender';

export const eventsDocument: string = listQuery(
  'events',
  tournamentFilter,
  'id title startsAt isCanceled createdAt updatedAt format { abbreviation } playerGroup { title } bracketLevel { title }',
);

export const teamsDocument: string = listQuery(
  'teams',
  tournamentFilter,
  `id eventId playerOneId playerTwoId ranking seed updatedAt playerOne { ${personFields} } playerTwo { ${personFields} }`,
);

export const refereesDocument: string = listQuery(
  'tournamentReferees',
  tournamentFilter,
  `id userId createdAt user { ${personFields} }`,
);

export const standingsDocument: string = listQuery('finalStandings', eventTournamentFilter, 'eventId teamId finalRanking');

/** Query for the entry statuses of the teams. Not every caller may read these statuses. */
export const entriesDocument: string = listQuery('eventRegistrations', eventTournamentFilter, 'teamId status');

/** Public data of a person. */
export interface Person {
  readonly id: string;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly nameSuffix: string | null;
  readonly gender: 'F' | 'M' | null;
}

export interface TournamentData {
  readonly id: string;
  readonly title: string | null;
  readonly detailsUrl: string | null;
  readonly startsAt: string | null;
  readonly endsAt: string | null;
  readonly registrationOpensAt: string | null;
  readonly registrationClosesAt: string | null;
  readonly phase: 'CANCELED' | 'ANNOUNCED' | 'REGISTERING' | 'CLOSED' | 'PLAYING' | 'OVER';
  readonly isTest: boolean;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly clubId: string | null;
  readonly utcOffset: number | null;
  readonly timeZone: { readonly ianaName: string } | null;
  readonly tierLevel: { readonly title: string } | null;
  readonly location: {
    readonly venue: string | null;
    readonly streetAddress: string | null;
    readonly city: string | null;
    readonly legacy: { readonly state: string | null };
    readonly zip: string | null;
    readonly latitude: number | null;
    readonly longitude: number | null;
    readonly country: { readonly abbreviation: string } | null;
  };
}

export interface EventData {
  readonly id: string;
  readonly title: string | null;
  readonly startsAt: string | null;
  readonly isCanceled: boolean;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly format: { readonly abbreviation: string } | null;
  readonly playerGroup: { readonly title: string } | null;
  readonly bracketLevel: { readonly title: string } | null;
}

export interface TeamData {
  readonly id: string;
  readonly eventId: string | null;
  readonly playerOneId: string | null;
  readonly playerTwoId: string | null;
  readonly ranking: number | null;
  readonly seed: number | null;
  readonly updatedAt: string;
  readonly playerOne: Person | null;
  readonly playerTwo: Person | null;
}

export interface Referee {
  readonly id: string;
  readonly userId: string | null;
  readonly createdAt: string;
  readonly user: Person | null;
}

export interface StandingData {
  readonly eventId: string | null;
  readonly teamId: string | null;
  readonly finalRanking: number | null;
}

export interface Entry {
  readonly teamId: string | null;
  readonly status: string | null;
}
