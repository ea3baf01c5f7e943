import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { operationName } from '../../compat/reference/names.js';
import { assetPath } from '../../src/pages/assets.js';
import { startApp, type TestApp } from '../support/servers/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp({ PUBLIC_URL: 'https://play.example:8443/' });
});
afterAll(() => app.close());

/** Requests a page with the given `Host` header. Returns the HTTP status. */
async function statusOf(path: string, host: string): Promise<number | undefined> {
  const accept = path === '/graphql' ? 'text/html' : '*/*';
  const sent = request(`${app.origin}${path}`, { headers: { host, accept } }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  response.resume();
  return response.statusCode;
}

/** All pages and documents that need no token. */
const pages = [
  '/',
  '/graphql',
  '/graphql/assets/graphiql.js',
  assetPath('page.css'),
  '/openapi.json',
  '/openapi.json?mine=true',
  '/reference',
  `/reference/${operationName('GET', '/v1/data/teams')}`,
  '/reference/graph',
  '/reference/graph/Query',
  '/usage',
  '/verify/x',
  '/reset/x',
  '/game-invitation/x',
  '/dev/mail',
  '/dev/mail.json',
];

test.each(pages)('%s is rejected for host names that an attacker can register', async (path) => {
  const statuses: Record<string, number | undefined> = {};
  for (const host of [
    'evil.example',
    'localhost.evil.example',
    'evil.example:4000',
    '127.0.0.1.evil.example',
    'x@localhost',
    'localhost#x',
  ])
    statuses[host] = await statusOf(path, host);
  expect(new Set(Object.values(statuses))).toEqual(new Set([403]));
});

test.each(pages)('%s is served for localhost, IP addresses and the host of PUBLIC_URL', async (path) => {
  const statuses: Record<string, number | undefined> = {};
  for (const host of ['localhost:4000', 'courtside.localhost', '127.0.0.1', '10.0.0.5:4000', '[::1]:4000', 'play.example'])
    statuses[host] = await statusOf(path, host);
  expect(Object.values(statuses)).not.toContain(403);
});

test('an absolute request target must also name such a host', async () => {
  const statuses: Record<string, number | undefined> = {};
  for (const target of [
    'http://evil.example/openapi.json',
    'http://evil.example:99999/openapi.json',
    'http://play.example/openapi.json',
  ]) {
    const sent = request(app.origin, { path: target, headers: { host: 'localhost' } }).end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    response.resume();
    statuses[target] = response.statusCode;
  }
  expect(statuses).toEqual({
    'http://evil.example/openapi.json': 403,
    'http://evil.example:99999/openapi.json': 403,
    'http://play.example/openapi.json': 200,
  });
});

test('/v1 and operations of /graphql need a token and are served for every host name', async () => {
  const headers = { host: 'api.example', 'PB-API-TOKEN': app.platform.platform ?? '' };
  const sent = request(`${app.origin}/v1/data/teams`, { headers }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  response.resume();
  expect(response.statusCode).toBe(200);
});
