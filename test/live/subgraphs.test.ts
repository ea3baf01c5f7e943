import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { portOf } from '../../src/port.js';
import { asRouter, startApp, type TestApp } from '../support/app.js';
import { subscribe } from '../support/live.js';

interface Message {
  action: string;
  payload?: unknown;
  errors?: unknown;
}
/** A subscription as a router knows it that is called back: what it was told so far, and what it answers. */
interface Known {
  readonly heard: (Message & { verifier: string; protocol: unknown })[];
  status: number;
  failures: number;
}
const known = new Map<string, Known>();
const server = createServer((request, response) => {
  let text = '';
  request.on('data', (chunk) => (text += chunk));
  request.on('end', () => {
    const { kind: _, id, ...message } = JSON.parse(text);
    const { heard, ...asked } = known.get(id) ?? { heard: [], status: 404, failures: 0 };
    const fails = asked.failures > heard.filter(({ protocol }) => protocol === undefined).length;
    heard.push({ ...message, protocol: fails ? undefined : request.headers['subscription-protocol'] });
    response.writeHead(fails ? 503 : asked.status).end();
  });
});

let app: TestApp;
let origin: string;
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${portOf(server)}`;
  app = await startApp({ SUBGRAPHS: 'tournaments,leagues', ROUTER_CALLBACKS: `${origin}/callback` });
  await app.graphql(
    'mutation { upsertClub(input: { id: "club", title: "Club" }) { id } upsertTournament(input: { id: "cup", title: "Cup", clubId: "club" }) { id } }',
  );
});
afterAll(async () => {
  await app.close();
  server.close();
});

const path = '/subgraphs/tournaments';
const save = (title: string) =>
  app.graphql('mutation ($title: String) { updateTournament(id: "cup", input: { title: $title }) { id } }', { title });
const query = 'subscription { tournament(id: "cup") { kind id tournament { title club { id } } } }';
const told = (title: string) => ({
  data: { tournament: { kind: 'CHANGED', id: 'cup', tournament: { title, club: { id: 'club' } } } },
});

test('a router is told what changes over server-sent events', async () => {
  const stream = await subscribe(app, app.platform, query, {}, path, asRouter);
  await save('Open');
  await stream.until(1);
  await save('Masters');
  expect(await stream.until(2)).toEqual([told('Open'), told('Masters')]);
  stream.close();
});

const post = (body: object, headers: Record<string, string>) =>
  fetch(`${app.origin}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'pb-api-token': app.platform.platform, ...headers },
    body: JSON.stringify(body),
  });
/** The first event of a stream, as it is written. */
const first = async (response: Response) => {
  const [, data] = /event: next\ndata: (.*)\n\n/.exec(await response.text()) ?? [];
  return data === undefined ? null : JSON.parse(data);
};
/** What Hive Router accepts. */
const events = { ...asRouter, accept: 'multipart/mixed;subscriptionSpec="1.0", text/event-stream' };
/** How many wait for changes; those who look after tokens among them, from the first stream on. */
const watching = () => app.resources.services.changes.size;

test('without the secret of a router nobody is told anything', async () => {
  const response = await post({ query }, { accept: 'text/event-stream' });
  expect([response.status, (await response.json()).errors[0].extensions.code]).toEqual([403, 'FORBIDDEN']);
});

test('a router may ask by GET, and reads one form of streams where it knows several', async () => {
  const asked = new URLSearchParams({ query });
  const aborting = new AbortController();
  const response = await fetch(`${app.origin}${path}?${asked}`, {
    headers: {
      ...asRouter,
      'pb-api-token': app.platform.platform,
      accept: 'multipart/mixed;subscriptionSpec="1.0", text/event-stream',
    },
    signal: aborting.signal,
  });
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
  aborting.abort();
});

const deep = `subscription { tournament(id: "cup") { tournament { ${'club { tournaments { nodes { '.repeat(8)} id ${'} } }'.repeat(8)} } } }`;
const refusals: [string, object, Record<string, string>, string][] = [
  ['an unknown record', { query: query.replace('cup', 'none') }, {}, 'NOT_FOUND'],
  ['an unknown field', { query: 'subscription { tournament(id: "cup") { kin } }' }, {}, 'BAD_INPUT'],
  ['what is no cursor', { query: query.replace('"cup"', '"cup", after: "x"') }, {}, 'BAD_INPUT'],
  ['what is too deep', { query: deep }, {}, 'BAD_INPUT'],
  ['a token that is not known', { query }, { 'pb-api-token': 'unknown' }, 'UNAUTHENTICATED'],
];
test.each(refusals)('%s is refused as elsewhere, in an event that routers read', async (_, body, headers, code) => {
  const response = await post(body, { ...events, ...headers });
  const { errors, data } = await first(response);
  expect([response.status, data ?? null, errors[0].extensions.code]).toEqual([200, null, code]);
});

test('queries are answered as without streams, whatever is accepted', async () => {
  const response = await post({ query: 'query subscription { tournament(id: "cup") { id } }' }, { ...asRouter });
  expect(await response.json()).toMatchObject({ data: { tournament: { id: 'cup' } } });
});

