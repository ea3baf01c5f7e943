import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { deleteExpired } from '../../../src/graphql/idempotency/responses-sql.js';
import { startApp, type TestApp } from '../../support/servers/app.js';
import { type Process, secondProcess } from '../../support/servers/second-app.js';

let app: TestApp;
let second: Process;
beforeAll(async () => {
  app = await startApp();
  second = await secondProcess(app);
});
afterAll(async () => {
  await second.close();
  await app.close();
});

interface RequestOptions {
  key?: string;
  path?: string;
  method?: string;
  tokens?: Record<string, string>;
  origin?: string;
  signal?: AbortSignal;
}

/** Sends a request. Returns the status, the headers and the unparsed body. */
async function send(
  body: unknown,
  { key, path = '/graphql', method = 'POST', tokens, origin = app.origin, signal }: RequestOptions = {},
) {
  const response = await fetch(origin + path, {
    method,
    headers: {
      'content-type': 'application/json',
      ...(tokens ?? { 'PB-API-TOKEN': app.platform.platform }),
      ...(key === undefined ? {} : { 'Idempotency-Key': key }),
    },
    body: JSON.stringify(body),
    ...(signal ? { signal } : {}),
  });
  const text = await response.text();
  return { status: response.status, type: response.headers.get('content-type'), text, headers: response.headers };
}
type Answer = Awaited<ReturnType<typeof send>>;
const isReplayed = ({ headers }: Answer) => headers.get('idempotent-replayed') === 'true';
const contentOf = ({ status, type, text }: Answer) => ({ status, type, text });
const replayOf = (answer: Answer) => ({ ...contentOf(answer), isReplayed: true });
const withReplay = (answer: Answer) => ({ ...contentOf(answer), isReplayed: isReplayed(answer) });

const create = (title: string) => ({
  query: 'mutation ($title: String) { createLeague(input: { title: $title }) { id title createdAt } }',
  variables: { title },
});
const countLeagues = async (title: string) =>
  (await app.graphql('query ($title: String) { leagues(filter: { title: { eq: $title } }) { totalCount } }', { title })).leagues
    .totalCount;
const legacy = (title: string) => ({ payload: { leagueTitle: title } });
const leagues = '/v1/leagues';

const interfaces = [
  { name: '/graphql', path: '/graphql', body: create },
  { name: '/v1', path: leagues, body: legacy },
];

describe.each(interfaces)('a write by $name', ({ name, path, body }) => {
  test('runs once when it is repeated with its key, and the first response is replayed byte for byte', async () => {
    const title = `once by ${name}`;
    const first = await send(body(title), { key: title, path });
    const repeated = await send(body(title), { key: title, path });
    const repeatedElsewhere = await send(body(title), { key: title, path, origin: second.origin });
    expect({ status: first.status, isReplayed: isReplayed(first) }).toEqual({ status: 200, isReplayed: false });
    expect({ repeated: withReplay(repeated), repeatedElsewhere: withReplay(repeatedElsewhere) }).toEqual({
      repeated: replayOf(first),
      repeatedElsewhere: replayOf(first),
    });
    expect(await countLeagues(title)).toBe(1);
  });

  test('runs each time when it has no key', async () => {
    await send(body(`twice by ${name}`), { path });
    await send(body(`twice by ${name}`), { path });
    expect(await countLeagues(`twice by ${name}`)).toBe(2);
  });

  test('runs once when twelve copies arrive at two processes at the same time; the others get 409 or the replayed response', async () => {
    const title = `twelve by ${name}`;
    const origins = Array.from({ length: 12 }, (_, index) => (index % 2 ? app.origin : second.origin));
    const answers = await Promise.all(origins.map((origin) => send(body(title), { key: title, path, origin })));
    expect(await countLeagues(title)).toBe(1);
    const successes = answers.filter(({ status }) => status === 200);
    expect({
      distinctTexts: new Set(successes.map(({ text }) => text)).size,
      notReplayed: successes.filter((answer) => !isReplayed(answer)).length,
    }).toEqual({ distinctTexts: 1, notReplayed: 1 });
    expect(answers.map(({ status }) => status).filter((status) => status !== 200 && status !== 409)).toEqual([]);
  });

  test('returns 422 and does nothing when its key belongs to another request', async () => {
    const title = `reused by ${name}`;
    const first = await send(body(title), { key: title, path });
    const different = await send(body(`${title}, differently`), { key: title, path });
    expect({ first: first.status, different: different.status }).toEqual({ first: 200, different: 422 });
    expect({
      first: await countLeagues(title),
      different: await countLeagues(`${title}, differently`),
    }).toEqual({ first: 1, different: 0 });
  });

  test('may have the same key as a request of another caller', async () => {
    const title = `shared by ${name}`;
    const tokens = { 'PB-USER-TOKEN': (await app.person({ roles: ['ADMIN'] })).user };
    await send(body(title), { key: title, path });
    expect(isReplayed(await send(body(`${title}, by another`), { key: title, path, tokens }))).toBe(false);
  });

  test.each(['', 'ü', 'a'.repeat(256)])('returns 400 and does nothing when its key is "%s"', async (key) => {
    const title = `malformed by ${name}`;
    const { status, text } = await send(body(title), { key, path });
    expect({ status, leagues: await countLeagues(title) }).toEqual({ status: 400, leagues: 0 });
    expect(text).toContain('Idempotency-Key');
  });

  test('runs again when its response is older than a day', async () => {
    const title = `yesterday by ${name}`;
    const first = await send(body(title), { key: title, path });
    await app.sql.rows(`update idempotent_response set created_at = created_at - interval '25 hours'`);
    const later = await send(body(title), { key: title, path });
    expect(isReplayed(later)).toBe(false);
    expect(later.text).not.toBe(first.text);
    expect(await countLeagues(title)).toBe(2);
  });
});

