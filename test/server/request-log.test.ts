import { Client } from 'pg';
import { pino } from 'pino';
import { afterAll, expect, test } from 'vitest';
import { databaseErrorCounts } from '../../src/kernel/database-errors.js';
import { freePort } from '../../src/process/port.js';
import { createRequestLines } from '../../src/server/lifecycle/log.js';
import { OpenResources } from '../../src/server/lifecycle/open-resources.js';
import { StartupServer } from '../../src/server/lifecycle/startup-server.js';
import { requestLog } from '../../src/server/request-log.js';
import { subscribe } from '../support/clients/event-stream.js';
import { exchange, handshake, openSocket } from '../support/clients/websocket.js';
import { newKey } from '../support/fixtures/publishable-keys.js';
import { type Answer, routerHeaders, startApp } from '../support/servers/app.js';

const output: string[] = [];
const app = await startApp(
  {
    LOG_REQUESTS: 'on',
    RATE_LIMITS: 'account.passwords=2/1h',
    STREAMS_PER_CALLER: '1',
    SUBGRAPHS: 'leagues',
  },
  undefined,
  null,
  true,
  output,
);
const user = await app.person();
const { key } = await newKey(app);
afterAll(() => app.close());

type Line = Record<string, unknown>;

const linesOf = (requestId: string | null): Line[] =>
  output.map((line): Line => JSON.parse(line)).filter((line) => String(line.requestId) === requestId);

/** Returns the log lines about the request with the given response. Waits for the line that is written after the response. */
async function linesAbout({ headers }: Pick<Answer, 'headers'>): Promise<Line[]> {
  const requestId = headers.get('x-request-id');
  await expect.poll(() => linesOf(requestId).some(({ msg }) => String(msg).startsWith('request'))).toBe(true);
  return linesOf(requestId).map(({ time: _, requestId: __, ...fields }) => fields);
}

const anyDuration = expect.any(Number);
const platform = { caller: 'platform', platformId: 'test-platform', platform: 'Test Platform' };

test('a request to /v1 has a log line with its route, status and caller, but not its path', async () => {
  const route = '/v1/data/leagues/{uuid}';
  const line = { level: 30, method: 'GET', route, duration: anyDuration, msg: 'request' };
  const lines = async (...parameters: Parameters<typeof app.rest>) => linesAbout(await app.rest(...parameters));
  const path = '/v1/data/leagues/one?secret=2';
  expect({
    platform: await lines('GET', path, app.platform),
    both: await lines('GET', path, { ...app.platform, user: user.user }),
    key: await lines('GET', path, { platform: key }),
    user: await lines('GET', path, { user: user.user }),
    anonymous: await lines('GET', path),
    rejected: await lines('GET', path, { platform: 'an unknown token' }),
    unknownPath: await lines('GET', '/v1/nothing/secret'),
  }).toEqual({
    platform: [{ ...line, status: 404, ...platform }],
    both: [{ ...line, status: 404, ...platform, caller: 'platform for user' }],
    key: [{ ...line, status: 404, caller: 'key', platformId: 'test-platform' }],
    user: [{ ...line, status: 404, caller: 'user' }],
    anonymous: [{ ...line, status: 401, caller: 'anonymous' }],
    rejected: [{ ...line, status: 401, caller: 'rejected' }],
    unknownPath: [{ ...line, route: 'other', status: 404 }],
  });
});

test('a GraphQL request has a log line with the type and name of its operation', async () => {
  const post = async (query: string, path = '/graphql', headers = {}) =>
    linesAbout(await app.rest('POST', path, app.platform, { query }, headers));
  const line = { level: 30, method: 'POST', route: '/graphql', status: 200, duration: anyDuration, msg: 'request', ...platform };
  expect({
    query: await post('query Roles { roles { totalCount } }'),
    mutation: await post('mutation { upsertTournament(input: { id: "cup", title: "Cup" }) { id } }'),
    invalid: await post('{ nothing }'),
    subgraph: await post('query Leagues { leagues { totalCount } }', '/subgraphs/leagues', routerHeaders),
  }).toEqual({
    query: [{ ...line, operation: 'query', operationName: 'Roles' }],
    mutation: [{ ...line, operation: 'mutation' }],
    invalid: [{ ...line, status: 400 }],
    subgraph: [{ ...line, route: '/subgraphs/leagues', operation: 'query', operationName: 'Leagues' }],
  });
});

test('a refused GraphQL request has a log line with its caller and the name of its operation', async () => {
  const post = async (body: object, path = '/graphql', headers = {}) =>
    linesAbout(await app.rest('POST', path, app.platform, body, headers));
  const named = { query: 'query BadName { nope }', operationName: 'BadName' };
  const line = { level: 30, method: 'POST', route: '/graphql', status: 400, duration: anyDuration, msg: 'request', ...platform };
  const namedLine = { ...line, operationName: 'BadName' };
  expect({
    unknownField: await post(named),
    nameInDocument: await post({ query: '  mutation BadName { nope }' }),
    syntaxError: await post({ ...named, query: 'query BadName {' }),
    invalidName: await post({ ...named, operationName: 'ann@example.com' }),
    anonymous: await post({ query: '{ nope }' }),
    unknownOperation: await post({ query: 'query Roles { roles { totalCount } }', operationName: 'BadName' }),
    get: await linesAbout(await app.rest('GET', '/graphql?operationName=BadName&query={nope}', app.platform)),
    subgraph: await post(named, '/subgraphs/leagues', routerHeaders),
  }).toEqual({
    unknownField: [namedLine],
    nameInDocument: [namedLine],
    syntaxError: [namedLine],
    invalidName: [line],
    anonymous: [line],
    unknownOperation: [namedLine],
    get: [{ ...namedLine, method: 'GET' }],
    subgraph: [{ ...namedLine, route: '/subgraphs/leagues' }],
  });
});

