import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DatabaseProxy, startDatabaseProxy } from '../support/servers/database-proxy.js';
import { type Service, startService } from '../support/servers/service-process.js';
import { type Database, freshDatabase } from '../support/servers/test-database.js';

const token = 'platform-of-the-stuck-database';
/**
 * Size of the connection pool: three connections blocked by a locked table, two for background work after the start, and one for another
 * table.
 */
const poolSize = 6;
/** Maximum time until a response, in milliseconds: the limits below plus a reserve for slow machines. */
const maxElapsed = 4_000;

let database: Database;
let proxy: DatabaseProxy;
let variables: Record<string, string>;
let service: Service;
let admin: Client;
/** Number of connections of the service while its pool is full. */
let connectionCount: number;
beforeAll(async () => {
  database = await freshDatabase();
  proxy = await startDatabaseProxy(database.url);
  admin = new Client({ connectionString: database.url, application_name: 'the test' });
  await admin.connect();
  variables = {
    DATABASE_URL: proxy.url,
    BOOTSTRAP_PLATFORM_TOKEN: token,
    LOG_LEVEL: 'silent',
    DATABASE_POOL: String(poolSize),
    DATABASE_STATEMENT_TIMEOUT: '1',
    DATABASE_LOCK_TIMEOUT: '1',
    DATABASE_WAIT_TIMEOUT: '1',
    ANSWER_TIMEOUT: '3',
  };
  service = await startService(variables);
  await Promise.all([graphqlRead(), graphqlWrite(), lookup(), otherTable()]);
  await fillPool();
  connectionCount = (await backends()).length;
});
afterAll(async () => {
  service.signal('SIGKILL');
  await service.exit;
  await admin.end();
  proxy.stop();
  await database.drop();
});

interface Outcome {
  status: number;
  code: unknown;
  /** The `Retry-After` header, in seconds. */
  retryAfter: number;
  /** Time until the response, in milliseconds. */
  elapsed: number;
}

