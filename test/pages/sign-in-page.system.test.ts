import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { demo } from '../../src/demo/tokens.js';
import { hashOf } from '../../src/modules/accounts/tokens/secrets.js';
import { portOf } from '../../src/process/port.js';
import { missingBrowser, newContext } from '../support/clients/browser.js';
import { passwordHash } from '../support/fixtures/passwords.js';
import { newKey } from '../support/fixtures/publishable-keys.js';
import { requires } from '../support/prerequisites.js';
import { startApp, type TestApp } from '../support/servers/app.js';

let app: TestApp;
let site: Server;
let origin: string;
let foreign: string;
let key: string;
beforeAll(async () => {
  app = await startApp();
  site = createServer((_, response) => response.setHeader('content-type', 'text/html').end('<title>A site</title>'));
  await once(site.listen(0, '127.0.0.1'), 'listening');
  // With two host names, the browser treats one server as two origins. Neither is the origin of the service.
  origin = `http://localhost:${portOf(site)}`;
  foreign = `http://127.0.0.1:${portOf(site)}`;
  ({ key } = await newKey(app, [origin]));
  const { id } = await app.person({ email: 'maya@example.com', firstName: 'Maya' });
  await app.sql.rows('update app_user set password_hash = $2 where id = $1', [id, await passwordHash('correct horse')]);
});
afterAll(async () => {
  site.close();
  await app.close();
});

async function pageOf(address: string): Promise<Page> {
  const context = await newContext();
  onTestFinished(() => context.close());
  const page = await context.newPage();
  await page.goto(address);
  return page;
}

/** Sends an operation from a script on a page. Returns the response, or the error that the browser throws. */
const postFrom = (page: Page, headers: Record<string, string>, query: string, variables: object = {}) =>
  page.evaluate(
    async ([url, init]) => {
      try {
        const response = await fetch(url, init);
        return { status: response.status, ...(await response.json()) };
      } catch (error) {
        return { error: String(error) };
      }
    },
    [
      `${app.origin}/graphql`,
      {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'PB-API-TOKEN': key, ...headers },
        body: JSON.stringify({ query, variables }),
      },
    ] as const,
  );

const login = 'mutation ($input: LoginInput!) { login(input: $input) { token } }';
const input = { email: 'maya@example.com', password: 'correct horse' };
const countSessions = async () => (await app.sql.rows('select from user_token where device is not null')).length;

test('a page of a listed origin can log in with its key and read as the user', requires(missingBrowser), async () => {
  const page = await pageOf(origin);
  const { data } = await postFrom(page, {}, login, { input });
  const query = '{ viewer { firstName } tournaments { totalCount } }';
  expect(await postFrom(page, { Authorization: `Bearer ${data.login.token}` }, query)).toEqual({
    status: 200,
    data: { viewer: { firstName: 'Maya' }, tournaments: { totalCount: 0 } },
    extensions: { cost: { cost: 3, limit: 200_000 } },
  });
});

test('a page of a listed origin can read that a password is wrong', requires(missingBrowser), async () => {
  const { errors } = await postFrom(await pageOf(origin), {}, login, { input: { ...input, password: 'wrong' } });
  expect(errors[0].extensions.code).toBe('INVALID_CREDENTIALS');
});

test('a page of a listed origin can read /v1', requires(missingBrowser), async () => {
  const page = await pageOf(origin);
  const answer = await page.evaluate(
    async ([url, apiToken]) => {
      const response = await fetch(url, { headers: { 'PB-API-TOKEN': apiToken } });
      return { status: response.status, body: await response.json() };
    },
    [`${app.origin}/v1/data/tourney_flat_data`, key] as const,
  );
  expect(answer).toEqual({ status: 200, body: { totalRecords: '0', results: [] } });
});

test('a page of a foreign origin cannot read responses, and its login creates no session', requires(missingBrowser), async () => {
  const page = await pageOf(foreign);
  const sessionsBefore = await countSessions();
  const blocked = { error: 'TypeError: Failed to fetch' };
  expect({
    login: await postFrom(page, {}, login, { input }),
    query: await postFrom(page, {}, '{ tournaments { totalCount } }'),
    newSessions: (await countSessions()) - sessionsBefore,
  }).toEqual({ login: blocked, query: blocked, newSessions: 0 });
});

test('the sample script of docs/graphql.md logs in and reads the viewer', requires(missingBrowser), async () => {
  const [, script = ''] = /```js\n(.*?)```/s.exec(readFileSync('docs/graphql.md', 'utf8')) ?? [];
  await app.sql.rows('update publishable_key set key_hash = $1', [hashOf(demo.publishableKey)]);
  await app.sql.rows(`update app_user set email = 'player@courtside.test', password_hash = $1`, [
    await passwordHash(demo.adminPassword),
  ]);
  const page = await pageOf(origin);
  const localScript = script.replace('http://localhost:4000', app.origin);
  expect(await page.evaluate(`(async () => { ${localScript}; return viewer; })()`)).toEqual({
    firstName: 'Maya',
    lastName: 'Lopez',
  });
});
