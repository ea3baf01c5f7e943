import { Registry } from 'prom-client';
import { afterAll, expect, test, vi } from 'vitest';
import { databaseCauses, toClientError } from '../../src/kernel/database-errors.js';
import type { FinishedRequest } from '../../src/kernel/monitoring/request-facts.js';
import { componentMetrics } from '../../src/metrics/component-metrics.js';
import { healthMetrics } from '../../src/metrics/health-metrics.js';
import { RequestMeter } from '../../src/metrics/requests.js';
import { addSampledMetrics } from '../../src/metrics/sampled-metric.js';
import { ruleNames } from '../../src/modules/accounts/limits/limit-rules.js';
import { release } from '../../src/process/release.js';
import { subscribe } from '../support/clients/event-stream.js';
import { exchange, handshake, openSocket } from '../support/clients/websocket.js';
import { routerHeaders, startApp, type TestApp } from '../support/servers/app.js';

const app: TestApp = await startApp({ RATE_LIMITS: 'account.passwords=1/1h', STREAMS_AT_ONCE: '1', SUBGRAPHS: 'leagues' });
const registry = new Registry();
addSampledMetrics([registry], [...healthMetrics, ...componentMetrics], { ...app.resources, schemaHash: 'abc' });
afterAll(() => app.close());

const finishedRequest: FinishedRequest = {
  arrivedAt: 0,
  route: 'other',
  caller: null,
  operation: null,
  operationName: undefined,
  unavailability: null,
  isReported: true,
  requestId: 1,
  method: 'GET',
  status: 200,
  seconds: 0.01,
};

type Values = Record<string, number>;

/** Returns the values of a metric, keyed by its label values. */
async function valuesOf(name: string): Promise<Values> {
  const { values = [] } = (await registry.getSingleMetric(`courtside_${name}`)?.get()) ?? {};
  return Object.fromEntries(values.map(({ labels, value }) => [Object.values(labels).join(' '), value]));
}

/** Returns the changes of a metric while work runs. */
async function changesOf(name: string, work: () => Promise<unknown>): Promise<Values> {
  const before = await valuesOf(name);
  await work();
  const changes = Object.entries(await valuesOf(name)).map(([label, value]) => [label, value - (before[label] ?? 0)] as const);
  return Object.fromEntries(changes.filter(([, change]) => change !== 0));
}

const post = (query: string, path = '/graphql', headers = {}) => app.rest('POST', path, app.platform, { query }, headers);

test('the build, the migrations and the request slots have metrics', async () => {
  expect({
    build: await valuesOf('build_info'),
    migrations: await valuesOf('migrations_pending'),
    slots: await valuesOf('request_slots'),
    pending: await valuesOf('requests_pending'),
    replicas: await valuesOf('replicas'),
    unavailable: Object.keys(await valuesOf('unavailable_total')),
  }).toEqual({
    build: { [`${release} ${process.versions.node} abc`]: 1 },
    migrations: { '': 0 },
    slots: { total: 64, used: 0, waiting: 0 },
    pending: { '': 0 },
    replicas: { used: 0, excluded: 0 },
    unavailable: ['overload', 'deadline', 'database', 'starting', 'stopping', 'subscriptions', 'other'],
  });
});

test('counters of errors, refusals and messages have a value for each label before the first event', async () => {
  const labelsOf = async (name: string) => Object.keys(await valuesOf(name)).toSorted();
  expect({
    databaseErrors: await labelsOf('database_errors_total'),
    refusals: await labelsOf('limit_refusals_total'),
    messages: await labelsOf('messages_total'),
  }).toEqual({
    databaseErrors: databaseCauses.toSorted(),
    refusals: [
      ...ruleNames,
      'STREAMS_AT_ONCE',
      'STREAMS_PER_CALLER',
      'STREAM_COST_PER_CALLER',
      'STREAM_COST_PER_ADDRESS',
    ].toSorted(),
    messages: ['mail dead', 'mail failed', 'mail sent', 'text dead', 'text failed', 'text sent'],
  });
});

test('a database error without a known cause is counted as other', async () => {
  const raised = Object.assign(new Error('raised by a function'), { code: 'P0001' });
  expect(await changesOf('database_errors_total', async () => toClientError(raised))).toEqual({ other: 1 });
  expect(databaseCauses).toContain('other');
});

