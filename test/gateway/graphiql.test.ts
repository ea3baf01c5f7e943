import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { examples, tabsOf } from '../../src/gateway/examples/index.js';
import { startApp, type TestApp } from '../support/app.js';
import { startBrowser } from '../support/browser.js';

let app: TestApp;
let browser: Browser;
let page: Page;
const allTabs = tabsOf(null);
const strangers: string[] = [];
/** What the browser had to say against the pages: what their policy forbids, and errors. */
const complaints: string[] = [];
beforeAll(async () => {
  [app, browser] = await Promise.all([startApp(), startBrowser()]);
  page = await browser.newPage();
  page.on('console', (message) => {
    if (message.type() === 'error' || /Content Security Policy/.test(message.text())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => {
    if (/^https?:/.test(request.url()) && !request.url().startsWith(app.origin)) strangers.push(request.url());
  });
  await page.goto(`${app.origin}/graphql`);
  await page.getByRole('button', { name: /execute query/i }).waitFor();
});
afterAll(async () => {
  await browser.close();
  await app.close();
});

test('GraphiQL opens with a tab for each example', async () => {
  expect(await page.locator('.graphiql-tab').count()).toBe(allTabs.length);
});

test('an example carries the token of the one who asks it', () => {
  const tabs = tabsOf({ platform: 'p', user: 'u', admin: 'a' });
  const headers = (name: string) => JSON.parse(tabs.find(({ query }) => query.includes(` ${name}`))?.headers ?? '{}');
  expect(['NearAustin', 'Checkout', 'PendingApprovals'].map(headers)).toEqual([
    { 'PB-API-TOKEN': 'p' },
    { 'PB-USER-TOKEN': 'u' },
    { 'PB-USER-TOKEN': 'a' },
  ]);
});

test('the first example runs with the token that stands in the headers pane', async () => {
  await page.getByRole('button', { name: /execute query/i }).click();
  const answer = page.locator('.graphiql-response');
  await expect.poll(async () => ((await answer.textContent()) ?? '').replaceAll(/\s/g, '')).toContain('"totalCount":0');
});

test('a click on another tab opens it, in a profile that was never here', async () => {
  const fresh = await (await browser.newContext()).newPage();
  await fresh.goto(`${app.origin}/graphql`);
  await fresh.getByRole('button', { name: /execute query/i }).waitFor();
  const second = fresh.locator('.graphiql-tab').nth(1);
  await second.click({ delay: 50 });
  await expect.poll(() => second.locator('[aria-controls]').getAttribute('aria-current')).toBe('true');
  // It writes down what is open a moment later.
  const kept = () => fresh.evaluate(() => [localStorage.getItem('graphiql:query'), localStorage.getItem('graphiql:tabState')]);
  await expect.poll(kept, { timeout: 30_000 }).toEqual([examples[1]?.query, expect.stringContaining('"activeTabIndex":1')]);
  await fresh.reload();
  await fresh.getByRole('button', { name: /execute query/i }).waitFor();
  expect([
    await fresh.locator('.graphiql-tab').count(),
    await fresh.locator('.graphiql-tab-button').nth(1).getAttribute('aria-current'),
  ]).toEqual([allTabs.length, 'true']);
}, 60_000);

test('the page is small, and what it loads is compressed and kept for ever', async () => {
  const html = await (await fetch(`${app.origin}/graphql`, { headers: { accept: 'text/html' } })).text();
  expect(html.length).toBeLessThan(100_000);
  const files = [...new Set(html.match(/\/graphql\/assets\/[\w.]+/g))];
  const answers = await Promise.all(
    files.map(async (path) => {
      const { status, headers } = await fetch(app.origin + path, { headers: { 'accept-encoding': 'gzip' } });
      return [status, headers.get('content-encoding'), headers.get('cache-control')];
    }),
  );
  expect(answers).toEqual(Array(5).fill([200, 'gzip', 'public, max-age=31536000, immutable']));
  expect((await fetch(`${app.origin}/graphql/assets/no.js`)).status).toBe(404);
});

test('its policy forbids nothing that it does, and no script and no frame of others', async () => {
  const { headers } = await fetch(`${app.origin}/graphql`, { headers: { accept: 'text/html' } });
  const policy = headers.get('content-security-policy') ?? '';
  expect([complaints, /script-src 'self'(?: 'sha256-[^']+')+;/.test(policy), /frame-ancestors 'none'/.test(policy)]).toEqual([
    [],
    true,
    true,
  ]);
});

test('no request leaves the machine', () => {
  expect(strangers).toEqual([]);
});
