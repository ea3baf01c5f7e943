import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../src/process/port.js';
import { type Service, startService } from '../support/servers/service-process.js';
import { type Database, freshDatabase } from '../support/servers/test-database.js';

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
  await service.exit;
  await database.drop();
});

const request = async (path: string, init?: RequestInit) => (await fetch(service.origin + path, init)).text();
const graphqlAs = (clientName: string) =>
  request('/graphql', {
    method: 'POST',
    headers: { ...token, 'content-type': 'application/json', 'x-client-name': clientName },
    body: '{"query":"{ roles { totalCount } }"}',
  });
const metricLines = async () => {
  const response = await fetch(`http://localhost:${port}/metrics`);
  expect(response.headers.get('content-type')).toMatch(/^text\/plain/);
  return (await response.text()).split('\n');
};

test('requests are counted by route, status and platform, without probes', async () => {
  await request('/v1/data/leagues/one-of-them', { headers: token });
  await request('/v1/data/leagues/another', { headers: token });
  await request('/v1/data/leagues/another');
  await request('/some/path?that=is&not=there');
  await request('/livez');
  await graphqlAs('app');
  const lines = (await metricLines()).filter((line) => line.startsWith('courtside_requests_total'));
  const counter = (method: string, route: string, status: number, platform: string, value: number) =>
    `courtside_requests_total{method="${method}",route="${route}",status="${status}",platform="${platform}"} ${value}`;
  expect(lines.toSorted()).toEqual(
    [
      counter('GET', '/v1/data/leagues/{uuid}', 404, 'bootstrap', 2),
      counter('GET', '/v1/data/leagues/{uuid}', 401, 'none', 1),
      counter('GET', 'other', 404, 'none', 1),
      counter('POST', '/graphql', 200, 'bootstrap', 1),
    ].toSorted(),
  );
});

test('operations have durations by client and type', async () => {
  await graphqlAs('timed');
  const lines = (await metricLines()).filter((line) => line.includes('client="timed"'));
  expect(lines).toContain('courtside_operation_duration_seconds_count{client="timed",type="query"} 1');
  expect(lines).toContain('courtside_operation_duration_seconds_bucket{le="+Inf",client="timed",type="query"} 1');
});

test('the release, the Node.js version and the schema are labels of one metric', async () => {
  const line = (await metricLines()).find((text) => text.startsWith('courtside_build_info{'));
  expect(line).toMatch(/^courtside_build_info\{version="\d+\.\d+\.\d+",node="\d+\.\d+\.\d+",schema="[0-9a-f]{12}"\} 1$/);
});

test('request durations, pools, caches, webhooks and the event loop have metrics', async () => {
  const lines = await metricLines();
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

test('operations are counted by client name, for at most fifty names', async () => {
  for (let number = 0; number < 60; number++) await graphqlAs(`client ${number}`);
  const lines = (await metricLines()).filter((line) => line.startsWith('courtside_operations_total'));
  expect(lines).toHaveLength(51);
  expect(lines).toContainEqual(expect.stringMatching(/client="other",type="query"\} 1\d$/));
});

test('the service port has no metrics, and the metrics port has no API', async () => {
  const statusOf = async (url: string) => (await fetch(url)).status;
  expect({
    metricsOnServicePort: await statusOf(`${service.origin}/metrics`),
    apiOnMetricsPort: await statusOf(`http://localhost:${port}/graphql`),
  }).toEqual({ metricsOnServicePort: 404, apiOnMetricsPort: 404 });
});