test('a request during the start has a log line with the reason', async () => {
  const lines: Line[] = [];
  const log = pino({ base: null, timestamp: false }, { write: (line) => void lines.push(JSON.parse(line)) });
  const resources = new OpenResources();
  const port = await freePort();
  const server = new StartupServer({ host: '127.0.0.1', port }, resources, requestLog(log, true));
  await server.setReason('migrating: 0001-extensions');
  const statusOf = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).status;
  const statuses = [await statusOf('/v1/data/teams'), await statusOf('/readyz')];
  await resources.close();
  expect({ statuses, lines }).toMatchObject({
    statuses: [503, 503],
    lines: [{ msg: 'request unavailable', status: 503, reason: 'starting', cause: 'migrating: 0001-extensions' }],
  });
});

test('an export has a log line with its route pattern', async () => {
  const answer = await app.rest('GET', '/tournaments/secret.ics', app.platform);
  expect(await linesAbout(answer)).toMatchObject([{ route: '/tournaments/:id.ics', status: 404 }]);
});

test('health probes have no log line', async () => {
  const { headers } = await app.rest('GET', '/readyz');
  await app.rest('GET', '/v1/data/lookup_formats', app.platform).then(linesAbout);
  expect(linesOf(headers.get('x-request-id'))).toEqual([]);
});

test('a sign-in that fails or is refused by a limit has a log line with the reason, without the address', async () => {
  const signIn = (email: string) =>
    app.rest('POST', '/graphql', app.platform, {
      query: 'mutation ($email: String!) { login(input: { email: $email, password: "wrong" }) { token } }',
      variables: { email },
    });
  const reports = async (answer: Answer) => (await linesAbout(answer)).filter(({ msg }) => msg !== 'request');
  const email = 'nobody@example.com';
  const platformId = 'test-platform';
  const failure = { level: 30, platformId, msg: 'sign-in failed' };
  expect({
    first: await reports(await signIn(email)),
    second: await reports(await signIn(email)),
    third: await reports(await signIn(email)),
    address: output.filter((line) => line.includes('nobody')),
  }).toEqual({
    first: [{ ...failure, reason: 'INVALID_CREDENTIALS' }],
    second: [{ ...failure, reason: 'INVALID_CREDENTIALS' }],
    third: [
      { level: 30, limit: 'account.passwords', platformId, msg: 'request refused by a limit' },
      { ...failure, reason: 'RATE_LIMITED' },
    ],
    address: [],
  });
});

test('an unexpected database error has a log line with the cause, the code and the route', async () => {
  await app.sql.rows(`create function reject_league() returns trigger language plpgsql as
    $$ begin raise 'rejected' using errcode = new.title; end $$`);
  await app.sql.rows('create trigger rejecting before insert on league for each row execute function reject_league()');
  const upsert = (title: string, path = '/graphql', headers = {}) => {
    const query = `mutation { upsertLeague(input: { id: "one", title: "${title}" }) { id } }`;
    return app.rest('POST', path, app.platform, { query }, headers);
  };
  const errorOf = async (answer: Answer) => (await linesAbout(answer)).filter(({ msg }) => msg === 'unexpected error');
  const errors = {
    damaged: await errorOf(await upsert('XX001')),
    internal: await errorOf(await upsert('XX000')),
    denied: await errorOf(await upsert('42501')),
    subgraph: await errorOf(await upsert('XX001', '/subgraphs/leagues', routerHeaders)),
    legacy: await errorOf(
      await app.rest('POST', '/v1/leagues', app.platform, { payload: { leagueId: 'one', leagueTitle: 'XX001' } }),
    ),
  };
  await app.sql.rows('drop trigger rejecting on league');
  await app.sql.rows('alter table league rename to hidden');
  const missing = await errorOf(await app.rest('GET', '/exports/leagues.csv', app.platform));
  await app.sql.rows('alter table hidden rename to league');
  const line = { level: 50, route: '/graphql', msg: 'unexpected error', err: { message: 'rejected' } };
  expect({ ...errors, missing }).toMatchObject({
    damaged: [{ ...line, cause: 'internal error', code: 'XX001' }],
    internal: [{ ...line, cause: 'internal error', code: 'XX000' }],
    denied: [{ ...line, cause: 'missing privilege', code: '42501' }],
    subgraph: [{ ...line, cause: 'internal error', code: 'XX001', route: '/subgraphs/leagues' }],
    legacy: [{ ...line, cause: 'internal error', code: 'XX001', route: '/v1/leagues' }],
    missing: [{ level: 50, cause: 'invalid statement', code: '42P01', route: '/exports/:list.csv', msg: 'unexpected error' }],
  });
});

