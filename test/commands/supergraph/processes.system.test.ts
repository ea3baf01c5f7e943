import pino from 'pino';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { subgraphUrl } from '../../../src/commands/emit.js';
import { startGateway } from '../../../src/commands/supergraph/gateway/index.js';
import { superviseModules } from '../../../src/commands/supergraph/processes.js';
import { modules } from '../../../src/modules/index.js';
import { defaultRestartPolicy } from '../../../src/server/lifecycle/supervise.js';
import { buildService } from '../../support/servers/service-process.js';
import { supergraphFor } from '../../support/servers/supergraph.js';
import { type Database, freshDatabase } from '../../support/servers/test-database.js';

// Starting and restarting processes takes longer than the default timeout.
vi.setConfig({ testTimeout: 60_000 });

const secret = 'the-secret-of-the-test-router';
const timeout = 1_500;
const messages: string[] = [];
let database: Database;
let otherModules: Awaited<ReturnType<typeof superviseModules>>;
let news: Awaited<ReturnType<typeof superviseModules>>;
let gateway: Awaited<ReturnType<typeof startGateway>>;

beforeAll(async () => {
  await buildService();
  database = await freshDatabase();
  const variables = {
    DATABASE_URL: database.url,
    ROUTER_SECRET: secret,
    LOG_LEVEL: 'error',
    BOOTSTRAP_PLATFORM_TOKEN: 'the-token-of-a-platform',
  };
  const names = modules.map(({ name }) => name).filter((name) => name !== 'news');
  otherModules = await superviseModules(names, variables, { log: () => undefined });
  news = await superviseModules(['news'], variables, {
    log: (message: string) => void messages.push(message),
    policy: { ...defaultRestartPolicy, initialDelay: 50, resetAfter: 3_600_000, checkInterval: 100, checkTimeout: 2_000 },
  });
  await Promise.all([otherModules.up, news.up]);
  const originOf = (name: string) => (name === 'news' ? news : otherModules).origin;
  const supergraph = supergraphFor((name) => subgraphUrl(name, originOf(name)));
  gateway = await startGateway('hive', supergraph, secret, pino({ level: 'silent' }), { timeout });
}, 120_000);
afterAll(async () => {
  await gateway.stop();
  await Promise.all([otherModules.stop(), news.stop()]);
  await database.drop();
});

/** Returns the response to a query for clubs and news, which different subgraphs serve. */
async function queryBoth() {
  const response = await fetch(gateway.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'pb-api-token': 'the-token-of-a-platform' },
    body: JSON.stringify({ query: '{ clubs { totalCount } news { totalCount } }' }),
  });
  return response.json();
}

const complete = { data: { clubs: { totalCount: 0 }, news: { totalCount: 0 } } };
const withoutNews = { clubs: { totalCount: 0 }, news: null };

/** Repeats the query until it succeeds. Returns the earlier responses, which contain errors. */
async function failuresUntilRecovery() {
  const failures = [];
  for (let answer = await queryBoth(); answer.errors; answer = await queryBoth()) failures.push(answer);
  return failures;
}

test('the gateway combines the responses of all subgraphs', async () => {
  expect(await queryBoth()).toEqual(complete);
});

test('a subgraph that dies restarts at its origin, and the gateway still serves the other subgraphs', async () => {
  const { origin } = news;
  process.kill(news.pid() ?? 0, 'SIGKILL');
  await expect.poll(() => messages).toEqual(['news: the process was terminated by SIGKILL. It will restart in 0.05 s.']);
  const failures = await failuresUntilRecovery();
  expect(failures.length).toBeGreaterThan(0);
  expect(failures.map(({ data }) => data)).toEqual(failures.map(() => withoutNews));
  const addressOrSource = /127\.0\.0|localhost|:\d{4}|\.js/;
  expect(failures.map((answer) => JSON.stringify(answer)).filter((text) => addressOrSource.test(text))).toEqual([]);
  expect(news.origin).toBe(origin);
  expect(await queryBoth()).toEqual(complete);
});

test('a subgraph that hangs delays one request by the timeout, and is restarted', async () => {
  const hangingPid = news.pid();
  process.kill(hangingPid ?? 0, 'SIGSTOP');
  const sentAt = performance.now();
  const { data } = await queryBoth();
  const elapsed = performance.now() - sentAt;
  expect(data).toEqual(withoutNews);
  expect(elapsed).toBeGreaterThanOrEqual(timeout);
  expect(elapsed).toBeLessThan(2 * timeout);
  await failuresUntilRecovery();
  expect(messages.slice(1)).toEqual(['news: the process does not respond. It will restart in 0.1 s.']);
  expect(news.pid()).not.toBe(hangingPid);
});
