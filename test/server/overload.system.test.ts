import { existsSync, readFileSync } from 'node:fs';
import { Agent, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { databaseWithTeams } from '../support/servers/database-with-teams.js';
import { type Service, startService } from '../support/servers/service-process.js';
import type { Database } from '../support/servers/test-database.js';

vi.setConfig({ testTimeout: 60_000 });

const token = 'platform-of-the-crowd';
/** Time limit for each response in milliseconds. It is 8 times the limit for an idle machine with two cores. */
const timeLimit = 40_000;

let database: Database;
let service: Service;
beforeAll(async () => {
  database = await databaseWithTeams({ users: 500, tournaments: 300, teams: 1_500 });
  service = await startService({ DATABASE_URL: database.url, BOOTSTRAP_PLATFORM_TOKEN: token, LOG_LEVEL: 'silent' });
});
afterAll(async () => {
  service.signal('SIGKILL');
  await service.exit;
  await database.drop();
});

/** A request, and the number of rows in its response. */
interface RequestCase {
  path: string;
  query?: string;
  payload?: object;
  rows?: number;
}

const lookup = { path: '/v1/data/lookup_countries' };
const requestCases: RequestCase[] = [
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

interface Outcome {
  request: string;
  status: number | undefined;
  /** Whether the response has the expected rows, or is a temporary failure with `Retry-After`. */
  isValid: boolean;
  elapsed: number;
}

async function send({ path, query, payload, rows }: RequestCase, agent: Agent): Promise<Outcome> {
  const sentAt = performance.now();
  const body = query ? { query } : payload && { payload };
  const outgoing = request(service.origin + path, {
    agent,
    method: body ? 'POST' : 'GET',
    headers: { 'PB-API-TOKEN': token, 'content-type': 'application/json' },
  });
  outgoing.end(body && JSON.stringify(body));
  const [{ statusCode: status, headers }, content] = await new Promise<[IncomingMessage, string]>((resolve, reject) =>
    outgoing.on('error', reject).on('response', (response) => text(response).then((whole) => resolve([response, whole]), reject)),
  );
  const elapsed = performance.now() - sentAt;
  const answer = JSON.parse(content);
  const list = answer.data?.list?.nodes ?? answer.results ?? answer.result;
  const isUnavailable =
    status !== 200 ||
    answer.errors?.every(({ extensions }: { extensions: { code: string } }) => extensions.code === 'UNAVAILABLE');
  const isValid = isUnavailable
    ? Number(headers['retry-after']) > 0
    : !answer.errors && (rows === undefined || list.length === rows);
  return { request: query ?? path, status, isValid, elapsed };
}

const requestCase = (index: number): RequestCase => requestCases[index % requestCases.length] as RequestCase;
const elapsedTimes = (outcomes: Outcome[]) => outcomes.map(({ elapsed }) => elapsed).sort((a, b) => a - b);
const medianTime = (outcomes: Outcome[]) => elapsedTimes(outcomes)[Math.floor(outcomes.length / 2)] ?? 0;

test('64 concurrent connections are served without 503, even as the first requests of the process', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const outcomes = await Promise.all(Array.from({ length: 256 }, (_, index) => send(requestCase(index), agent)));
  agent.destroy();
  expect(outcomes.filter(({ status, isValid }) => status !== 200 || !isValid)).toEqual([]);
});

test('2,000 concurrent requests are served or refused with Retry-After in time, and cached responses take less time than others', async () => {
  const agent = new Agent({ maxSockets: Number.POSITIVE_INFINITY });
  const lookupAgent = new Agent({ keepAlive: true });
  const lookups: Outcome[] = [];
  let isStopped = false;
  const lookupLoop = (async () => {
    for (; !isStopped; await sleep(50)) lookups.push(await send(lookup, lookupAgent));
  })();
  const outcomes = await Promise.all(Array.from({ length: 2_000 }, (_, index) => send(requestCase(index), agent)));
  isStopped = true;
  await lookupLoop;
  lookupAgent.destroy();
  expect(outcomes.filter(({ status, isValid }) => !isValid || (status !== 200 && status !== 503))).toEqual([]);
  const served = outcomes.filter(({ status }) => status === 200);
  expect(served.length).toBeGreaterThan(64);
  expect(elapsedTimes(outcomes).at(-1)).toBeLessThan(timeLimit);
  expect(lookups.filter(({ isValid }) => !isValid)).toEqual([]);
  expect(medianTime(lookups)).toBeLessThan(medianTime(served) / 2);
  if (existsSync('/proc/self/status')) {
    const peak = Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${service.pid}/status`, 'utf8'))?.[1]) / 1024;
    expect(peak).toBeLessThan(450);
  }
});