test.each(['text/event-stream', 'multipart/mixed'])(
  'an error about a key is JSON, even for a client that accepts %s',
  async (accept) => {
    const sendAs = (title: string) =>
      fetch(`${app.origin}/graphql`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept,
          'PB-API-TOKEN': app.platform.platform,
          'Idempotency-Key': `reused-${accept}`,
        },
        body: JSON.stringify(create(title)),
      });
    await (await sendAs('First')).text();
    const response = await sendAs('Second');
    const { errors } = (await response.json()) as { errors: { extensions: { code: string } }[] };
    expect({
      status: response.status,
      type: response.headers.get('content-type'),
      codes: errors.map(({ extensions }) => extensions.code),
    }).toEqual({ status: 422, type: 'application/json; charset=utf-8', codes: ['KEY_REUSED'] });
  },
);

test('an error about a key has the format of its interface', async () => {
  await send(create('form'), { key: 'form' });
  await send(legacy('form'), { key: 'form of v1', path: leagues });
  const graph = JSON.parse((await send(create('form 2'), { key: 'form' })).text);
  const v1 = JSON.parse((await send(legacy('form 2'), { key: 'form of v1', path: leagues })).text);
  const message = 'Idempotency-Key: expected a new key, because this key was used for another request';
  expect(graph).toEqual({ errors: [{ message, extensions: { code: 'KEY_REUSED' } }] });
  expect(v1).toEqual({ Code: 422, Message: message, Timestamp: expect.any(Number), RequestId: expect.any(Number) });
});

describe('the first response is replayed', () => {
  test('when it is an error that a retry would not change', async () => {
    const invalid = { query: 'mutation { updateLeague(id: "none", input: { title: "x" }) { id } }' };
    const first = await send(invalid, { key: 'wrong' });
    expect(withReplay(await send(invalid, { key: 'wrong' }))).toEqual(replayOf(first));
  });

  test('when it is a 404 response of /v1', async () => {
    const put = { key: 'wrong put', path: '/v1/leagues/none', method: 'PUT' };
    const first = await send(legacy('x'), put);
    expect(first.status).toBe(404);
    expect(withReplay(await send(legacy('x'), put))).toEqual(replayOf(first));
  });

  test('when only a part of the mutation succeeded', async () => {
    const query = `mutation {
      done: createLeague(input: { title: "part" }) { id }
      not: login(input: { email: "nobody@example.com", password: "wrong" }) { token } }`;
    const first = await send({ query }, { key: 'part' });
    const repeated = await send({ query }, { key: 'part' });
    expect(first.text).toContain('INVALID_CREDENTIALS');
    expect(repeated.text).toBe(first.text);
    expect(await countLeagues('part')).toBe(1);
  });

  test.each(['text/event-stream', 'multipart/mixed'])('when it is in the format %s', async (accept) => {
    const tokens = { 'PB-API-TOKEN': app.platform.platform, accept };
    const first = await send(create(accept), { key: accept, tokens });
    const repeated = await send(create(accept), { key: accept, tokens });
    expect(first.status).toBe(200);
    expect(withReplay(repeated)).toEqual(replayOf(first));
    expect(await countLeagues(accept)).toBe(1);
  });
});

