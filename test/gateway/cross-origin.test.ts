import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { asRouter, startApp, type TestApp } from '../support/app.js';
import { newKey } from '../support/keys.js';

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

const doors = ['/graphql', '/v1/data/tourney_flat_data', '/subgraphs/tournaments'];
const home = 'https://play.example';
const foreign = 'https://evil.example';

/** What an answer tells browsers, and its status. */
async function answered(door: string, headers: Record<string, string>, method = door.startsWith('/v1') ? 'GET' : 'POST') {
  const response = await fetch(app.origin + door, {
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

describe.each(doors)('%s', (door) => {
  test('lets pages of the origins of a key read the answer, and no others', async () => {
    expect([
      await answered(door, { 'PB-API-TOKEN': key, Origin: home }),
      await answered(door, { Authorization: `Bearer ${key}`, Origin: home }),
      await answered(door, { 'PB-API-TOKEN': key, Origin: foreign }),
      await answered(door, { Authorization: `Bearer ${key}`, Origin: foreign }),
    ]).toEqual([to(200, home), to(200, home), to(403, null), to(403, null)]);
  });

  test('lets every page read the answer to a platform token, as ever', async () => {
    expect([
      await answered(door, { 'PB-API-TOKEN': app.platform.platform, Origin: foreign }),
      await answered(door, { 'PB-API-TOKEN': app.platform.platform }),
    ]).toEqual([to(200, '*', false), to(200, '*', false)]);
  });

  test('lets an app without an origin in with a key', async () => {
    expect(await answered(door, { 'PB-API-TOKEN': key })).toEqual(to(200, '*', false));
  });

  test('lets preflights pass with every header that carries a token', async () => {
    const headers = { Origin: foreign, 'Access-Control-Request-Method': 'POST' };
    const response = await fetch(app.origin + door, {
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
