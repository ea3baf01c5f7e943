import { Client, type Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { asRouter, startApp, type TestApp } from '../support/app.js';
import { freshDatabase } from '../support/database.js';

let app: TestApp;
let locker: Client;
beforeAll(async () => {
  const database = await freshDatabase();
  locker = new Client({ connectionString: database.url });
  await locker.connect();
  app = await startApp({ SUBGRAPHS: 'leagues' }, database);
});
afterAll(async () => {
  await locker.end();
  await app.close();
});

interface Sent {
  body?: unknown;
  headers?: Record<string, string>;
  method?: string;
  search?: string;
}

/** What a client can tell of an answer. */
async function answerOf(path: string, { body, headers, method = 'POST', search = '' }: Sent) {
  const response = await fetch(app.origin + path + search, {
    method,
    headers: { 'content-type': 'application/json', 'pb-api-token': app.platform.platform, ...asRouter, ...headers },
    ...(method === 'POST' ? { body: typeof body === 'string' ? body : JSON.stringify(body) } : {}),
  });
  const text = await response.text();
  const { data, errors, extensions } = JSON.parse(text);
  expect(text).not.toMatch(/127\.0\.0\.1|localhost|node_modules|stack|\.ts:|\.js:/);
  // What was executed tells what it cost at /graphql only.
  const cost = response.ok ? undefined : extensions?.cost;
  return { status: response.status, data, errors, cost, retryAfter: response.headers.get('retry-after') };
}

const both = (sent: Sent) => Promise.all(['/graphql', '/subgraphs/leagues'].map((path) => answerOf(path, sent)));

const times = (count: number, text: string) => Array.from({ length: count }, () => text).join(' ');
const count = '{ leagues { totalCount } }';
const list = '{ leagues { nodes { id } } }';
const deep = (levels: number) => `{ ${'leagues { nodes { club { '.repeat(levels)} id ${'} } } '.repeat(levels)} }`;
const asked: [string, Sent][] = [
  ['depth', { body: { query: deep(10) } }],
  ['aliases', { body: { query: `{ ${Array.from({ length: 61 }, (_, n) => `a${n}: leagues { totalCount }`).join(' ')} }` } }],
  ['directives', { body: { query: `{ leagues { ${times(51, 'totalCount @include(if: true)')} } }` } }],
  ['tokens', { body: { query: `{ leagues { ${times(5_000, 'totalCount')} } }` } }],
  ['pairs', { body: { query: `{ leagues { ${times(400, 'totalCount')} } }` } }],
  ['two limits', { body: { query: `query @a ${deep(6).replace('{', `{ ${times(61, 'a: leagues { totalCount }')}`)}` } }],
  [
    'cost',
    {
      body: {
        query:
          '{ leagues(first: 100) { nodes { club { leagues(first: 100) { nodes { club { leagues(first: 100) { nodes { id } } } } } } } } }',
      },
    },
  ],
  ['a field that there is not', { body: { query: '{ leagues { colour } }' } }],
  ['syntax', { body: { query: '{ leagues' } }],
  ['a variable', { body: { query: 'query ($n: Int) { leagues(first: $n) { totalCount } }', variables: { n: 'many' } } }],
  ['a missing variable', { body: { query: 'query ($id: ID!) { league(id: $id) { id } }' } }],
  ['an argument', { body: { query: '{ leagues(first: 101) { totalCount } }' } }],
  ['several operations', { body: { query: `query A ${count} query B ${count}` } }],
  ['an operation that there is not', { body: { query: `query A ${count}`, operationName: 'B' } }],
  ['no query', { body: { variables: {} } }],
  ['an empty query', { body: { query: '' } }],
  ['a query of no text', { body: { query: 5 } }],
  ['variables of no object', { body: { query: count, variables: 'many' } }],
  ['no JSON', { body: '{' }],
  ['another type', { body: 'query=x', headers: { 'content-type': 'application/x-www-form-urlencoded' } }],
  [
    'a mutation by GET',
    { method: 'GET', search: `?${new URLSearchParams({ query: 'mutation { deleteLeague(id: "x") { id } }' })}` },
  ],
  ['depth by GET', { method: 'GET', search: `?${new URLSearchParams({ query: deep(10) })}` }],
  ['a hash that is not known', { body: { extensions: { persistedQuery: { version: 1, sha256Hash: 'a'.repeat(64) } } } }],
  ['a hash of another document', { body: { query: count, extensions: { persistedQuery: { version: 1, sha256Hash: 'a' } } } }],
  ['a dead token', { body: { query: count }, headers: { 'pb-api-token': 'dead' } }],
  ['tokens that contradict each other', { body: { query: count }, headers: { authorization: 'Bearer a', 'pb-user-token': 'b' } }],
  ['a write of nobody', { body: { query: 'mutation { createLeague(input: {}) { id } }' }, headers: { 'pb-api-token': '' } }],
  ['a literal', { body: { query: 'mutation { createLeague(input: { title: 5 }) { id } }' } }],
  ['a record that there is not', { body: { query: 'mutation { updateLeague(id: "none", input: {}) { id } }' } }],
];

test.each(asked)('both servers refuse alike: %s', async (_, sent) => {
  const [graph, subgraph] = await both(sent);
  expect(graph?.errors[0].extensions.code).toEqual(expect.any(String));
  expect(subgraph).toEqual(graph);
});

describe('what the database refuses is told alike by both servers', () => {
  // An administrator gives up statements with the code of those that take too long, and at no moment that a test would have to meet.
  test.each([
    ['a statement that takes too long', 'pg_cancel_backend', 'the database took too long'],
    ['a connection that is lost', 'pg_terminate_backend', 'the database cannot be reached'],
  ])('%s', async (_, end, message) => {
    await locker.query('begin; lock table league in access exclusive mode');
    const waiting = `select ${end}(pid) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like '%league%'`;
    let isAnswered = false;
    const answering = both({ body: { query: list } }).finally(() => {
      isAnswered = true;
    });
    while (!isAnswered) await app.sql.rows(waiting);
    const answers = await answering.finally(() => locker.query('rollback'));
    expect(answers.map(({ errors }) => errors[0].message)).toEqual(Array(2).fill(message));
    expect(answers[1]).toEqual(answers[0]);
  });

  test.each([
    ['for the data', {}, 200],
    ['for who asks', { 'pb-user-token': 'not seen before' }, 503],
  ])('no connection left %s', async (_, headers, status) => {
    const pool: Pool = await app.resources.pools.pool(app.resources.pools.connection('read'));
    const { connectionTimeoutMillis } = pool.options;
    await both({ body: { query: count } });
    const held = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()));
    pool.options.connectionTimeoutMillis = 100;
    const answers = await both({ body: { query: list }, headers }).finally(() => {
      pool.options.connectionTimeoutMillis = connectionTimeoutMillis;
      for (const client of held) client.release();
    });
    const told = answers.map((answer) => [answer.status, answer.errors[0].message]);
    expect(told).toEqual(Array(2).fill([status, 'the database cannot be reached']));
    expect(answers[1]).toEqual(answers[0]);
  });
});
