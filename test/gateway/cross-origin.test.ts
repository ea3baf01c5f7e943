import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { asRouter, startApp, type TestApp } from '../support/app.js';
import { newKey } from '../support/keys.js';
import { type Process, secondProcess } from '../support/second-process.js';

let app: TestApp;
let key: string;
let revoked: string;
beforeAll(async () => {
  app = await startApp({ SUBGRAPHS: 'tournaments' });
  ({ key } = await newKey(app, ['https://play.example']));
  const dead = await newKey(app, ['https://play.example']);
  revoked = dead.key;
  await app.graphql('mutation ($id: ID!) { revokePublishableKey(id: $id) { id } }', { id: dead.id });
});
afterAll(() => app.close());

const paths = ['/graphql', '/v1/data/tourney_flat_data', '/subgraphs/tournaments'];
const home = 'https://play.example';
const foreign = 'https://evil.example';

/** What an answer tells browsers, and its status. */
async function answered(
  path: string,
  headers: Record<string, string>,
  method = path.startsWith('/v1') ? 'GET' : 'POST',
  at = app.origin,
) {
  const response = await fetch(at + path, {
    method,
    headers: { 'content-type': 'application/json', ...asRouter, ...headers },
    ...(method === 'POST' ? { body: JSON.stringify({ query: '{ tournaments { totalCount } }' }) } : {}),
  });
  const { errors } = response.headers.get('content-type')?.includes('json') ? await response.json() : {};
  return {
    status: response.status,
    ...(errors && response.ok ? { code: errors[0].extensions.code } : {}),
    readable: response.headers.get('access-control-allow-origin'),
    vary: response.headers.get('vary')?.split(', ').includes('Origin') ?? false,
    cookies: response.headers.get('access-control-allow-credentials'),
  };
}
const to = (status: number, readable: string | null, vary = true) => ({ status, readable, vary, cookies: null });

describe.each(paths)('%s', (path) => {
  test('lets pages of the origins of a key read the answer, and no others', async () => {
    expect([
      await answered(path, { 'PB-API-TOKEN': key, Origin: home }),
      await answered(path, { Authorization: `Bearer ${key}`, Origin: home }),
      await answered(path, { 'PB-API-TOKEN': key, Origin: foreign }),
      await answered(path, { Authorization: `Bearer ${key}`, Origin: foreign }),
    ]).toEqual([to(200, home), to(200, home), to(403, null), to(403, null)]);
  });

  test('lets every page read the answer to a platform token, as ever', async () => {
    expect([
      await answered(path, { 'PB-API-TOKEN': app.platform.platform, Origin: foreign }),
      await answered(path, { 'PB-API-TOKEN': app.platform.platform }),
    ]).toEqual([to(200, '*', false), to(200, '*', false)]);
  });

  test('lets an app without an origin in with a key', async () => {
    expect(await answered(path, { 'PB-API-TOKEN': key })).toEqual(to(200, '*', false));
  });

  test('lets preflights pass with every header that carries a token', async () => {
    const headers = { Origin: foreign, 'Access-Control-Request-Method': 'POST' };
    const response = await fetch(app.origin + path, {
      method: 'OPTIONS',
      headers: { ...headers, 'Access-Control-Request-Headers': 'pb-api-token,pb-user-token,authorization,content-type' },
    });
    expect([
      response.status,
      response.headers.get('access-control-allow-origin'),
      response.headers.get('access-control-allow-headers'),
      response.headers.get('access-control-allow-credentials'),
    ]).toEqual([204, '*', 'pb-api-token,pb-user-token,authorization,content-type', null]);
  });
});

