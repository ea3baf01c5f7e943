import type { Call } from './traffic.js';

/** Tokens of the callers. */
export interface Tokens {
  readonly platform: string;
  readonly user: string;
  readonly router: string;
}

const password = 'correct horse battery staple';

/** Number of tournaments and users that writes cycle through, so that the data does not grow. */
const round = 500;

/** Returns the mix of requests that platforms, frontends, routers and users send to the service at an origin. */
export function callsAt(origin: string, { platform, user, router }: Tokens): readonly Call[] {
  const json = { 'content-type': 'application/json' };
  const platformHeaders = { 'PB-API-TOKEN': platform, ...json };
  const send = (path: string, body?: object, headers: Record<string, string> = platformHeaders, method = body ? 'POST' : 'GET') =>
    fetch(origin + path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
  const get = (kind: string, weight: number, path: (number: number) => string): Call => ({
    kind,
    weight,
    send: (number) => send(path(number)),
  });
  const graphql = (
    kind: string,
    weight: number,
    body: (number: number) => object,
    headers?: (number: number) => object,
  ): Call => ({
    kind,
    weight,
    send: (number) => send('/graphql', body(number), { ...platformHeaders, ...headers?.(number) }),
  });
  const admin = { 'PB-USER-TOKEN': user };
  const cities = ['Austin', 'Miami', 'Madrid', 'Berlin', 'Tokyo'];
  return [
    get('/v1', 12, (n) => `/v1/data/tourney_flat_data?page_size=10&page=${1 + (n % 5)}`),
    get('/v1', 10, (n) => `/v1/data/tourney_flat_data?tournament_uuid=soak-${n % round}`),
    get('/v1', 10, (n) => `/v1/data/lookup_states?country_id=${[840, 724, 276][n % 3]}`),
    get('/v1', 8, (n) => `/v1/data/teams?page_size=10&page=${1 + (n % 5)}`),
    {
      kind: '/v1 writes',
      weight: 8,
      send: (n) =>
        send('/v1/tournaments/tourney_flat_data', { payload: { TournamentID: `soak-${n % round}`, Title: `Soak ${n}` } }),
    },
    graphql('GraphQL', 14, (n) => ({
      query: `query ($city: String) { tournaments(first: 10, filter: { title: { contains: $city } }) { nodes { id title startsAt
        teams(first: 5) { nodes { id playerOne { id firstName } playerTwo { id firstName } } } } } }`,
      variables: { city: cities[n % cities.length] },
    })),
    graphql('GraphQL', 6, (n) => ({ query: `{ tournament(id: "soak-${n % round}") { id title version # ${n % 2_000}\n } }` })),
    graphql(
      'GraphQL writes',
      6,
      (n) => ({ query: `mutation { upsertTournament(input: { id: "soak-${n % round}", title: "Round ${n}" }) { id version } }` }),
      (n) => ({ 'idempotency-key': `soak-${n}` }),
    ),
    graphql(
      'GraphQL',
      4,
      () => ({ query: '{ viewer { id email } }' }),
      () => admin,
    ),
    {
      kind: 'subgraphs',
      weight: 10,
      send: (n) =>
        send(
          '/subgraphs/tournaments',
          {
            query: 'query ($of: [_Any!]!) { _entities(representations: $of) { ... on Tournament { title startsAt } } }',
            variables: {
              of: Array.from({ length: 5 }, (_, index) => ({ __typename: 'Tournament', id: `soak-${(n + index) % round}` })),
            },
          },
          { ...platformHeaders, 'router-secret': router },
        ),
    },
    {
      kind: 'sign-on',
      weight: 2,
      send: (n) => send('/v1/sso/login', { payload: { email: `soak-${n % 20}@players.test`, password } }),
    },
    { kind: 'sign-on', weight: 6, send: () => send('/v1/sso/validate_token', undefined, { ...platformHeaders, ...admin }) },
    graphql('deliveries', 1, (n) => ({
      query: `mutation { register(input: { email: "new-${n}@players.test", password: "${password}" }) { isMailSent } }`,
    })),
    get('health', 3, () => '/readyz'),
  ];
}

/** Returns SQL statements that insert the rows that the requests need. */
export const rowsOfCalls = (hash: string): readonly string[] => [
  `insert into tournament (id, title) select 'soak-' || n, 'Soak ' || n from generate_series(0, ${round - 1}) n`,
  `insert into app_user (id, email, first_name, last_name, verified_at, password_hash, role_ids)
     select 'soak-' || n, 'soak-' || n || '@players.test', 'Soak', 'User ' || n, now(), '${hash}', '{}' from generate_series(0, 19) n`,
];

export const passwordOfCalls = password;