test('a refused subscription has one log line with the reason, over each transport', async () => {
  const query = 'subscription Changes { changes { kind } }';
  const open = await subscribe(app, app.platform, query);
  const headers = { 'PB-API-TOKEN': app.platform.platform };
  const post = (accept: string) =>
    fetch(`${app.origin}/graphql`, {
      method: 'POST',
      headers: { ...headers, accept, 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    });
  const socket = await openSocket(app, headers);
  const subscriptions = (count: number) =>
    Array.from({ length: count }, (_, id) => ({ id: String(id), type: 'subscribe', payload: { query } }));
  const socketLines = () =>
    output
      .map((line): Line => JSON.parse(line))
      .filter(({ reason, method }) => reason === 'subscriptions' && method !== 'POST')
      .map(({ time: _, ...fields }) => fields);
  socket.send({ type: 'connection_init' });
  await socket.until(1);
  socket.send(...subscriptions(1));
  await socket.until(2);
  await exchange(app, handshake());
  const [operation, upgrade] = socketLines();
  socket.send(...subscriptions(150));
  await socket.until(152);
  const tooMany = socketLines().find(({ cause }) => cause === 'operations per socket');
  const line = {
    level: 40,
    requestId: expect.any(Number),
    route: '/graphql',
    reason: 'subscriptions',
    cause: 'STREAMS_PER_CALLER',
    msg: 'request unavailable',
  };
  const operationLine = { ...line, ...platform, operation: 'subscription', operationName: 'Changes' };
  const { requestId: _, ...httpLine } = { ...operationLine, method: 'POST', status: 200, duration: anyDuration };
  expect({
    operation,
    upgrade,
    tooMany,
    eventStream: await linesAbout(await post('text/event-stream')),
    json: await linesAbout(await post('multipart/mixed, application/json')),
  }).toEqual({
    operation: operationLine,
    upgrade: { ...line, method: 'GET', status: 503 },
    tooMany: { ...line, cause: 'operations per socket' },
    eventStream: [httpLine],
    json: [httpLine],
  });
  open.close();
});

/** Runs work while another client locks a table. */
async function whileLocked<T>(work: () => Promise<T>, table = 'league'): Promise<T> {
  const client = new Client({ connectionString: app.databaseUrl });
  await client.connect();
  await client.query(`begin; lock table ${table}`);
  return work().finally(() => client.end());
}

/** Sets a short lock timeout for new connections, and closes the current connections. */
async function shortenLockTimeout(): Promise<void> {
  const client = new Client({ connectionString: app.databaseUrl });
  await client.connect();
  await client.query(`alter database ${client.database} set lock_timeout = '200ms'`);
  await client.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );
  await client.end();
}

const countOf = (counts: { entries: readonly (readonly [string, number])[] }, name: string): number =>
  new Map(counts.entries).get(name) ?? 0;

test('a request that fails because of the database has a log line with the cause, even if its status is 200', async () => {
  await shortenLockTimeout();
  const before = countOf(databaseErrorCounts, 'lock timeout');
  const answers = await whileLocked(() =>
    Promise.all([
      app.rest('GET', '/v1/data/leagues/one', app.platform),
      app.rest('POST', '/graphql', app.platform, { query: '{ a: leagues { totalCount } b: leagues { totalCount } }' }),
      app.rest('GET', '/exports/leagues.csv', app.platform),
    ]),
  );
  const unavailable = { level: 40, msg: 'request unavailable', reason: 'database', cause: 'lock timeout', code: '55P03' };
  expect(await Promise.all(answers.map(linesAbout))).toMatchObject([
    [{ ...unavailable, route: '/v1/data/leagues/{uuid}', status: 503 }],
    [{ ...unavailable, route: '/graphql', status: 200 }],
    [{ ...unavailable, route: '/exports/:list.csv', status: 503 }],
  ]);
  expect(countOf(databaseErrorCounts, 'lock timeout')).toBeGreaterThan(before + 2);
});

test('a GraphQL request that is unavailable before its operation runs has a log line with the name of the operation', async () => {
  await shortenLockTimeout();
  const body = { query: 'query Leagues { leagues { totalCount } }' };
  const answers = await whileLocked(
    () =>
      Promise.all([
        app.rest('POST', '/graphql', { platform: 'an unknown token' }, body),
        app.rest('POST', '/subgraphs/leagues', { platform: 'another unknown token' }, body, routerHeaders),
      ]),
    'platform',
  );
  const line = { msg: 'request unavailable', status: 503, cause: 'lock timeout', operationName: 'Leagues' };
  expect(await Promise.all(answers.map(linesAbout))).toMatchObject([[line], [line]]);
});

test('the logs of request lines share one listener for the exit of the process', () => {
  createRequestLines('silent');
  const count = process.listenerCount('exit');
  for (let log = 0; log < 3; log++) createRequestLines('silent');
  expect(process.listenerCount('exit')).toBe(count);
});
