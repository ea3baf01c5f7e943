import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { demo } from '../../src/demo/tokens.js';
import { hashPassword } from '../../src/modules/accounts/password.js';
import { hashOf } from '../../src/modules/accounts/secrets.js';
import { portOf } from '../../src/port.js';
import { startApp, type TestApp } from '../support/app.js';
import { startBrowser } from '../support/browser.js';
import { newKey } from '../support/keys.js';

let app: TestApp;
let browser: Browser;
let site: Server;
let origin: string;
let foreign: string;
let key: string;
beforeAll(async () => {
  [app, browser] = await Promise.all([startApp(), startBrowser()]);
  site = createServer((_, response) => response.setHeader('content-type', 'text/html').end('<title>A site</title>'));
  await once(site.listen(0, '127.0.0.1'), 'listening');
  // One server, two origins to a browser, and neither is the service's.
  origin = `http://localhost:${portOf(site)}`;
  foreign = `http://127.0.0.1:${portOf(site)}`;
  ({ key } = await newKey(app, [origin]));
  const { id } = await app.person({ email: 'maya@example.com', firstName: 'Maya' });
  await app.sql.rows('update app_user set password_hash = $2 where id = $1', [id, await hashPassword('correct horse')]);
});
afterAll(async () => {
  await browser.close();
  site.close();
  await app.close();
});

async function pageOf(address: string): Promise<Page> {
  const page = await browser.newPage();
  await page.goto(address);
  return page;
}

/** What a page's own script gets, or what its browser says. */
const ask = (page: Page, headers: Record<string, string>, query: string, variables: object = {}) =>
  page.evaluate(
    async ([url, init]) => {
      try {
        const response = await fetch(url, init);
        return { status: response.status, ...(await response.json()) };
      } catch (error) {
        return { refused: String(error) };
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
const signOns = async () => (await app.sql.rows('select from user_token where device is not null')).length;

test('a page of another origin signs in with its key and reads as the user', async () => {
  const page = await pageOf(origin);
  const wrong = await ask(page, {}, login, { input: { ...input, password: 'wrong' } });
  const { data } = await ask(page, {}, login, { input });
  const viewer = await ask(
    page,
    { Authorization: `Bearer ${data.login.token}` },
    '{ viewer { firstName } tournaments { totalCount } }',
  );
  expect([wrong.errors[0].extensions.code, viewer]).toEqual([
    'INVALID_CREDENTIALS',
    {
      status: 200,
      data: { viewer: { firstName: 'Maya' }, tournaments: { totalCount: 0 } },
      extensions: { cost: { cost: 3, limit: 200_000 } },
    },
  ]);
});

test('a page of the same origin works over /v1, too', async () => {
  const page = await pageOf(origin);
  const answer = await page.evaluate(
    async ([url, apiToken]) => {
      const response = await fetch(url, { headers: { 'PB-API-TOKEN': apiToken } });
      return [response.status, await response.json()];
    },
    [`${app.origin}/v1/data/tourney_flat_data`, key] as const,
  );
  expect(answer).toEqual([200, { totalRecords: '0', results: [] }]);
});

test('a page of a foreign origin is refused by the browser, and nobody is signed in', async () => {
  const page = await pageOf(foreign);
  const before = await signOns();
  const answers = [await ask(page, {}, login, { input }), await ask(page, {}, '{ tournaments { totalCount } }')];
  expect([answers, (await signOns()) - before]).toEqual([Array(2).fill({ refused: 'TypeError: Failed to fetch' }), 0]);
});

test('the script of the page on calling the graph signs in', async () => {
  const [, script = ''] = /```js\n(.*?)```/s.exec(readFileSync('docs/graphql.md', 'utf8')) ?? [];
  await app.sql.rows('update publishable_key set key_hash = $1', [hashOf(demo.publishableKey)]);
  await app.sql.rows(`update app_user set email = 'player@courtside.test', password_hash = $1`, [
    await hashPassword(demo.adminPassword),
  ]);
  const page = await pageOf(origin);
  const here = script.replace('http://localhost:4000', app.origin);
  expect(await page.evaluate(`(async () => { ${here}; return viewer; })()`)).toEqual({ firstName: 'Maya', lastName: 'Lopez' });
});
