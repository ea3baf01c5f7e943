import pino from 'pino';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { subgraphUrl } from '../../src/commands/emit.js';
import { startGateway } from '../../src/commands/gateway/index.js';
import { keepModules } from '../../src/commands/processes.js';
import { usual } from '../../src/lifecycle/pace.js';
import { modules } from '../../src/modules/index.js';
import { type Database, freshDatabase } from '../support/database.js';
import { built } from '../support/service.js';
import { supergraphFor } from '../support/supergraph.js';

// Whole processes are started, and started again.
vi.setConfig({ testTimeout: 60_000 });

const secret = 'the-secret-of-the-test-router';
const timeout = 1_500;
const said: string[] = [];
let database: Database;
let others: Awaited<ReturnType<typeof keepModules>>;
let news: Awaited<ReturnType<typeof keepModules>>;
let gateway: Awaited<ReturnType<typeof startGateway>>;

beforeAll(async () => {
  await built();
  database = await freshDatabase();
  const variables = {
    DATABASE_URL: database.url,
    ROUTER_SECRET: secret,
    LOG_LEVEL: 'error',
    BOOTSTRAP_PLATFORM_TOKEN: 'the-token-of-a-platform',
  };
  const keeping = {
    say: (sentence: string) => void said.push(sentence),
    pace: { ...usual, shortestPause: 50, goodLife: 3_600_000, look: 100, patience: 2_000 },
  };
  const names = modules.map(({ name }) => name).filter((name) => name !== 'news');
  others = await keepModules(names, variables, keeping);
  news = await keepModules(['news'], variables, keeping);
  await Promise.all([others.up, news.up]);
  const originOf = (name: string) => (name === 'news' ? news : others).origin;
  const supergraph = supergraphFor((name) => subgraphUrl(name, originOf(name)));
  gateway = await startGateway('hive', supergraph, secret, pino({ level: 'silent' }), { timeout });
}, 120_000);
afterAll(async () => {
  await gateway.stop();
  await Promise.all([others.stop(), news.stop()]);
  await database.drop();
});

/** The answer for a page of which one part is news. */
async function ask() {
  const response = await fetch(gateway.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'pb-api-token': 'the-token-of-a-platform' },
    body: JSON.stringify({ query: '{ clubs { totalCount } news { totalCount } }' }),
  });
  return response.json();
}

const whole = { data: { clubs: { totalCount: 0 }, news: { totalCount: 0 } } };
const inPart = { clubs: { totalCount: 0 }, news: null };

/** Asks until the answer is whole again; the others on the way. */
async function untilWhole() {
  const answers = [];
  for (let answer = await ask(); answer.errors; answer = await ask()) answers.push(answer);
  return answers;
}

test('it answers as a whole', async () => {
  expect(await ask()).toEqual(whole);
});

test('a subgraph that dies is started again where it was, and meanwhile the other parts are answered', async () => {
  const { origin } = news;
  process.kill(news.pid() ?? 0, 'SIGKILL');
  await expect.poll(() => said).toEqual(['news: the process was ended by SIGKILL; it is started again in 0.05 s.']);
  const answers = await untilWhole();
  expect(answers.map(({ data }) => data)).toEqual(answers.map(() => inPart));
  // Neither an address nor a place in the code.
  expect(answers.map((answer) => JSON.stringify(answer)).filter((text) => /127\.0\.0|localhost|:\d{4}|\.js/.test(text))).toEqual(
    [],
  );
  expect([answers.length > 0, news.origin, await ask()]).toEqual([true, origin, whole]);
});

test('one that hangs costs the time-out of one request, and is started again', async () => {
  const hanging = news.pid();
  process.kill(hanging ?? 0, 'SIGSTOP');
  const before = performance.now();
  const answer = await ask();
  const took = performance.now() - before;
  expect([answer.data, took >= timeout && took < 2 * timeout]).toEqual([inPart, true]);
  await untilWhole();
  expect(said.slice(1)).toEqual(['news: the process does not answer; it is started again in 0.1 s.']);
  expect(news.pid()).not.toBe(hanging);
});
