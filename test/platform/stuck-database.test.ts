import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, freshDatabase } from '../support/database.js';
import { type Line, startLine } from '../support/line.js';
import { type Service, startService } from '../support/service.js';

const token = 'platform-of-the-stuck-database';
/** Three that a locked table holds, two that what a start leaves for later needs, and one for those who ask elsewhere. */
const pool = 6;
/** Most milliseconds until an answer, by the variables below, and as much again where the machine is slow. */
const longest = 4_000;

let database: Database;
let line: Line;
let service: Service;
let other: Client;
beforeAll(async () => {
  database = await freshDatabase();
  line = await startLine(database.url);
  other = new Client({ connectionString: database.url, application_name: 'the test' });
  await other.connect();
  service = await startService({
    DATABASE_URL: line.url,
    BOOTSTRAP_PLATFORM_TOKEN: token,
    LOG_LEVEL: 'silent',
    DATABASE_POOL: String(pool),
    DATABASE_STATEMENT_TIMEOUT: '1',
    DATABASE_LOCK_TIMEOUT: '1',
    DATABASE_WAIT_TIMEOUT: '1',
    ANSWER_TIMEOUT: '3',
  });
  await Promise.all([reads, writes, lookup, elsewhere].map((ask) => ask()));
});
afterAll(async () => {
  service.signal('SIGKILL');
  await service.ended;
  await other.end();
  line.stop();
  await database.drop();
});

interface Told {
  status: number;
  code: unknown;
  /** Seconds, of the header. */
  retryAfter: number;
  /** How long it took, in milliseconds. */
  took: number;
}

async function ask(path: string, method = 'GET', body?: object, headers?: Record<string, string>): Promise<Told> {
  const since = performance.now();
  const response = await fetch(service.origin + path, {
    method,
    headers: { 'PB-API-TOKEN': token, 'content-type': 'application/json', ...headers },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const { errors, Code } = await response.json();
  const retryAfter = Number(response.headers.get('retry-after'));
  return { status: response.status, code: errors?.[0].extensions.code ?? Code, retryAfter, took: performance.now() - since };
}

const graphql = (query: string) => () => ask('/graphql', 'POST', { query });
const reads = graphql('{ tournaments(first: 1) { nodes { id } } }');
const writes = graphql('mutation { createTournament(input: { title: "Open" }) { id } }');
const lookup = () => ask('/v1/data/lookup_states');
const elsewhere = () => ask('/v1/data/teams?page_size=1');
const legacyReads = () => ask('/v1/data/tourney_flat_data?page_size=1');
const legacyWrites = () => ask('/v1/tournaments/tourney_flat_data', 'POST', { payload: { Title: 'Open' } });

/** What is to come of a request to a database that does not answer: in GraphQL, what was executed is a 200. */
const unavailable = { code: expect.toBeOneOf(['UNAVAILABLE', 503]), retryAfter: expect.toSatisfy((seconds) => seconds > 0) };
const inTime = { took: expect.toSatisfy((took) => took < longest) };

const isUp = () => expect.poll(async () => (await reads()).code).toBeUndefined();

test('a locked table keeps nobody waiting, and other tables are read as ever', async () => {
  await other.query('begin; lock table tournament in access exclusive mode');
  const held = Promise.all([reads(), writes(), legacyReads()]);
  expect(await elsewhere()).toMatchObject({ status: 200, took: expect.toSatisfy((took) => took < 900) });
  expect(await held).toMatchObject([
    { ...unavailable, ...inTime },
    { ...unavailable, ...inTime },
    { ...unavailable, ...inTime, status: 503 },
  ]);
  // More than there are connections: who gets none is told so.
  const many = await Promise.all(Array.from({ length: 6 * pool }, legacyReads));
  expect(many).toEqual(many.map(() => expect.objectContaining({ ...unavailable, ...inTime, status: 503 })));
  expect(await legacyWrites()).toMatchObject({ ...unavailable, ...inTime, status: 503 });
  await other.query('rollback');
  await isUp();
});

test('a write that was unavailable can be sent again with its key as soon as the database is there', async () => {
  const body = { query: 'mutation { createTournament(input: { title: "Sent again" }) { id } }' };
  const sent = (key: string) => ask('/graphql', 'POST', body, { 'idempotency-key': key });
  // Where the key could not be taken, and where it could not be given back.
  await other.query('begin; lock table first_answer in access exclusive mode');
  const first = await sent('not-taken');
  await other.query('rollback; begin; lock table tournament in access exclusive mode');
  const held = sent('not-given-back');
  const isTaken = async () => (await other.query('select from first_answer')).rowCount;
  await expect.poll(isTaken).toBeGreaterThan(0);
  await other.query('lock table first_answer in access exclusive mode');
  expect([first, await held]).toMatchObject([unavailable, unavailable]);
  await other.query('rollback');
  await isUp();
  for (const key of ['not-taken', 'not-given-back']) await expect.poll(async () => (await sent(key)).code).toBeUndefined();
  const { rows } = await other.query("select count(*)::int as count from tournament where title = 'Sent again'");
  expect(rows).toEqual([{ count: 2 }]);
});

const backends = async (): Promise<number[]> =>
  (
    await other.query(
      `select pid from pg_stat_activity where datname = current_database() and application_name not in ('the test', 'courtside messaging')`,
    )
  ).rows.map(({ pid }) => pid);

test('a database that stands still keeps nobody waiting, and goes on where it stood', async () => {
  await Promise.all([reads(), reads(), legacyReads(), elsewhere()]);
  const stopped = await backends();
  expect(stopped.length).toBeGreaterThan(1);
  for (const pid of stopped) process.kill(pid, 'SIGSTOP');
  try {
    const told = await Promise.all([
      reads(),
      writes(),
      legacyReads(),
      legacyWrites(),
      ...Array.from({ length: pool }, elsewhere),
    ]);
    expect(told).toEqual(told.map(() => expect.objectContaining(inTime)));
    expect(told.some(({ status }) => status === 503)).toBe(true);
    expect(told.filter(({ status }) => status === 503)).toEqual(
      told.flatMap(({ status }) => (status === 503 ? [expect.objectContaining(unavailable)] : [])),
    );
  } finally {
    for (const pid of stopped) process.kill(pid, 'SIGCONT');
  }
  await isUp();
});

test('a line that goes dead keeps nobody waiting, neither over old connections nor over new ones', async () => {
  line.goDead();
  const both = [reads, legacyReads, legacyWrites, writes].flatMap((each) => [each(), each()]);
  const first = await Promise.all(both);
  const second = await Promise.all([reads(), legacyReads(), legacyWrites(), writes()]);
  expect([...first, ...second]).toEqual([...first, ...second].map(() => expect.objectContaining({ ...unavailable, ...inTime })));
  expect(second.map(({ status }) => status)).toEqual([503, 503, 503, 503]);
  line.mend();
  await isUp();
});

test('no connection is left behind', async () => {
  await Promise.all(Array.from({ length: 6 * pool }, elsewhere));
  await expect.poll(async () => (await backends()).length).toBeLessThanOrEqual(pool);
  const { rows } = await other.query(
    "select 1 from pg_stat_activity where datname = current_database() and state like '%transaction%'",
  );
  expect(rows).toEqual([]);
});
