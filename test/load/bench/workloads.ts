import type { SentRequest } from './generator.js';

/** Requests that get the same responses from all contenders. */
export interface Workload {
  title: string;
  path: string;
  /**
   * JSON. `$n` is one of 5,000 recurring numbers, and `$m` is unique. `$who` is the name of the contender, so that contenders write
   * different rows. `$turn` is a different number in each turn.
   */
  body?: string;
  /** Further requests, which are sent in turn with the first one. */
  moreRequests?: readonly SentRequest[];
  /** Statement that changes the data every second. */
  write?: string;
  /** Whether the service also runs with its response cache. Other workloads measure how it computes responses. */
  isRepeated?: true;
  /** Requests to the peers for the same rows, keyed by the name of the peer. */
  peers?: Record<string, { path: string; body: string }>;
}

const query = `{ tournaments(first: 20, orderBy: [{ field: STARTS_AT }]) { nodes {
  id title startsAt location { city }
  teams(first: 10, orderBy: [{ field: ID }]) { nodes { id ranking seed playerOne { id firstName lastName } playerTwo { id firstName lastName } } }
  referees(orderBy: [{ field: ID }]) { nodes { id user { id firstName lastName } } }
} } }`;

/** The same request in the schemas of Mercurius (`plain`) and PostGraphile (`planned`). */
const plain = `{ tournaments(first: 20) {
  id title startsAt location { city }
  teams(first: 10) { id ranking seed playerOne { id firstName lastName } playerTwo { id firstName lastName } }
  referees { id user { id firstName lastName } }
} }`;
const person = '{ rowId firstName lastName }';
const planned = `{ allTournaments(first: 20, orderBy: [STARTS_AT_ASC]) { nodes {
  rowId title startsAt locationCity
  teams(first: 10, orderBy: [ROW_ID_ASC]) { nodes { rowId ranking seed playerOne ${person} playerTwo ${person} } }
  referees(orderBy: [ROW_ID_ASC]) { nodes { rowId user ${person} } }
} } }`;

const entry = {
  tournament_attendee_event_uuid: 'entry-$who-$n',
  tournament_attendee_header_uuid: 'registration-$n',
  event_uuid: 'event-1',
  event_team_uuid: 'm00001',
  user_uuid: 'u00001',
  date_created: '2026-01-01T00:00:00Z',
  created_by_full_name: 'Ana Lopez',
  date_updated: '2026-01-02T00:00:00Z',
  updated_by_full_name: 'Ana Lopez',
  status: 1,
  update_location: 'Checkout',
  player_group_id: 2,
  format_id: 3,
  original_event_uuid: 'event-2',
  tournament_partner_attendee_event_uuid: 'entry-x',
  partner_user_uuid: 'u00002',
};

/** 100 different reads: 80 tournaments, 10 pages of tournaments and 10 nested queries. */
const reads: readonly SentRequest[] = [
  ...Array.from({ length: 80 }, (_, index) => ({
    path: `/v1/data/tourney_flat_data?tournament_uuid=t${String(index + 1).padStart(5, '0')}`,
  })),
  ...Array.from({ length: 10 }, (_, index) => ({ path: `/v1/data/tourney_flat_data?page_size=${index + 41}` })),
  ...Array.from({ length: 10 }, (_, index) => ({
    path: '/graphql',
    body: JSON.stringify({ query: `query Page${index} ${query}` }),
  })),
];

export const workloads: Record<string, Workload> = {
  single: { title: 'one tournament', path: '/v1/data/tourney_flat_data?tournament_uuid=t00007' },
  list: { title: '50 tournaments', path: '/v1/data/tourney_flat_data?page_size=50' },
  lookup: { title: 'a lookup: the states of one country', path: '/v1/data/lookup_states?country_id=840' },
  upsert: {
    title: 'an upsert of an attendee event record, as it is',
    path: '/v1/tournament_attendee_event_records/upsert',
    body: JSON.stringify({ payload: entry }),
  },
  change: {
    title: 'an upsert that changes it',
    path: '/v1/tournament_attendee_event_records/upsert',
    body: JSON.stringify({ payload: { ...entry, update_location: 'Desk $turn-$m' } }),
  },
  nested: {
    title: 'nested GraphQL: 20 tournaments, 10 teams each with 2 players, referees with users',
    path: '/graphql',
    body: JSON.stringify({ query }),
    peers: {
      mercurius: { path: '/graphql', body: JSON.stringify({ query: plain }) },
      postgraphile: { path: '/graphql', body: JSON.stringify({ query: planned }) },
    },
  },
  repeat: {
    title: '100 different reads of `/v1` and `/graphql`, with a write to one of their tournaments every second',
    path: '/v1/data/tourney_flat_data?tournament_uuid=t00100',
    moreRequests: reads.slice(1),
    write: `update tournament set details_url = 'https://example.com/' || clock_timestamp() where id = 't00002'`,
    isRepeated: true,
  },
};
