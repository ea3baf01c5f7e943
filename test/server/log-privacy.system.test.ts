import { once } from 'node:events';
import { connect } from 'node:net';
import { createClient } from 'graphql-ws';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { type Service, startService } from '../support/servers/service-process.js';
import { type Database, freshDatabase } from '../support/servers/test-database.js';

/** Part of every secret that this test sends. */
const marker = 'Qx7secret';
const email = `${marker}@example.com`;
const platformToken = `${marker}-token-of-the-platform`;
const routerSecret = `${marker}-of-the-routers`;

let database: Database;
let service: Service;
beforeAll(async () => {
  database = await freshDatabase();
  const client = new Client({ connectionString: database.url });
  await client.connect();
  // Writes of these records fail with errors that contain the row, or with an error that the service does not expect.
  await client.query(
    `alter table tournament add constraint rejected check (title not like '%${marker}%'); drop table club cascade`,
  );
  await client.end();
  service = await startService({
    NODE_ENV: 'production',
    DATABASE_URL: database.url,
    LOG_LEVEL: 'trace',
    BOOTSTRAP_PLATFORM_TOKEN: platformToken,
    BOOTSTRAP_ADMIN_EMAIL: `admin-${email}`,
    BOOTSTRAP_ADMIN_PASSWORD: `${marker} is a long password 4711`,
    ROUTER_SECRET: routerSecret,
    WEBHOOK_KEY: `${marker}-key-of-the-webhooks`,
    SUBGRAPHS: 'leagues',
  });
}, 60_000);
afterAll(async () => {
  service.signal('SIGKILL');
  await service.exit;
  await database.drop();
});

type Headers = Record<string, string>;

const platform: Headers = { 'PB-API-TOKEN': platformToken };

async function send(method: string, path: string, headers: Headers = platform, body?: string): Promise<number> {
  const response = await fetch(service.origin + path, {
    method,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body }),
  });
  await response.text();
  return response.status;
}

const post = (path: string, body: object | string, headers: Headers = platform) =>
  send('POST', path, headers, typeof body === 'string' ? body : JSON.stringify(body));
const graphql = (query: string, variables: object = {}, headers: Headers = platform) =>
  post('/graphql', { query, variables, operationName: undefined }, headers);

/** Sends a text that is not a valid HTTP request. */
async function sendMalformed(text: string): Promise<void> {
  const socket = connect(Number(new URL(service.origin).port), '127.0.0.1');
  socket.end(text);
  socket.resume();
  await once(socket, 'close');
}

async function subscribeBySocket(token: string): Promise<void> {
  const client = createClient({
    url: `${service.origin.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    retryAttempts: 0,
    connectionParams: { 'PB-API-TOKEN': token },
  });
  const query = `subscription { tournament(id: "${marker}") { id } }`;
  await new Promise<void>((resolve) => {
    client.subscribe({ query }, { next: () => resolve(), error: () => resolve(), complete: () => resolve() });
  });
  await client.dispose();
}

const loginQuery =
  'mutation ($email: String!, $password: String!) { login(input: { email: $email, password: $password }) { token } }';

test('the output contains no token, password, address or other value of a request or of the configuration', async () => {
  const paths = [
    `/v1/data/user-email-lookup/${email}`,
    `/v1/sso/validate_url/${marker}`,
    `/v1/data/teams?search_name=${marker}&token=${marker}`,
    `/v1/${marker}/${email}`,
    `/${marker}?token=${marker}`,
    `/verify?token=${marker}`,
    `/reset?token=${marker}`,
    `/users/${marker}/games.ics?token=${marker}`,
    `/tournaments/${marker}.ics?key=${marker}`,
    `/exports/${marker}.csv?fields=${marker}`,
    `/graphql?query=${encodeURIComponent(`{ user(id: "${marker}") { id } }`)}&variables=${marker}`,
    `/%E0%A4${marker}`,
  ];
  const headers: Headers[] = [
    { 'PB-API-TOKEN': marker },
    { 'PB-API-TOKEN': `pk_${marker}` },
    { ...platform, 'PB-USER-TOKEN': marker },
    { Authorization: `Bearer ${marker}` },
    { Authorization: marker },
    { ...platform, cookie: `session=${marker}`, 'x-client-name': marker, 'user-agent': marker },
    { ...platform, 'x-forwarded-for': marker, 'x-request-id': marker, traceparent: marker, 'idempotency-key': marker },
    { ...platform, origin: `https://${marker}.example`, referer: `https://${marker}.example`, 'consistency-token': marker },
  ];
  const credentials = { email, password: marker };
  const payload = { payload: { email, password: marker, firstName: marker, lastName: marker, phone: marker } };
  await Promise.all([
    ...paths.map((path) => send('GET', path)),
    ...headers.flatMap((some) => [
      send('GET', '/v1/data/teams', some),
      graphql('{ roles { totalCount } }', {}, some),
      post('/subgraphs/leagues', { query: '{ leagues { totalCount } }' }, { ...some, 'router-secret': routerSecret }),
      post('/subgraphs/leagues', { query: '{ leagues { totalCount } }' }, { ...some, 'router-secret': marker }),
    ]),
    post('/v1/sso/login', { payload: credentials }),
    post('/v1/pub/register_users', payload),
    post('/v1/pub/request_forgot_password', payload),
    post('/v1/teams/upsert', `{"payload": {"uuid": ${marker}`),
    graphql(loginQuery, credentials),
    graphql(`mutation { login(input: { email: "${email}", password: "${marker}" }) { token } }`),
    graphql(`query Named { user(id: "${marker}", nothing: "${marker}") { ${marker} } }`),
    graphql('query ($id: ID!) { user(id: $id) { id } }', { id: { nested: marker } }),
    graphql('query ($first: Int) { teams(first: $first) { totalCount } }', { first: marker }),
    graphql(`{ ${marker} "`),
    post('/graphql', `{"query": "${marker}`),
    post('/subgraphs/leagues', { query: `{ league(id: "${marker}", ${marker}: 1) { id } }` }, { 'router-secret': routerSecret }),
    sendMalformed(`GET /${marker} HTTP/9.9\r\nAuthorization: ${marker}\r\n\r\n`),
    sendMalformed(`${marker}\r\n\r\n`),
    subscribeBySocket(marker),
    subscribeBySocket(platformToken),
  ]);
  const internalErrors = [
    await graphql(`mutation { upsertTournament(input: { id: "cup", title: "${marker}" }) { id } }`),
    await post('/v1/tournaments/tourney_flat_data', { payload: { uuid: 'cup', Title: marker } }),
    await graphql('mutation ($title: String!) { upsertClub(input: { id: "club", title: $title }) { id } }', { title: marker }),
  ];
  service.signal('SIGTERM');
  await service.exit;
  const lines = service.output().split('\n');
  expect({
    leaks: lines.filter((line) => line.toLowerCase().includes(marker.toLowerCase())),
    internalErrors,
    unexpectedErrors: lines.filter((line) => line.includes('"unexpected error"')).length,
    messages: ['"request"', '"sign-in failed"', '"started"', '"shutdown finished"'].filter(
      (message) => !lines.some((line) => line.includes(`"level":30`) && line.includes(`"msg":${message}`)),
    ),
  }).toEqual({ leaks: [], internalErrors: [200, 500, 200], unexpectedErrors: 3, messages: [] });
});
