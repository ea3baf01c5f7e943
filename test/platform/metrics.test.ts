import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../src/port.js';
import { type Database, freshDatabase } from '../support/database.js';
import { type Service, startService } from '../support/service.js';

let database: Database;
let service: Service;
let port: number;
const token = { 'pb-api-token': 'a-token-of-the-platform' };
beforeAll(async () => {
  [database, port] = [await freshDatabase(), await freePort()];
  service = await startService({
    DATABASE_URL: database.url,
    METRICS_PORT: String(port),
    BOOTSTRAP_PLATFORM_TOKEN: token['pb-api-token'],
    HOST: 'localhost',
  });
}, 60_000);
afterAll(async () => {
  service.signal('SIGINT');
  await service.ended;
  await database.drop();
});

const ask = async (path: string, init?: RequestInit) => (await fetch(service.origin + path, init)).text();
const graphql = (name: string) =>
  ask('/graphql', {
    method: 'POST',
    headers: { ...token, 'content-type': 'application/json', 'x-client-name': name },
    body: '{"query":"{ roles { totalCount } }"}',
  });
const told = async () => {
  const response = await fetch(`http://localhost:${port}/metrics`);
  expect(response.headers.get('content-type')).toMatch(/^text\/plain/);
  return (await response.text()).split('\n');
};

test('requests are counted by the pattern of their path, their status and the platform', async () => {
  await ask('/v1/data/leagues/one-of-them', { headers: token });
  await ask('/v1/data/leagues/another', { headers: token });
  await ask('/v1/data/leagues/another');
  await ask('/some/path?that=is&not=there');
  await ask('/livez');
  await graphql('app');
  const lines = (await told()).filter((line) => line.startsWith('courtside_requests_total'));
  const count = (method: string, route: string, status: number, platform: string, value: number) =>
    `courtside_requests_total{method="${method}",route="${route}",status="${status}",platform="${platform}"} ${value}`;
  expect(lines.toSorted()).toEqual(
    [
      count('GET', '/v1/data/leagues/{uuid}', 404, 'bootstrap', 2),
      count('GET', '/v1/data/leagues/{uuid}', 401, 'none', 1),
      count('GET', 'other', 404, 'none', 1),
      count('POST', '/graphql', 200, 'bootstrap', 1),
    ].toSorted(),
  );
});

test('how long they took, pools, jobs, caches and the event loop are told, too', async () => {
  const lines = await told();
  const names = new Set(lines.map((line) => line.split(/[ {]/, 1)[0]));
  for (const name of [
    'courtside_request_duration_seconds_bucket',
    'courtside_pool_connections',
    'courtside_cache_entries',
    'courtside_webhook_deliveries_total',
    'courtside_webhook_deliveries_waiting',
    'nodejs_eventloop_lag_p99_seconds',
    'process_cpu_seconds_total',
  ])
    expect(names, name).toContain(name);
  expect(lines).toContain('courtside_pool_connections{database="primary",state="waiting"} 0');
});

test('clients are counted by the names that they give themselves, and no more than fifty of them', async () => {
  for (let number = 0; number < 60; number++) await graphql(`client ${number}`);
  const lines = (await told()).filter((line) => line.startsWith('courtside_operations_total'));
  expect(lines).toHaveLength(51);
  expect(lines).toContainEqual(expect.stringMatching(/client="other",type="query"\} 1\d$/));
});

test('nothing of it is at the port of the service, and nothing else at that of the metrics', async () => {
  const statuses = await Promise.all(
    [`${service.origin}/metrics`, `http://localhost:${port}/graphql`].map(async (url) => (await fetch(url)).status),
  );
  expect(statuses).toEqual([404, 404]);
});