test('errors of GraphQL responses are counted by code, once each', async () => {
  const routerPost = (query: string) => post(query, '/subgraphs/leagues', routerHeaders);
  expect(
    await changesOf('graphql_errors_total', async () => {
      await post('{ nothing }');
      await post('not a document');
      await post('mutation { a: deleteTournament(id: "x") { id } b: deleteTournament(id: "y") { id } }');
      await app.rest('POST', '/graphql', app.platform, '[]');
      await routerPost('{ nothing }');
      await routerPost('{ league(id: "x", nothing: 1) { id } }');
      await app.rest('GET', '/v1/data/teams/nobody', app.platform);
    }),
  ).toEqual({ BAD_INPUT: 5, NOT_FOUND: 2 });
});

test('refusals by a limit are counted by its name', async () => {
  const signIn = () => post('mutation { login(input: { email: "no@example.com", password: "x" }) { token } }');
  expect(
    await changesOf('limit_refusals_total', async () => {
      await signIn();
      await signIn();
      await signIn();
    }),
  ).toEqual({ 'account.passwords': 2 });
});

test('messages above a limit are counted by its name', async () => {
  const { user } = await app.person();
  const invite = (count: number) => {
    const invitedEmails = Array.from({ length: count }, (_, index) => `guest-${index}@example.com`);
    const input = { startsAt: '2041-06-02T14:30:00Z', invitedEmails };
    return app.graphql('mutation ($input: GameInput!) { scheduleGame(input: $input) { id } }', { input }, { user });
  };
  await invite(60);
  expect(await changesOf('limit_refusals_total', () => invite(50))).toEqual({ 'user.messages': 1 });
});

test('subscriptions and sockets above a limit are counted by the limit', async () => {
  const query = 'subscription { teams(tournamentId: "cup") { id } }';
  const subscription = await subscribe(app, app.platform, query);
  const socket = await openSocket(app);
  const refuse = async () => {
    const second = await subscribe(app, app.platform, query);
    await second.end;
    await exchange(app, handshake());
  };
  const reasons = await changesOf('unavailable_total', async () => {
    expect(await changesOf('limit_refusals_total', refuse)).toEqual({ STREAMS_AT_ONCE: 2 });
  });
  subscription.close();
  socket.socket.terminate();
  expect(reasons).toEqual({ subscriptions: 2 });
});

test('conditional requests are counted by result, and the change log has a lag once it is read', async () => {
  const path = '/v1/data/teams/a-team';
  const write = (seed: number) => app.rest('POST', '/v1/teams/upsert', app.platform, { payload: { uuid: 'a-team', seed } });
  const get = async (tag?: string) => {
    const answer = await app.rest('GET', path, app.platform, undefined, tag ? { 'if-none-match': tag } : {});
    return answer.headers.get('etag') ?? '';
  };
  await write(1);
  const first = await changesOf('response_cache_total', async () => get('"none"'));
  await expect.poll(() => valuesOf('change_log_lag_seconds')).toEqual({ '': expect.any(Number) });
  // The catalog of the change log is loaded in the background.
  const tag = await vi.waitUntil(async () => {
    const currentTag = await get();
    return (await changesOf('response_cache_total', () => get(currentTag))).hit ? currentTag : null;
  });
  expect({
    first,
    miss: await changesOf('response_cache_total', () => get('"another"')),
    hit: await changesOf('response_cache_total', () => get(tag)),
    stale: await changesOf('response_cache_total', async () => {
      await write(2);
      await get(tag);
    }),
  }).toEqual({ first: { uncached: 1 }, miss: { miss: 1 }, hit: { hit: 1 }, stale: { stale: 1 } });
  expect((await valuesOf('change_log_lag_seconds'))['']).toBeLessThan(60);
});

test('requests and server errors are counted by interface, from 0', async () => {
  const requestRegistry = new Registry();
  const meter = new RequestMeter([requestRegistry]);
  const requests = [
    { route: '/v1/data/teams', status: 503 },
    { route: '/v1/data/teams', status: 404 },
    { route: '/graphql', status: 500 },
    { route: 'other', status: 503 },
  ];
  for (const { route, status } of requests) meter.request({ ...finishedRequest, route, status });
  const countsOf = async (name: string) => {
    const { values = [] } = (await requestRegistry.getSingleMetric(`courtside_${name}`)?.get()) ?? {};
    return Object.fromEntries(values.map(({ labels, value }) => [Object.values(labels).join(' '), value]));
  };
  expect({ requests: await countsOf('interface_requests_total'), errors: await countsOf('server_errors_total') }).toEqual({
    requests: { v1: 2, graphql: 1, other: 1 },
    errors: { 'v1 500': 0, 'v1 503': 1, 'graphql 500': 1, 'graphql 503': 0, 'other 500': 0, 'other 503': 1 },
  });
});
