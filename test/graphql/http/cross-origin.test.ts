import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newKey } from '../../support/fixtures/publishable-keys.js';
import { routerHeaders, startApp, type TestApp } from '../../support/servers/app.js';
import { type Process, secondProcess } from '../../support/servers/second-app.js';

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

/** Sends a request. Returns the status, error code and CORS headers of the response. */
async function fetchFrom(
  path: string,
  headers: Record<string, string>,
  method = path.startsWith('/v1') ? 'GET' : 'POST',
  server = app.origin,
) {
  const response = await fetch(server + path, {
    method,
    headers: { 'content-type': 'application/json', ...routerHeaders, ...headers },
    ...(method === 'POST' ? { body: JSON.stringify({ query: '{ tournaments { totalCount } }' }) } : {}),
  });
  const { errors } = response.headers.get('content-type')?.includes('json') ? await response.json() : {};
  return {
    status: response.status,
    ...(errors && response.ok ? { code: errors[0].extensions.code } : {}),
    allowOrigin: response.headers.get('access-control-allow-origin'),
    variesByOrigin: response.headers.get('vary')?.split(', ').includes('Origin') ?? false,
    allowCredentials: response.headers.get('access-control-allow-credentials'),
  };
}
const answer = (status: number, allowOrigin: string | null, variesByOrigin = true) => ({
  status,
  allowOrigin,
  variesByOrigin,
  allowCredentials: null,
});

describe.each(paths)('%s', (path) => {
  test.each(['PB-API-TOKEN', 'Authorization'])(
    'with a key in %s, lets only pages of the origins of the key read the response',
    async (header) => {
      const value = header === 'Authorization' ? `Bearer ${key}` : key;
      expect({
        ofListedOrigin: await fetchFrom(path, { [header]: value, Origin: home }),
        ofForeignOrigin: await fetchFrom(path, { [header]: value, Origin: foreign }),
      }).toEqual({ ofListedOrigin: answer(200, home), ofForeignOrigin: answer(403, null) });
    },
  );

  test('lets every page read the response to a platform token', async () => {
    expect({
      withOrigin: await fetchFrom(path, { 'PB-API-TOKEN': app.platform.platform, Origin: foreign }),
      withoutOrigin: await fetchFrom(path, { 'PB-API-TOKEN': app.platform.platform }),
    }).toEqual({ withOrigin: answer(200, '*', false), withoutOrigin: answer(200, '*', false) });
  });

  test('accepts a key from an app without an origin', async () => {
    expect(await fetchFrom(path, { 'PB-API-TOKEN': key })).toEqual(answer(200, '*', false));
  });

  test('allows every header that carries a token in preflights', async () => {
    const headers = { Origin: foreign, 'Access-Control-Request-Method': 'POST' };
    const response = await fetch(app.origin + path, {
      method: 'OPTIONS',
      headers: { ...headers, 'Access-Control-Request-Headers': 'pb-api-token,pb-user-token,authorization,content-type' },
    });
    expect({
      status: response.status,
      allowOrigin: response.headers.get('access-control-allow-origin'),
      allowHeaders: response.headers.get('access-control-allow-headers'),
      allowCredentials: response.headers.get('access-control-allow-credentials'),
    }).toEqual({
      status: 204,
      allowOrigin: '*',
      allowHeaders: 'pb-api-token,pb-user-token,authorization,content-type',
      allowCredentials: null,
    });
  });
});

describe('with CORS_ORIGINS', () => {
  const listed = 'https://front.example';
  let restricted: Process;
  beforeAll(async () => {
    restricted = await secondProcess(app, undefined, undefined, { CORS_ORIGINS: `${listed},http://localhost:*` });
  });
  afterAll(() => restricted.close());
  const platform = () => ({ 'PB-API-TOKEN': app.platform.platform });
  const fetchRestricted = (path: string, headers: Record<string, string>) =>
    fetchFrom(path, headers, undefined, restricted.origin);
  const preflight = async (path: string, origin: string) => {
    const headers = { Origin: origin, 'Access-Control-Request-Method': 'POST', 'Access-Control-Request-Headers': 'pb-api-token' };
    const response = await fetch(restricted.origin + path, { method: 'OPTIONS', headers });
    const firstOf = (name: string) => response.headers.get(name)?.split(',')[0] ?? null;
    return {
      status: response.status,
      allowOrigin: firstOf('access-control-allow-origin'),
      allowCredentials: firstOf('access-control-allow-credentials'),
      vary: firstOf('vary'),
    };
  };

  describe.each(paths.slice(0, 2))('%s', (path) => {
    test('lets only pages of these origins read the response to a platform token', async () => {
      expect({
        listed: await fetchRestricted(path, { ...platform(), Origin: listed }),
        wildcardPort: await fetchRestricted(path, { ...platform(), Origin: 'http://localhost:5173' }),
        foreign: await fetchRestricted(path, { ...platform(), Origin: foreign }),
        ofKey: await fetchRestricted(path, { ...platform(), Origin: home }),
        none: await fetchRestricted(path, platform()),
      }).toEqual({
        listed: answer(200, listed),
        wildcardPort: answer(200, 'http://localhost:5173'),
        foreign: answer(200, null),
        ofKey: answer(200, null),
        none: answer(200, null),
      });
    });

    test('lets only pages of the origins of a key read the response to the key', async () => {
      expect({
        ofKey: await fetchRestricted(path, { 'PB-API-TOKEN': key, Origin: home }),
        listed: await fetchRestricted(path, { 'PB-API-TOKEN': key, Origin: listed }),
      }).toEqual({ ofKey: answer(200, home), listed: answer(403, null) });
    });

    test('allows preflights of these origins and of the origins of keys', async () => {
      const allowed = (allowOrigin: string | null) => ({ status: 204, allowOrigin, allowCredentials: null, vary: 'Origin' });
      expect({
        listed: await preflight(path, listed),
        ofKey: await preflight(path, home),
        foreign: await preflight(path, foreign),
        null: await preflight(path, 'null'),
      }).toEqual({ listed: allowed(listed), ofKey: allowed(home), foreign: allowed(null), null: allowed(null) });
    });
  });
});

