import { existsSync, readFileSync } from 'node:fs';
import { Agent, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Database, freshDatabase } from '../support/database.js';
import { type Service, startService } from '../support/service.js';

vi.setConfig({ testTimeout: 60_000 });

const token = 'platform-of-the-crowd';
/** How much longer than on a quiet machine with two cores everything may take. */
const slowness = 8;

let database: Database;
let service: Service;
beforeAll(async () => {
  database = await freshDatabase();
  const client = new Client({ connectionString: database.url });
  await client.connect();
  await client.query(`
    insert into app_user (id, first_name, last_name, slug) select 'u' || n, 'First ' || n, 'Last ' || n, 'u-' || n from generate_series(1, 500) n;
    insert into tournament (id, title) select 't' || n, 'Tournament ' || n from generate_series(1, 300) n;
    insert into team (id, tournament_id, player_one_id, player_two_id)
      select 'm' || n, 't' || 1 + n % 300, 'u' || 1 + n % 500, 'u' || 1 + n * 7 % 500 from generate_series(1, 1500) n`);
  await client.end();
  service = await startService({ DATABASE_URL: database.url, BOOTSTRAP_PLATFORM_TOKEN: token, LOG_LEVEL: 'silent' });
});
afterAll(async () => {
  service.signal('SIGKILL');
  await service.ended;
  await database.drop();
});

/** A request, and how many rows its answer has. */
interface Asked {
  path: string;
  query?: string;
  payload?: object;
  rows?: number;
}

const lookup = { path: '/v1/data/lookup_countries' };
const paths: Asked[] = [
  { path: '/v1/data/teams', rows: 1500 },
  { path: '/v1/data/tourney_flat_data', rows: 25 },
  { path: '/v1/data/teams?page_size=50', rows: 50 },
  { path: '/v1/data/tourney_flat_data?page_size=20', rows: 20 },
  { path: '/v1/data/tourney_flat_data?page_size=10&search_name=tournament', rows: 10 },
  { path: '/v1/data/tourney_flat_data?page_size=10&current_page=100', rows: 10 },
  { path: '/v1/data/tourney_flat_data?tournament_uuid=t7' },
  { path: '/v1/data/leagues_flat_data_search?page_size=10', rows: 0 },
  { path: '/v1/data/news?page_size=10', rows: 0 },
  lookup,
  { path: '/v1/data/lookup_timezones' },
  { path: '/v1/tournaments/tourney_flat_data', payload: { TournamentID: 't1', Title: 'Tournament 1' } },
  {
    path: '/graphql',
    query: '{ list: tournaments(first: 20) { nodes { title teams(first: 5) { nodes { playerOne { lastName } } } } } }',
    rows: 20,
  },
  {
    path: '/graphql',
    query: '{ list: teams(first: 50) { nodes { id playerOne { lastName } playerTwo { lastName } } } }',
    rows: 50,
  },
  { path: '/graphql', query: '{ list: users(first: 50) { nodes { id lastName } } }', rows: 50 },
  { path: '/graphql', query: '{ list: leagues(first: 10) { nodes { id } } }', rows: 0 },
];

interface Told {
  what: string;
  status: number | undefined;
  /** Whether it is what was asked for, or says when to come again. */
  isRight: boolean;
  took: number;
}

async function ask({ path, query, payload, rows }: Asked, agent: Agent): Promise<Told> {
  const since = performance.now();
  const body = query ? { query } : payload && { payload };
  const sent = request(service.origin + path, {
    agent,
    method: body ? 'POST' : 'GET',
    headers: { 'PB-API-TOKEN': token, 'content-type': 'application/json' },
  });
  sent.end(body && JSON.stringify(body));
  const [{ statusCode: status, headers }, content] = await new Promise<[IncomingMessage, string]>((resolve, reject) =>
    sent.on('error', reject).on('response', (answer) => text(answer).then((whole) => resolve([answer, whole]), reject)),
  );
  const took = performance.now() - since;
  const told = JSON.parse(content);
  const list = told.data?.list?.nodes ?? told.results ?? told.result;
  const isLate =
    status !== 200 || told.errors?.every(({ extensions }: { extensions: { code: string } }) => extensions.code === 'UNAVAILABLE');
  const isRight = isLate ? Number(headers['retry-after']) > 0 : !told.errors && (rows === undefined || list.length === rows);
  return { what: query ?? path, status, isRight, took };
}

const at = (index: number): Asked => paths[index % paths.length] as Asked;

test('64 connections are no crowd, also when nothing has run before', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const told = await Promise.all(Array.from({ length: 256 }, (_, index) => ask(at(index), agent)));
  agent.destroy();
  expect(told.filter(({ status, isRight }) => status !== 200 || !isRight)).toEqual([]);
});

test('2,000 requests at once are answered in time, or told to come later; what is in memory is answered as ever', async () => {
  const agent = new Agent({ maxSockets: Number.POSITIVE_INFINITY });
  const beside = new Agent({ keepAlive: true });
  const looked: Told[] = [];
  let isOver = false;
  const looking = (async () => {
    for (; !isOver; await sleep(50)) looked.push(await ask(lookup, beside));
  })();
  const told = await Promise.all(Array.from({ length: 2_000 }, (_, index) => ask(at(index), agent)));
  isOver = true;
  await looking;
  beside.destroy();
  const took = told.map((each) => each.took).sort((a, b) => a - b);
  const waited = looked.map((each) => each.took).sort((a, b) => a - b);
  expect(told.filter(({ status, isRight }) => !isRight || (status !== 200 && status !== 503))).toEqual([]);
  expect(told.filter(({ status }) => status === 200).length).toBeGreaterThan(64);
  expect(took.at(-1)).toBeLessThan(5_000 * slowness);
  expect(looked.filter(({ isRight }) => !isRight)).toEqual([]);
  expect(waited[Math.floor(waited.length / 2)]).toBeLessThan(300 * slowness);
  if (existsSync('/proc/self/status')) {
    const peak = Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${service.pid}/status`, 'utf8'))?.[1]) / 1024;
    expect(peak).toBeLessThan(450);
  }
});