describe('a request runs again', () => {
  const email = 'retries@example.com';

  test('when it was a failed login by /graphql', async () => {
    const login = { query: `mutation { login(input: { email: "${email}", password: "a wrong password" }) { token } }` };
    const first = await send(login, { key: 'login' });
    const repeated = await send(login, { key: 'login' });
    expect({ first: isReplayed(first), repeated: isReplayed(repeated) }).toEqual({ first: false, repeated: false });
  });

  test('when it was a failed login by /v1', async () => {
    const login = { payload: { email, password: 'a wrong password' } };
    const options = { key: 'login', path: '/v1/sso/login' };
    const first = await send(login, options);
    const repeated = await send(login, options);
    const failed = { status: 401, isReplayed: false };
    expect({
      first: { status: first.status, isReplayed: isReplayed(first) },
      repeated: { status: repeated.status, isReplayed: isReplayed(repeated) },
    }).toEqual({ first: failed, repeated: failed });
  });

  test('when it is a query', async () => {
    const query = { query: '{ leagues(filter: { title: { eq: "later" } }) { totalCount } }' };
    const totalCountOf = ({ text }: Answer) => JSON.parse(text).data.leagues.totalCount;
    const before = await send(query, { key: 'query' });
    await send(create('later'));
    const after = await send(query, { key: 'query' });
    expect({ before: totalCountOf(before), after: totalCountOf(after) }).toEqual({ before: 0, after: 1 });
  });
});

test('a stored response is encrypted: neither its secret nor its request can be found in the table', async () => {
  const body = {
    query: 'mutation { createPublishableKey(input: { label: "Kept", allowedOrigins: ["https://kept.example"] }) { key } }',
  };
  const first = await send(body, { key: 'secret' });
  const repeated = await send(body, { key: 'secret' });
  const { key } = JSON.parse(first.text).data.createPublishableKey;
  expect(repeated.text).toBe(first.text);
  const rowWithSecret = await app.sql.row(
    `select from idempotent_response
     where position($1::bytea in id || fingerprint || response) > 0 or position($2::bytea in id || fingerprint || response) > 0`,
    [Buffer.from(key), Buffer.from('createPublishableKey')],
  );
  expect(rowWithSecret).toBeNull();
});

/** Locks the row of a league, so that writes to it wait. Returns a function that releases the lock. */
async function lockLeague(id: string) {
  const client = await (await app.resources.pools.pool()).connect();
  await client.query('begin');
  await client.query('select from league where id = $1 for update', [id]);
  return async () => {
    await client.query('commit');
    client.release();
  };
}
const waitForBlockedUpdates = (count: number) =>
  expect
    .poll(() =>
      app.sql.rows(
        `select from pg_stat_activity
         where wait_event_type = 'Lock' and query like 'update "league"%' and datname = current_database()`,
      ),
    )
    .toHaveLength(count);
const update = (id: string, title: string) => ({
  query: `mutation { updateLeague(id: "${id}", input: { title: "${title}" }) { title updatedAt } }`,
});

test('a repeated request gets 409 while the first request runs, and takes over when the process of the first request is lost', async () => {
  await app.graphql('mutation { createLeague(input: { id: "slow", title: "before" }) { id } }');
  const unlock = await lockLeague('slow');
  const first = send(update('slow', 'after'), { key: 'slow' });
  await waitForBlockedUpdates(1);
  const rejected = await send(update('slow', 'after'), { key: 'slow', origin: second.origin });
  expect({
    status: rejected.status,
    code: JSON.parse(rejected.text).errors?.[0].extensions.code,
    retryAfter: rejected.headers.get('retry-after'),
  }).toEqual({ status: 409, code: 'STILL_RUNNING', retryAfter: '1' });
  // Expires the lease, as happens a while after the process of the first request has died.
  await app.sql.rows(`update idempotent_response set leased_until = now() - interval '1 second' where response is null`);
  const successor = send(update('slow', 'after'), { key: 'slow', origin: second.origin });
  await waitForBlockedUpdates(2);
  await unlock();
  const answers = { first: await first, successor: await successor };
  expect({ first: answers.first.status, successor: answers.successor.status }).toEqual({ first: 200, successor: 200 });
  expect((await send(update('slow', 'after'), { key: 'slow' })).text).toBe(answers.successor.text);
});

test.each([
  { key: 'left', path: '/graphql', method: 'POST', body: update('left', 'after') },
  { key: 'left v1', path: '/v1/leagues/left', method: 'PUT', body: legacy('after') },
])('a client of $path that disconnected gets the response when it retries', async ({ body, ...request }) => {
  await app.graphql('mutation { upsertLeague(input: { id: "left", title: "before" }) { id } }');
  const unlock = await lockLeague('left');
  const client = new AbortController();
  const first = send(body, { ...request, signal: client.signal }).catch(() => 'disconnected');
  await waitForBlockedUpdates(1);
  client.abort();
  expect(await first).toBe('disconnected');
  await unlock();
  const retry = await vi.waitUntil(
    async () => {
      const answer = await send(body, request);
      return answer.status === 409 ? null : answer;
    },
    { interval: 20, timeout: 15_000 },
  );
  expect({ status: retry.status, isReplayed: isReplayed(retry) }).toEqual({ status: 200, isReplayed: true });
});

test('old responses are deleted by the daily job', async () => {
  await send(create('old'), { key: 'old' });
  await app.sql.rows(`update idempotent_response set created_at = now() - interval '25 hours'`);
  await deleteExpired(app.sql);
  expect(await app.sql.row('select from idempotent_response')).toBeNull();
});
