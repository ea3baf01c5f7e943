import { clubCount, tournamentCount } from './dataset.js';
import type { SentRequest } from './generator.js';

/** Requests that get the same responses from all contenders. */
export interface Workload {
  title: string;
  /**
   * Different requests, which are sent in turn. In a body, which is JSON, `$n` is one of 5,000 recurring numbers, and `$m` is unique. `$who`
   * is the name of the contender, so that contenders write different rows. `$turn` is a different number in each turn.
   */
  requests: readonly SentRequest[];
  /** Statement that changes the data every second. */
  write?: string;
  /** Whether the service also runs with its response cache. Other workloads measure how it computes responses. */
  isRepeated?: true;
  /** Requests to the peers for the same rows, keyed by the name of the peer. */
  peers?: Record<string, readonly SentRequest[]>;
}

const padded = (number: number) => String(number).padStart(5, '0');
const repeated = <T>(count: number, create: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => create(index));

/** Documents for a page of the tournaments of a club, with their teams and referees. The variables are `club`, `offset` and `teams`. */
const nested = {
  Courtside: `query ($club: ID!, $offset: Int!, $teams: Int!) {
    tournaments(first: 20, offset: $offset, filter: { clubId: { eq: $club } }, orderBy: [{ field: STARTS_AT }]) { nodes {
      id title startsAt location { city }
      teams(first: $teams, orderBy: [{ field: ID }]) { nodes {
        id ranking seed playerOne { id firstName lastName } playerTwo { id firstName lastName }
      } }
      referees(orderBy: [{ field: ID }]) { nodes { id user { id firstName lastName } } }
    } }
  }`,
  mercurius: `query ($club: ID!, $offset: Int!, $teams: Int!) { tournaments(first: 20, offset: $offset, club: $club) {
    id title startsAt location { city }
    teams(first: $teams) { id ranking seed playerOne { id firstName lastName } playerTwo { id firstName lastName } }
    referees { id user { id firstName lastName } }
  } }`,
  postgraphile: `query ($club: String!, $offset: Int!, $teams: Int!) {
    allTournaments(first: 20, offset: $offset, condition: { clubId: $club }, orderBy: [STARTS_AT_ASC]) { nodes {
      rowId title startsAt locationCity
      teams(first: $teams, orderBy: [ROW_ID_ASC]) { nodes {
        rowId ranking seed playerOne { rowId firstName lastName } playerTwo { rowId firstName lastName }
      } }
      referees(orderBy: [ROW_ID_ASC]) { nodes { rowId user { rowId firstName lastName } } }
    } }
  }`,
};

/** Returns 5,000 different requests: for each club, 25 pages with 9 or 10 teams per tournament. */
const nestedRequests = (server: keyof typeof nested): SentRequest[] =>
  repeated(5_000, (index) => {
    const club = `c${padded(1 + (index % clubCount))}`;
    const variables = { club, offset: Math.floor(index / clubCount) % 25, teams: index < 2_500 ? 9 : 10 };
    return { path: '/graphql', body: JSON.stringify({ query: nested[server].replaceAll(/\s+/g, ' '), variables }) };
  });

const single = repeated(tournamentCount, (index) => ({
  path: `/v1/data/tourney_flat_data?tournament_uuid=t${padded(1 + index)}`,
}));

/** Pairs of clubs, without repetitions. Each club has 50 tournaments. */
const pairs = repeated(clubCount, (first) =>
  repeated(clubCount - 1 - first, (index) => [first, first + 1 + index].map((club) => `c${padded(1 + club)}`)),
).flat();

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
const upsertOf = (changes: Partial<typeof entry> = {}): SentRequest => ({
  path: '/v1/tournament_attendee_event_records/upsert',
  body: JSON.stringify({ payload: { ...entry, ...changes } }),
});
const change = upsertOf({ update_location: 'Desk $turn-$m' });
const insert = upsertOf({ tournament_attendee_event_uuid: 'new-$who-$turn-$m' });

type Name = 'single' | 'list' | 'lookup' | 'search' | 'upsert' | 'change' | 'mixed' | 'nested' | 'repeat';

export const workloads: Record<Name, Workload> = {
  single: { title: 'one of 5,000 tournaments', requests: single },
  list: {
    title: '50 of the 100 tournaments of two clubs, 4,950 pairs of clubs',
    requests: pairs.map(([one, other]) => ({ path: `/v1/data/tourney_flat_data?page_size=50&club_id=${one},${other}` })),
  },
  lookup: {
    title: 'a lookup: the states of one of 223 countries',
    requests: repeated(223, (index) => ({ path: `/v1/data/lookup_states?country_id=${4 * (index + 1)}` })),
  },
  search: {
    title: 'search for 5,000 titles',
    requests: repeated(tournamentCount, (index) => ({
      path: `/v1/data/tourney_flat_data?page_size=25&search_name=title%20${1 + index}`,
    })),
  },
  upsert: { title: 'an upsert of an attendee event record, unchanged', requests: [upsertOf()] },
  change: { title: 'an upsert that changes the attendee event record', requests: [change] },
  mixed: {
    title: '80% reads of a tournament, 15% upserts that change a row, 5% new rows',
    requests: single
      .slice(0, 4_000)
      .flatMap((read, index) => [read, ...(index % 16 === 3 ? [insert] : (index % 16) % 5 === 4 ? [change] : [])]),
  },
  nested: {
    title: 'nested GraphQL: 20 tournaments of a club, 9 or 10 teams each with 2 players, referees with users',
    requests: nestedRequests('Courtside'),
    peers: { mercurius: nestedRequests('mercurius'), postgraphile: nestedRequests('postgraphile') },
  },
  repeat: {
    title: '100 different reads of `/v1` and `/graphql`, with a write to one of their tournaments every second',
    requests: [
      ...single.slice(0, 80),
      ...pairs.slice(0, 10).map(([one, other]) => ({ path: `/v1/data/tourney_flat_data?page_size=50&club_id=${one},${other}` })),
      ...nestedRequests('Courtside').slice(0, 10),
    ],
    write: `update tournament set details_url = 'https://example.com/' || clock_timestamp() where id = 't00002'`,
    isRepeated: true,
  },
};