describe('where origins are listed', () => {
  const listed = 'https://front.example';
  let closed: Process;
  beforeAll(async () => {
    closed = await secondProcess(app, undefined, undefined, { CORS_ORIGINS: `${listed},http://localhost:*` });
  });
  afterAll(() => closed.close());
  const platform = () => ({ 'PB-API-TOKEN': app.platform.platform });
  const at = (path: string, headers: Record<string, string>) => answered(path, headers, undefined, closed.origin);
  const preflight = async (path: string, origin: string) => {
    const headers = { Origin: origin, 'Access-Control-Request-Method': 'POST', 'Access-Control-Request-Headers': 'pb-api-token' };
    const response = await fetch(closed.origin + path, { method: 'OPTIONS', headers });
    const names = ['access-control-allow-origin', 'access-control-allow-credentials', 'vary'];
    return [response.status, ...names.map((name) => response.headers.get(name)?.split(',')[0] ?? null)];
  };

  test.each(paths.slice(0, 2))('%s lets their pages read, those of a key with it, and servers in as ever', async (path) => {
    expect([
      await at(path, { ...platform(), Origin: listed }),
      await at(path, { ...platform(), Origin: 'http://localhost:5173' }),
      await at(path, { ...platform(), Origin: foreign }),
      await at(path, { ...platform(), Origin: home }),
      await at(path, { 'PB-API-TOKEN': key, Origin: home }),
      await at(path, { 'PB-API-TOKEN': key, Origin: listed }),
      await at(path, platform()),
    ]).toEqual([
      to(200, listed),
      to(200, 'http://localhost:5173'),
      to(200, null),
      to(200, null),
      to(200, home),
      to(403, null),
      to(200, null),
    ]);
  });

  test.each(paths.slice(0, 2))('%s lets preflights of their pages pass, and of those that have a key', async (path) => {
    expect([
      await preflight(path, listed),
      await preflight(path, home),
      await preflight(path, foreign),
      await preflight(path, 'null'),
    ]).toEqual([
      [204, listed, null, 'Origin'],
      [204, home, null, 'Origin'],
      [204, null, null, 'Origin'],
      [204, null, null, 'Origin'],
    ]);
  });
});

test('nothing keeps an answer but lookups, which are asked after each time', async () => {
  const kept = async (path: string, body?: object, headers: Record<string, string> = {}) => {
    const response = await fetch(app.origin + path, {
      method: body ? 'POST' : 'GET',
      headers: { 'content-type': 'application/json', 'PB-API-TOKEN': app.platform.platform, ...headers },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return [response.status, response.headers.get('cache-control')];
  };
  const { user } = await app.person();
  const payload = { email: 'nobody@example.com', password: 'wrong' };
  expect([
    await kept('/v1/sso/login', { payload }),
    await kept('/v1/data/tourney_flat_data'),
    await kept('/v1/data/no-such-path'),
    await kept('/v1/data/lookup_countries'),
    await kept('/graphql', { query: '{ viewer { email } }' }, { 'PB-USER-TOKEN': user }),
    await kept('/graphql?query={viewer{email}}', undefined, { 'PB-USER-TOKEN': user, Origin: foreign }),
    await kept('/graphql', { query: 'mutation { login(input: { email: "x", password: "y" }) { token } }' }),
    await kept('/graphql', { query: '{' }),
  ]).toEqual([
    [401, 'no-store'],
    [200, 'no-store'],
    [404, 'no-store'],
    [200, 'private, no-cache'],
    [200, 'no-store'],
    [200, 'no-store'],
    [200, 'no-store'],
    [400, 'no-store'],
  ]);
});

test('pages learn that their key is revoked', async () => {
  expect(await answered('/graphql', { 'PB-API-TOKEN': revoked, Origin: home })).toEqual({
    ...to(200, home),
    code: 'UNAUTHENTICATED',
  });
});

test('the pages behind the links of mails are for nobody, with a key or without', async () => {
  const page = (headers: Record<string, string>) => answered('/verify/some-value', { Origin: home, ...headers }, 'GET');
  expect([(await page({})).readable, (await page({ 'PB-API-TOKEN': key })).readable]).toEqual([null, null]);
});

test('pages may send an Idempotency-Key, and read whether an answer was given before', async () => {
  const headers = { 'Access-Control-Request-Method': 'POST', 'Access-Control-Request-Headers': 'idempotency-key' };
  const preflight = await fetch(`${app.origin}/graphql`, { method: 'OPTIONS', headers: { Origin: home, ...headers } });
  const answer = await fetch(`${app.origin}/graphql?query={__typename}`, { headers: { Origin: home, 'PB-API-TOKEN': key } });
  expect([
    preflight.headers.get('access-control-allow-headers'),
    answer.headers.get('access-control-expose-headers')?.split(',').includes('Idempotent-Replayed'),
  ]).toEqual(['idempotency-key', true]);
});