test('a subscription that a router sends by its hash is refused', async () => {
  const text = `query A { __typename } subscription B { tournament(id: "cup") { id } }`;
  const persistedQuery = { version: 1, sha256Hash: createHash('sha256').update(text).digest('hex') };
  await post({ query: text, operationName: 'A', extensions: { persistedQuery } }, asRouter);
  const response = await post({ operationName: 'B', extensions: { persistedQuery } }, asRouter);
  expect([response.status, (await response.json()).errors[0].message]).toEqual([400, 'subscriptions are sent with their text']);
});

test('a subscription ends for the subgraph when the router has gone', async () => {
  const before = watching();
  const stream = await subscribe(app, app.platform, query, {}, path, asRouter);
  const during = watching();
  stream.close();
  await expect.poll(watching).toBe(before);
  expect(during).toBe(before + 1);
});

test('a token that is revoked ends the stream, which says why', async () => {
  const person = await app.person();
  const stream = await subscribe(app, { user: person.user }, query, {}, path, asRouter);
  await app.sql.rows('delete from user_token where user_id = $1', [person.id]);
  const [last] = await stream.until(1);
  await stream.ended;
  expect(last?.errors?.map(({ extensions }) => extensions.code)).toEqual(['UNAUTHENTICATED']);
});

describe('a router that wants to be called back', () => {
  let count = 0;
  /** Asks as a router that has told nobody else of it. */
  async function asked(more: object = {}, { text = query, ...headers }: Record<string, string> = {}, status = 204) {
    const id = `subscription-${count++}`;
    const router: Known = { heard: [], status, failures: 0 };
    known.set(id, router);
    const subscription = {
      callbackUrl: `${origin}/callback/${id}`,
      subscriptionId: id,
      verifier: 'v',
      heartbeatIntervalMs: 0,
      ...more,
    };
    const response = await post(
      { query: text, extensions: { subscription } },
      { ...asRouter, accept: 'application/json;callbackSpec=1.0', ...headers },
    );
    const hears = async (...messages: Message[]) => {
      await expect.poll(() => router.heard.length).toBeGreaterThanOrEqual(messages.length);
      expect(router.heard).toEqual(messages.map((message) => ({ ...message, verifier: 'v', protocol: 'callback/1.0' })));
    };
    return { router, response, hears };
  }

  test('is asked whether it was it, told what changes, and told no more once it does not know it', async () => {
    const before = watching();
    const { router, response, hears } = await asked();
    expect([response.status, await response.json()]).toEqual([200, { data: null }]);
    await save('Back');
    await hears({ action: 'check' }, { action: 'next', payload: told('Back') });
    router.status = 404;
    await save('Gone');
    await expect.poll(watching).toBe(before);
    expect(router.heard).toHaveLength(3);
  });

  test('hears from time to time that it goes on, and ends it by its answer', async () => {
    const before = watching();
    const { router } = await asked({ heartbeatIntervalMs: 100 });
    await expect.poll(() => router.heard.length).toBeGreaterThan(3);
    expect(new Set(router.heard.map(({ action }) => action))).toEqual(new Set(['check']));
    router.status = 404;
    await expect.poll(watching).toBe(before);
  });

  test('is called again where it could not answer', async () => {
    const { router } = await asked();
    router.failures = 2;
    await save('Again');
    await expect
      .poll(() => router.heard.filter(({ protocol }) => protocol).map(({ payload }) => payload))
      .toEqual([undefined, told('Again')]);
  });

  test('is told why there are no events', async () => {
    const { response, hears } = await asked({}, { text: query.replace('cup', 'none') });
    const error = { message: 'no tournament has the id none', path: ['tournament'], extensions: { code: 'NOT_FOUND' } };
    await hears({ action: 'check' }, { action: 'complete', errors: [expect.objectContaining(error)] });
    expect(response.status).toBe(200);
  });

  test('is told when a token is revoked', async () => {
    const person = await app.person();
    const { hears } = await asked({}, { 'pb-api-token': '', 'pb-user-token': person.user });
    await app.sql.rows('delete from user_token where user_id = $1', [person.id]);
    const errors = [{ message: 'the token is unknown, expired or revoked', extensions: { code: 'UNAUTHENTICATED' } }];
    await hears({ action: 'check' }, { action: 'next', payload: { data: null, errors } }, { action: 'complete' });
  });

  test('gets no events where it says that it did not ask', async () => {
    const before = watching();
    const { response } = await asked({}, {}, 400);
    expect([response.status, watching()]).toEqual([400, before]);
  });

  test.each([
    ['at an address beside it', { callbackUrl: 'http://169.254.169.254/callback/7' }, 'callbackUrl'],
    ['at one that only begins like it', { callbackUrl: 'http://127.0.0.1@example.com/callback/7' }, 'callbackUrl'],
    ['without an id', { subscriptionId: '' }, 'subscriptionId'],
    ['with heartbeats all the time', { heartbeatIntervalMs: 1 }, 'heartbeatIntervalMs'],
  ])('is not called %s', async (_, more, field) => {
    const { response, router } = await asked(more);
    const { errors } = await response.json();
    expect([response.status, errors[0].extensions.code, errors[0].extensions.field, router.heard]).toEqual([
      400,
      'BAD_INPUT',
      `extensions.subscription.${field}`,
      [],
    ]);
  });
});
