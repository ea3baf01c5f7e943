import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { forgetOld } from '../../src/gateway/retries/first-answers-sql.js';
import { startApp, type TestApp } from '../support/app.js';
import { type Process, secondProcess } from '../support/second-process.js';

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

interface Sent {
  key?: string;
  path?: string;
  method?: string;
  tokens?: Record<string, string>;
  origin?: string;
  signal?: AbortSignal;
}

/** Sends a request and reads its answer to the letter. */
async function send(body: unknown, { key, path = '/graphql', method = 'POST', tokens, origin = app.origin, signal }: Sent = {}) {
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
const isReplayed = ({ headers }: { headers: Headers }) => headers.get('idempotent-replayed') === 'true';
const told = ({ status, type, text }: { status: number; type: string | null; text: string }) => ({ status, type, text });
const codeOf = ({ status, text }: { status: number; text: string }) => [status, JSON.parse(text).errors?.[0].extensions.code];

const create = (title: string) => ({
  query: 'mutation ($title: String) { createLeague(input: { title: $title }) { id title createdAt } }',
  variables: { title },
});
const made = async (title: string) =>
  (await app.graphql('query ($title: String) { leagues(filter: { title: { eq: $title } }) { totalCount } }', { title })).leagues
    .totalCount;
const legacy = (title: string) => ({ payload: { leagueTitle: title } });
const leagues = '/v1/leagues';

const doors = [
  { door: '/graphql', path: '/graphql', body: create },
  { door: '/v1', path: leagues, body: legacy },
];

describe.each(doors)('a write by $door', ({ door, path, body }) => {
  test('that is sent again with its key has the first answer, byte for byte, and is done once', async () => {
    const title = `once by ${door}`;
    const first = await send(body(title), { key: title, path });
    const again = await send(body(title), { key: title, path });
    const elsewhere = await send(body(title), { key: title, path, origin: second.origin });
    expect([first, again, elsewhere].map(isReplayed)).toEqual([false, true, true]);
    expect([told(again), told(elsewhere)]).toEqual([told(first), told(first)]);
    expect([first.status, await made(title)]).toEqual([200, 1]);
  });

  test('without a key is done each time', async () => {
    await send(body(`twice by ${door}`), { path });
    await send(body(`twice by ${door}`), { path });
    expect(await made(`twice by ${door}`)).toBe(2);
  });

  test('is done once by twelve at the same moment in two processes; the others hear that it runs, or what came of it', async () => {
    const title = `twelve by ${door}`;
    const origins = Array.from({ length: 12 }, (_, index) => (index % 2 ? app.origin : second.origin));
    const answers = await Promise.all(origins.map((origin) => send(body(title), { key: title, path, origin })));
    expect(await made(title)).toBe(1);
    const done = answers.filter(({ status }) => status === 200);
    expect([new Set(done.map(({ text }) => text)).size, done.filter((answer) => !isReplayed(answer)).length]).toEqual([1, 1]);
    expect(new Set(answers.map(({ status }) => status)).isSubsetOf(new Set([200, 409]))).toBe(true);
  });

  test('with the key of another request is a 422 and does nothing; keys of other callers are others', async () => {
    const title = `reused by ${door}`;
    const tokens = { 'PB-USER-TOKEN': (await app.person({ roles: ['ADMIN'] })).user };
    const [first, other, others] = [
      await send(body(title), { key: title, path }),
      await send(body(`${title}, differently`), { key: title, path }),
      await send(body(`${title}, by another`), { key: title, path, tokens }),
    ];
    expect([first.status, other.status, isReplayed(others)]).toEqual([200, 422, false]);
    expect([await made(title), await made(`${title}, differently`)]).toEqual([1, 0]);
  });

  test.each(['', 'ü', 'a'.repeat(256)])('with the key "%s" is a 400 and does nothing', async (key) => {
    const title = `malformed by ${door}`;
    const answer = await send(body(title), { key, path });
    expect([answer.status, answer.text.includes('Idempotency-Key'), await made(title)]).toEqual([400, true, 0]);
  });

  test('is kept for a day', async () => {
    const title = `yesterday by ${door}`;
    const first = await send(body(title), { key: title, path });
    await app.sql.rows(`update first_answer set created_at = created_at - interval '25 hours'`);
    const again = await send(body(title), { key: title, path });
    expect([isReplayed(again), again.text === first.text, await made(title)]).toEqual([false, false, 2]);
  });
});

test('errors leave in the form of each interface', async () => {
  await send(create('form'), { key: 'form' });
  await send(legacy('form'), { key: 'form of v1', path: leagues });
  const graph = JSON.parse((await send(create('form 2'), { key: 'form' })).text);
  const v1 = JSON.parse((await send(legacy('form 2'), { key: 'form of v1', path: leagues })).text);
  const message = 'Idempotency-Key: expected a new one, this was sent with another request';
  expect(graph).toEqual({ errors: [{ message, extensions: { code: 'KEY_REUSED' } }] });
  expect(v1).toEqual({ Code: 422, Message: message, Timestamp: expect.any(Number), RequestId: expect.any(Number) });
});

test('a refusal that says what is wrong is an answer, too', async () => {
  const wrong = { query: 'mutation { updateLeague(id: "none", input: { title: "x" }) { id } }' };
  const [first, again] = [await send(wrong, { key: 'wrong' }), await send(wrong, { key: 'wrong' })];
  const put = { key: 'wrong put', path: '/v1/leagues/none', method: 'PUT' };
  const [one, two] = [await send(legacy('x'), put), await send(legacy('x'), put)];
  expect([told(again), isReplayed(again)]).toEqual([told(first), true]);
  expect([told(two), isReplayed(two), two.status]).toEqual([told(one), true, 404]);
});

test('what does nothing and is worth trying again runs anew', async () => {
  const email = 'retries@example.com';
  const login = { query: `mutation { login(input: { email: "${email}", password: "a wrong password" }) { token } }` };
  const rest = { payload: { email, password: 'a wrong password' } };
  const graph = [await send(login, { key: 'login' }), await send(login, { key: 'login' })];
  const v1 = { key: 'login', path: '/v1/sso/login' };
  const legacy = [await send(rest, v1), await send(rest, v1)];
  expect([...graph, ...legacy].map(isReplayed)).toEqual([false, false, false, false]);
  expect(legacy.map(({ status }) => status)).toEqual([401, 401]);
});

test('what did a part of its work is kept, whatever became of the rest', async () => {
  const query =
    'mutation { done: createLeague(input: { title: "part" }) { id } not: login(input: { email: "nobody@example.com", password: "wrong" }) { token } }';
  const [first, again] = [await send({ query }, { key: 'part' }), await send({ query }, { key: 'part' })];
  expect([first.text.includes('INVALID_CREDENTIALS'), again.text === first.text, await made('part')]).toEqual([true, true, 1]);
});

test.each(['text/event-stream', 'multipart/mixed'])('an answer in %s is kept as any other', async (accept) => {
  const tokens = { 'PB-API-TOKEN': app.platform.platform, accept };
  const [first, again] = [
    await send(create(accept), { key: accept, tokens }),
    await send(create(accept), { key: accept, tokens }),
  ];
  expect([first.status, told(again), isReplayed(again), await made(accept)]).toEqual([200, told(first), true, 1]);
});

test('a query is answered anew, with a key or without', async () => {
  const query = { query: '{ leagues(filter: { title: { eq: "later" } }) { totalCount } }' };
  const before = await send(query, { key: 'query' });
  await send(create('later'));
  const after = await send(query, { key: 'query' });
  expect([before.text, after.text].map((text) => JSON.parse(text).data.leagues.totalCount)).toEqual([0, 1]);
});

test('secrets are kept for nobody but who has the key and the request', async () => {
  const body = {
    query: 'mutation { createPublishableKey(input: { label: "Kept", allowedOrigins: ["https://kept.example"] }) { key } }',
  };
  const [first, again] = [await send(body, { key: 'secret' }), await send(body, { key: 'secret' })];
  const { key } = JSON.parse(first.text).data.createPublishableKey;
  const found = await app.sql.row(
    `select from first_answer where position($1::bytea in id || fingerprint || answer) > 0 or position($2::bytea in id || fingerprint || answer) > 0`,
    [Buffer.from(key), Buffer.from('createPublishableKey')],
  );
  expect([again.text === first.text, found]).toEqual([true, null]);
});

/** Holds the row of a league, so that its writes wait, until it is let go. */
async function held(id: string) {
  const client = await (await app.resources.pools.pool()).connect();
  await client.query('begin');
  await client.query('select from league where id = $1 for update', [id]);
  return async () => {
    await client.query('commit');
    client.release();
  };
}
const waiting = async () => {
  const found = `select from pg_stat_activity where wait_event_type = 'Lock' and query like 'update "league"%' and datname = current_database()`;
  while (!(await app.sql.row(found))) await sleep(10);
};
const update = (id: string, title: string) => ({
  query: `mutation { updateLeague(id: "${id}", input: { title: "${title}" }) { title updatedAt } }`,
});

test('while the first one runs others are a 409, also at another process, and one that lost its process is taken over', async () => {
  await app.graphql('mutation { createLeague(input: { id: "slow", title: "before" }) { id } }');
  const letGo = await held('slow');
  const first = send(update('slow', 'after'), { key: 'slow' });
  await waiting();
  const meanwhile = await send(update('slow', 'after'), { key: 'slow', origin: second.origin });
  expect([codeOf(meanwhile), meanwhile.headers.get('retry-after')]).toEqual([[409, 'STILL_RUNNING'], '1']);
  // As if the process of the first one had died a minute ago.
  await app.sql.rows(`update first_answer set leased_until = now() - interval '1 second' where answer is null`);
  const heir = send(update('slow', 'after'), { key: 'slow', origin: second.origin });
  await sleep(100);
  await letGo();
  const answers = await Promise.all([first, heir]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect((await send(update('slow', 'after'), { key: 'slow' })).text).toBe(answers[1]?.text);
});

test('a client that went away gets the answer when it comes again', async () => {
  await app.graphql('mutation { createLeague(input: { id: "left", title: "before" }) { id } }');
  for (const [key, path, method, body] of [
    ['left', '/graphql', 'POST', update('left', 'after')],
    ['left v1', '/v1/leagues/left', 'PUT', legacy('after')],
  ] as const) {
    const letGo = await held('left');
    const leaving = new AbortController();
    const first = send(body, { key, path, method, signal: leaving.signal }).catch(() => 'left');
    await waiting();
    leaving.abort();
    expect(await first).toBe('left');
    await letGo();
    let again = await send(body, { key, path, method });
    for (; again.status === 409; again = await send(body, { key, path, method })) await sleep(20);
    expect([key, again.status, isReplayed(again)]).toEqual([key, 200, true]);
  }
});

test('old answers go with the work of the day', async () => {
  await send(create('old'), { key: 'old' });
  await app.sql.rows(`update first_answer set created_at = now() - interval '25 hours'`);
  await forgetOld(app.sql);
  expect(await app.sql.row('select from first_answer')).toBeNull();
});