test('only lookups are cacheable, and must be revalidated', async () => {
  const cacheControlOf = async (path: string, body?: object, headers: Record<string, string> = {}) => {
    const response = await fetch(app.origin + path, {
      method: body ? 'POST' : 'GET',
      headers: { 'content-type': 'application/json', 'PB-API-TOKEN': app.platform.platform, ...headers },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return { status: response.status, cacheControl: response.headers.get('cache-control') };
  };
  const { user } = await app.person();
  const payload = { email: 'nobody@example.com', password: 'wrong' };
  expect({
    legacyLogin: await cacheControlOf('/v1/sso/login', { payload }),
    legacyList: await cacheControlOf('/v1/data/tourney_flat_data'),
    unknownLegacyPath: await cacheControlOf('/v1/data/no-such-path'),
    legacyLookup: await cacheControlOf('/v1/data/lookup_countries'),
    queryByPost: await cacheControlOf('/graphql', { query: '{ viewer { email } }' }, { 'PB-USER-TOKEN': user }),
    queryByGet: await cacheControlOf('/graphql?query={viewer{email}}', undefined, { 'PB-USER-TOKEN': user, Origin: foreign }),
    mutation: await cacheControlOf('/graphql', {
      query: 'mutation { login(input: { email: "x", password: "y" }) { token } }',
    }),
    invalidQuery: await cacheControlOf('/graphql', { query: '{' }),
  }).toEqual({
    legacyLogin: { status: 401, cacheControl: 'no-store' },
    legacyList: { status: 200, cacheControl: 'no-store' },
    unknownLegacyPath: { status: 404, cacheControl: 'no-store' },
    legacyLookup: { status: 200, cacheControl: 'private, no-cache' },
    queryByPost: { status: 200, cacheControl: 'no-store' },
    queryByGet: { status: 200, cacheControl: 'no-store' },
    mutation: { status: 200, cacheControl: 'no-store' },
    invalidQuery: { status: 400, cacheControl: 'no-store' },
  });
});

test('pages can read that their key is revoked', async () => {
  expect(await fetchFrom('/graphql', { 'PB-API-TOKEN': revoked, Origin: home })).toEqual({
    ...answer(200, home),
    code: 'UNAUTHENTICATED',
  });
});

test('no page of another origin can read the pages that emails link to, with a key or without', async () => {
  const allowOrigin = async (headers: Record<string, string>) =>
    (await fetchFrom('/verify/some-value', { Origin: home, ...headers }, 'GET')).allowOrigin;
  expect({ withoutKey: await allowOrigin({}), withKey: await allowOrigin({ 'PB-API-TOKEN': key }) }).toEqual({
    withoutKey: null,
    withKey: null,
  });
});

test('pages may send Idempotency-Key', async () => {
  const headers = { 'Access-Control-Request-Method': 'POST', 'Access-Control-Request-Headers': 'idempotency-key' };
  const preflight = await fetch(`${app.origin}/graphql`, { method: 'OPTIONS', headers: { Origin: home, ...headers } });
  expect(preflight.headers.get('access-control-allow-headers')).toBe('idempotency-key');
});

test('pages can read Idempotent-Replayed', async () => {
  const { headers } = await fetch(`${app.origin}/graphql?query={__typename}`, {
    headers: { Origin: home, 'PB-API-TOKEN': key },
  });
  expect(headers.get('access-control-expose-headers')?.split(',')).toContain('Idempotent-Replayed');
});
