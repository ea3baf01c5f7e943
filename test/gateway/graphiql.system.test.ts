import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { examples, tabsOf } from '../../src/gateway/examples/index.js';
import { missingBrowser, newContext } from '../support/clients/browser.js';
import { insertDemoKey } from '../support/fixtures/publishable-keys.js';
import { requires } from '../support/prerequisites.js';
import { startApp, type TestApp } from '../support/servers/app.js';

let app: TestApp;
let context: BrowserContext;
let page: Page;
const allTabs = tabsOf(null);
const externalRequests: string[] = [];
/** Errors and violations of the content security policy that the browser reports. */
const browserErrors: string[] = [];
beforeAll(async () => {
  app = await startApp();
  await insertDemoKey(app);
  if (missingBrowser) return;
  context = await newContext();
  page = await context.newPage();
  page.on('console', (message) => {
    if (message.type() === 'error' || /Content Security Policy/.test(message.text())) browserErrors.push(message.text());
  });
  page.on('pageerror', (error) => browserErrors.push(error.message));
  page.on('request', (request) => {
    if (/^https?:/.test(request.url()) && !request.url().startsWith(app.origin)) externalRequests.push(request.url());
  });
  await page.goto(`${app.origin}/graphql`);
  await page.getByRole('button', { name: /execute query/i }).waitFor();
});
afterAll(async () => {
  await context?.close();
  await app.close();
});

test('GraphiQL opens with a tab for each example', requires(missingBrowser), async () => {
  expect(await page.locator('.graphiql-tab').count()).toBe(allTabs.length);
});

test('an example sends the publishable key, and the token of the user who is signed in', () => {
  const tabs = tabsOf({ platform: 'p', publishable: 'k', user: 'u', admin: 'a' });
  const headersOf = (name: string) => JSON.parse(tabs.find(({ query }) => query.includes(` ${name}`))?.headers ?? '{}');
  expect({
    NearAustin: headersOf('NearAustin'),
    Checkout: headersOf('Checkout'),
    PendingApprovals: headersOf('PendingApprovals'),
  }).toEqual({
    NearAustin: { 'PB-API-TOKEN': 'k' },
    Checkout: { 'PB-API-TOKEN': 'k', 'PB-USER-TOKEN': 'u' },
    PendingApprovals: { 'PB-API-TOKEN': 'k', 'PB-USER-TOKEN': 'a' },
  });
});

test('the first example runs with the token in its headers pane', requires(missingBrowser), async () => {
  await page.getByRole('button', { name: /execute query/i }).click();
  const answer = page.locator('.graphiql-response');
  await expect.poll(async () => ((await answer.textContent()) ?? '').replaceAll(/\s/g, '')).toContain('"totalCount":0');
});

test('a new browser profile opens a tab on click, and restores it after a reload', {
  ...requires(missingBrowser),
  timeout: 60_000,
}, async () => {
  const newProfile = await newContext();
  onTestFinished(() => newProfile.close());
  const newPage = await newProfile.newPage();
  await newPage.goto(`${app.origin}/graphql`);
  await newPage.getByRole('button', { name: /execute query/i }).waitFor();
  const secondTab = newPage.locator('.graphiql-tab').nth(1);
  await secondTab.click({ delay: 50 });
  await expect.poll(() => secondTab.locator('[aria-controls]').getAttribute('aria-current')).toBe('true');
  // GraphiQL stores the open tab a moment later.
  const stored = () =>
    newPage.evaluate(() => ({
      query: localStorage.getItem('graphiql:query'),
      tabState: localStorage.getItem('graphiql:tabState'),
    }));
  await expect
    .poll(stored, { timeout: 30_000 })
    .toEqual({ query: examples[1]?.query, tabState: expect.stringContaining('"activeTabIndex":1') });
  await newPage.reload();
  await newPage.getByRole('button', { name: /execute query/i }).waitFor();
  expect(await newPage.locator('.graphiql-tab').count()).toBe(allTabs.length);
  expect(await newPage.locator('.graphiql-tab-button').nth(1).getAttribute('aria-current')).toBe('true');
});

const getHtml = () => fetch(`${app.origin}/graphql`, { headers: { accept: 'text/html' } });

test('the page has less than 100 kB', async () => {
  expect((await (await getHtml()).text()).length).toBeLessThan(100_000);
});

test('the assets of the page are compressed and immutable', async () => {
  const html = await (await getHtml()).text();
  const paths = [...new Set(html.match(/\/graphql\/assets\/[\w.]+/g))];
  const answers = await Promise.all(
    paths.map(async (path) => {
      const { status, headers } = await fetch(app.origin + path, { headers: { 'accept-encoding': 'gzip' } });
      return { status, encoding: headers.get('content-encoding'), cacheControl: headers.get('cache-control') };
    }),
  );
  expect(answers).toEqual(Array(5).fill({ status: 200, encoding: 'gzip', cacheControl: 'public, max-age=31536000, immutable' }));
});

test('an unknown asset is a 404', async () => {
  expect((await fetch(`${app.origin}/graphql/assets/no.js`)).status).toBe(404);
});

test('the content security policy forbids external scripts and all frames', async () => {
  const policy = (await getHtml()).headers.get('content-security-policy') ?? '';
  expect(policy).toMatch(/script-src 'self'(?: 'sha256-[^']+')+;/);
  expect(policy).toMatch(/frame-ancestors 'none'/);
});

test('the page violates no policy and causes no error', requires(missingBrowser), () => {
  expect(browserErrors).toEqual([]);
});

test('the page sends no request to other servers', requires(missingBrowser), () => {
  expect(externalRequests).toEqual([]);
});