async function send(
  path: string,
  method = 'GET',
  body?: object,
  headers?: Record<string, string>,
  origin = service.origin,
): Promise<Outcome> {
  const sentAt = performance.now();
  const response = await fetch(origin + path, {
    method,
    headers: { 'PB-API-TOKEN': token, 'content-type': 'application/json', ...headers },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const { errors, Code } = await response.json();
  const retryAfter = Number(response.headers.get('retry-after'));
  return { status: response.status, code: errors?.[0].extensions.code ?? Code, retryAfter, elapsed: performance.now() - sentAt };
}

const graphql = (query: string) => () => send('/graphql', 'POST', { query });
const graphqlRead = graphql('{ tournaments(first: 1) { nodes { id } } }');
const graphqlWrite = graphql('mutation { createTournament(input: { title: "Open" }) { id } }');
const lookup = () => send('/v1/data/lookup_states');
const otherTable = () => send('/v1/data/teams?page_size=1');
const fillPool = () => Promise.all(Array.from({ length: 6 * poolSize }, otherTable));
const legacyRead = () => send('/v1/data/tourney_flat_data?page_size=1');
const legacyWrite = () => send('/v1/tournaments/tourney_flat_data', 'POST', { payload: { Title: 'Open' } });

/** Expected outcome without a working database. The status of an executed GraphQL operation is still 200. */
const unavailable = { code: expect.toBeOneOf(['UNAVAILABLE', 503]), retryAfter: expect.toSatisfy((seconds) => seconds > 0) };
const inTime = { elapsed: expect.toSatisfy((elapsed) => elapsed < maxElapsed) };

const recovered = () => expect.poll(async () => (await graphqlRead()).code).toBeUndefined();

test('requests that need a locked table fail in time, and requests for other tables stay fast', async () => {
  await admin.query('begin; lock table tournament in access exclusive mode');
  const blocked = Promise.all([graphqlRead(), graphqlWrite(), legacyRead()]);
  expect(await otherTable()).toMatchObject({ status: 200, elapsed: expect.toSatisfy((elapsed) => elapsed < 900) });
  const [blockedRead, blockedWrite, blockedLegacyRead] = await blocked;
  expect({ blockedRead, blockedWrite, blockedLegacyRead }).toMatchObject({
    blockedRead: { ...unavailable, ...inTime },
    blockedWrite: { ...unavailable, ...inTime },
    blockedLegacyRead: { ...unavailable, ...inTime, status: 503 },
  });
  // There are more requests than connections in the pool. Requests that get no connection fail.
  const responses = await Promise.all(Array.from({ length: 6 * poolSize }, legacyRead));
  expect(responses).toEqual(responses.map(() => expect.objectContaining({ ...unavailable, ...inTime, status: 503 })));
  expect(await legacyWrite()).toMatchObject({ ...unavailable, ...inTime, status: 503 });
  await admin.query('rollback');
  await recovered();
});

test('an unavailable write can be repeated with its idempotency key once the database has recovered', async () => {
  const body = { query: 'mutation { createTournament(input: { title: "Sent again" }) { id } }' };
  const sendWith = (key: string) => send('/graphql', 'POST', body, { 'idempotency-key': key });
  // The service can neither claim the first key nor release the second key.
  await admin.query('begin; lock table idempotent_response in access exclusive mode');
  const unclaimed = await sendWith('not-claimed');
  await admin.query('rollback; begin; lock table tournament in access exclusive mode');
  const pending = sendWith('not-released');
  const claimedKeys = async () => (await admin.query('select from idempotent_response')).rowCount;
  await expect.poll(claimedKeys).toBeGreaterThan(0);
  await admin.query('lock table idempotent_response in access exclusive mode');
  expect({ unclaimed, unreleased: await pending }).toMatchObject({ unclaimed: unavailable, unreleased: unavailable });
  await admin.query('rollback');
  await recovered();
  for (const key of ['not-claimed', 'not-released']) await expect.poll(async () => (await sendWith(key)).code).toBeUndefined();
  const { rows } = await admin.query("select count(*)::int as count from tournament where title = 'Sent again'");
  expect(rows).toEqual([{ count: 2 }]);
});

const backends = async (): Promise<number[]> =>
  (
    await admin.query(
      `select pid from pg_stat_activity where datname = current_database() and application_name not in ('the test', 'courtside messaging')`,
    )
  ).rows.map(({ pid }) => pid);

test('requests to a database that hangs fail in time, and succeed after it resumes', async () => {
  await Promise.all([graphqlRead(), graphqlRead(), legacyRead(), otherTable()]);
  const stopped = await backends();
  expect(stopped.length).toBeGreaterThan(1);
  for (const pid of stopped) process.kill(pid, 'SIGSTOP');
  try {
    const outcomes = await Promise.all([
      graphqlRead(),
      graphqlWrite(),
      legacyRead(),
      legacyWrite(),
      ...Array.from({ length: poolSize }, otherTable),
    ]);
    expect(outcomes).toEqual(outcomes.map(() => expect.objectContaining(inTime)));
    const failures = outcomes.filter(({ status }) => status === 503);
    expect(failures.length).toBeGreaterThan(0);
    expect(failures).toEqual(failures.map(() => expect.objectContaining(unavailable)));
  } finally {
    for (const pid of stopped) process.kill(pid, 'SIGCONT');
  }
  await recovered();
});

test('requests over a dead network fail in time, on existing and on new connections', async () => {
  proxy.disconnect();
  const requests = [graphqlRead, legacyRead, legacyWrite, graphqlWrite];
  const onExisting = await Promise.all(requests.flatMap((request) => [request(), request()]));
  const onNew = await Promise.all(requests.map((request) => request()));
  const failures = [...onExisting, ...onNew];
  expect(failures).toEqual(failures.map(() => expect.objectContaining({ ...unavailable, ...inTime })));
  expect(onNew.map(({ status }) => status)).toEqual([503, 503, 503, 503]);
  proxy.reconnect();
  await recovered();
});

test('a process survives when requests from web pages time out during the origin check', async () => {
  // The responses are sent before the database fails.
  const { origin, signal, exit } = await startService({ ...variables, ANSWER_TIMEOUT: '1' });
  const headers = { 'PB-API-TOKEN': 'pk_unknown', 'PB-USER-TOKEN': 'unknown', origin: 'https://site.test' };
  const requests = [
    () => send('/graphql', 'POST', { query: '{ viewer { id } }' }, headers, origin),
    () => send('/v1/data/teams', 'GET', undefined, headers, origin),
  ];
  proxy.disconnect();
  const outcomes: Outcome[] = [];
  // The checks of the first requests fail while later requests are sent.
  for (let round = 0; round < 4; round++) outcomes.push(...(await Promise.all(requests.map((request) => request()))));
  proxy.reconnect();
  expect(outcomes).toEqual(outcomes.map(() => expect.objectContaining({ ...unavailable, ...inTime, status: 503 })));
  signal('SIGTERM');
  expect(await exit).toBe(0);
  await recovered();
});

test('the failures leak no connection and no open transaction', async () => {
  await fillPool();
  await admin.query('begin; lock table tournament in access exclusive mode');
  const reads = Promise.all(Array.from({ length: 6 * poolSize }, legacyRead));
  const blocked = `select from pg_locks where relation = 'tournament'::regclass and not granted`;
  // If a failed request did not return its connection to the pool, fewer requests could wait for the lock, and this check would fail.
  await expect.poll(async () => (await admin.query(blocked)).rowCount).toBe(poolSize);
  await admin.query('rollback');
  await reads;
  await expect.poll(async () => (await backends()).length).toBeLessThanOrEqual(connectionCount);
  const { rows } = await admin.query(
    "select 1 from pg_stat_activity where datname = current_database() and state like '%transaction%'",
  );
  expect(rows).toEqual([]);
});
