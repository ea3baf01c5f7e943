import { isDeepStrictEqual } from 'node:util';
import { Client, type Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { routerHeaders, startApp, type TestApp } from '../support/servers/app.js';
import { freshDatabase } from '../support/servers/test-database.js';

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

interface SentRequest {
  body?: unknown;
  headers?: Record<string, string>;
  method?: string;
  search?: string;
}

/** Returns everything in a response that a client can see. Asserts that it contains no internal details. */
async function answerTo(path: string, { body, headers, method = 'POST', search = '' }: SentRequest) {
  const response = await fetch(app.origin + path + search, {
    method,
    headers: { 'content-type': 'application/json', 'pb-api-token': app.platform.platform, ...routerHeaders, ...headers },
    ...(method === 'POST' ? { body: typeof body === 'string' ? body : JSON.stringify(body) } : {}),
  });
  const text = await response.text();
  const { data, errors, extensions } = JSON.parse(text);
  expect(text).not.toMatch(/127\.0\.0\.1|localhost|node_modules|stack|\.ts:|\.js:/);
  // Only `/graphql` returns the cost of executed operations.
  const cost = response.ok ? undefined : extensions?.cost;
  return { status: response.status, data, errors, cost, retryAfter: response.headers.get('retry-after') };
}

const sendToBoth = async (request: SentRequest) => {
  const [graph, subgraph] = await Promise.all([answerTo('/graphql', request), answerTo('/subgraphs/leagues', request)]);
  return { graph, subgraph };
};

const times = (count: number, text: string) => Array.from({ length: count }, () => text).join(' ');
const count = '{ leagues { totalCount } }';
const list = '{ leagues { nodes { id } } }';
const deep = (levels: number) => `{ ${'leagues { nodes { club { '.repeat(levels)} id ${'} } } '.repeat(levels)} }`;
const rejectedRequests: [string, SentRequest][] = [
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
  ['an unknown field', { body: { query: '{ leagues { colour } }' } }],
  ['syntax', { body: { query: '{ leagues' } }],
  ['an invalid variable', { body: { query: 'query ($n: Int) { leagues(first: $n) { totalCount } }', variables: { n: 'many' } } }],
  ['a missing variable', { body: { query: 'query ($id: ID!) { league(id: $id) { id } }' } }],
  ['an invalid argument', { body: { query: '{ leagues(first: 101) { totalCount } }' } }],
  ['several operations', { body: { query: `query A ${count} query B ${count}` } }],
  ['an unknown operation name', { body: { query: `query A ${count}`, operationName: 'B' } }],
  ['no query', { body: { variables: {} } }],
  ['an empty query', { body: { query: '' } }],
  ['a query that is not a string', { body: { query: 5 } }],
  ['variables that are not an object', { body: { query: count, variables: 'many' } }],
  ['no JSON', { body: '{' }],
  ['another content type', { body: 'query=x', headers: { 'content-type': 'application/x-www-form-urlencoded' } }],
  [
    'a mutation by GET',
    { method: 'GET', search: `?${new URLSearchParams({ query: 'mutation { deleteLeague(id: "x") { id } }' })}` },
  ],
  ['depth by GET', { method: 'GET', search: `?${new URLSearchParams({ query: deep(10) })}` }],
  ['an unknown hash', { body: { extensions: { persistedQuery: { version: 1, sha256Hash: 'a'.repeat(64) } } } }],
  ['a hash of another document', { body: { query: count, extensions: { persistedQuery: { version: 1, sha256Hash: 'a' } } } }],
  ['an unknown token', { body: { query: count }, headers: { 'pb-api-token': 'dead' } }],
  ['tokens that contradict each other', { body: { query: count }, headers: { authorization: 'Bearer a', 'pb-user-token': 'b' } }],
  [
    'a mutation without a token',
    { body: { query: 'mutation { createLeague(input: {}) { id } }' }, headers: { 'pb-api-token': '' } },
  ],
  ['an invalid literal', { body: { query: 'mutation { createLeague(input: { title: 5 }) { id } }' } }],
  ['a record that does not exist', { body: { query: 'mutation { updateLeague(id: "none", input: {}) { id } }' } }],
];

test.each(rejectedRequests)('both servers give the same errors: %s', async (_, request) => {
  const { graph, subgraph } = await sendToBoth(request);
  expect(graph.errors[0].extensions.code).toEqual(expect.any(String));
  expect(subgraph).toEqual(graph);
});

describe('both servers give the same errors for failures of the database:', () => {
  // Canceling a waiting statement causes the error code of a statement timeout, at a time that the test controls.
  test.each([
    ['a statement that takes too long', 'pg_cancel_backend', 'the database took too long'],
    ['a lost connection', 'pg_terminate_backend', 'the database cannot be reached'],
  ])('%s', async (_, endFunction, message) => {
    await locker.query('begin; lock table league in access exclusive mode');
    const endWaiting = `select ${endFunction}(pid) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like '%league%'`;
    let isAnswered = false;
    const answering = sendToBoth({ body: { query: list } }).finally(() => {
      isAnswered = true;
    });
    while (!isAnswered) await app.sql.rows(endWaiting);
    const { graph, subgraph } = await answering.finally(() => locker.query('rollback'));
    expect(graph.errors[0].message).toBe(message);
    expect(subgraph).toEqual(graph);
  });

  test.each([
    ['the data', {}, 200],
    ['the caller', { 'pb-user-token': 'not seen before' }, 503],
  ])('no free connection to read %s', async (_, headers, status) => {
    const pool: Pool = await app.resources.pools.pool(app.resources.pools.connection('read'));
    const { connectionTimeoutMillis } = pool.options;
    const sendWithoutConnections = async () => {
      const clients = await Promise.all(Array.from({ length: pool.options.max - 1 }, () => pool.connect()));
      // The service caches an identified caller for a second. This request caches the caller before the last connection is taken.
      await sendToBoth({ body: { query: count } });
      clients.push(await pool.connect());
      pool.options.connectionTimeoutMillis = 100;
      const { graph, subgraph } = await sendToBoth({ body: { query: list }, headers }).finally(() => {
        pool.options.connectionTimeoutMillis = connectionTimeoutMillis;
        for (const client of clients) client.release();
      });
      return {
        graph: { status: graph.status, message: graph.errors[0].message },
        isSubgraphEqual: isDeepStrictEqual(subgraph, graph),
      };
    };
    // On a busy machine, the cached caller can expire before the request. The service then reads the caller from the database again.
    await expect
      .poll(sendWithoutConnections)
      .toEqual({ graph: { status, message: 'the database cannot be reached' }, isSubgraphEqual: true });
  });
});
