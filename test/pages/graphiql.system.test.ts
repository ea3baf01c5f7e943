import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { exampleGroups, exampleName, examples, firstExample, tabOf } from '../../src/graphql/examples/index.js';
import { missingBrowser, newContext } from '../support/clients/browser.js';
import { insertDemoKey, insertDemoPlayer } from '../support/fixtures/publishable-keys.js';
import { requires } from '../support/prerequisites.js';
import { startApp, type TestApp } from '../support/servers/app.js';
import { secondProcess } from '../support/servers/second-app.js';

let app: TestApp;
let context: BrowserContext;
let page: Page;
const externalRequests: string[] = [];
/** Errors and Content Security Policy violations that the browser reports. */
const browserErrors: string[] = [];
beforeAll(async () => {
  app = await startApp();
  await insertDemoKey(app);
  await insertDemoPlayer(app);
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

test('GraphiQL opens with one example, and with a menu of all examples in groups', requires(missingBrowser), async () => {
  await page.getByRole('button', { name: 'Examples' }).click();
  const groups = await Promise.all(
    (await page.locator('#examples section').all()).map(async (section) => ({
      title: await section.getByRole('heading').textContent(),
      paths: await section.getByRole('link').evaluateAll((links) => links.map((link) => link.getAttribute('href'))),
    })),
  );
  expect({ groups, tabs: await page.locator('.graphiql-tab').count() }).toEqual({
    groups: exampleGroups.map(({ title, examples: members }) => ({
      title,
      paths: members.map((example) => `/graphql?example=${exampleName(example)}`),
    })),
    tabs: 1,
  });
  await page.keyboard.press('Escape');
});

test('a menu link opens the tab of an example', requires(missingBrowser), async () => {
  const context = await newContext();
  onTestFinished(() => context.close());
  const opened = await context.newPage();
  await opened.goto(`${app.origin}/graphql`);
  await opened.getByRole('button', { name: 'Examples' }).click();
  await opened.locator('#examples a[href$="=Clubs"]').click();
  const tab = opened.locator('.graphiql-tab-button[aria-current]');
  await expect.poll(() => tab.textContent()).toBe('Clubs');
  expect(await opened.locator('.graphiql-tab').count()).toBe(2);
});

test('GraphiQL shows the response of an example before its first execution', requires(missingBrowser), async () => {
  const answer = page.locator('.graphiql-response');
  await expect.poll(async () => ((await answer.textContent()) ?? '').replaceAll(/\s/g, '')).toContain('"totalCount":0');
});

test('without demo data GraphiQL shows no response before the first execution', async () => {
  const other = await secondProcess(app);
  onTestFinished(() => other.close());
  const html = await (await fetch(`${other.origin}/graphql`, { headers: { accept: 'text/html' } })).text();
  expect(html).toContain('<script type="application/json" id="example-response">null</script>');
});

test('GraphiQL fits a phone', requires(missingBrowser), async () => {
  const context = await newContext({ viewport: { width: 390, height: 844 } });
  onTestFinished(() => context.close());
  const phone = await context.newPage();
  await phone.goto(`${app.origin}/graphql`);
  const editors = phone.locator('.graphiql-query-editor .monaco-editor, .graphiql-response .monaco-editor');
  await expect.poll(() => editors.count()).toBe(2);
  const widthOf = () => phone.evaluate('document.documentElement.scrollWidth');
  const boxes = await Promise.all((await editors.all()).map((editor) => editor.boundingBox()));
  const isUsable = boxes.map((box) => box !== null && box.width >= 300 && box.height >= 120 && box.x + box.width <= 390);
  await phone.getByRole('button', { name: 'Examples' }).click();
  const menu = await phone.locator('#examples').boundingBox();
  expect({ width: await widthOf(), isUsable, isMenuInside: menu !== null && menu.x >= 0 && menu.x + menu.width <= 390 }).toEqual({
    width: 390,
    isUsable: [true, true],
    isMenuInside: true,
  });
});

test('an example sends the publishable key, and the token of the user who is signed in', () => {
  const tokens = { platform: 'p', publishable: 'k', user: 'u', admin: 'a' };
  const tabs = examples.map((example) => tabOf(example, tokens));
  const headersOf = (name: string) => JSON.parse(tabs.find(({ title }) => title === name)?.headers ?? '{}');
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

test('GraphiQL sends requests as the demo player by default, even in new tabs', async () => {
  const { headers } = tabOf(firstExample, { platform: 'p', publishable: 'k', user: 'u', admin: 'a' });
  const html = await (await fetch(`${app.origin}/graphql`, { headers: { accept: 'text/html' } })).text();
  expect({ headers: JSON.parse(headers), tokensInPage: html.includes('pk_') && html.includes('demo-user-token') }).toEqual({
    headers: { 'PB-API-TOKEN': 'k', 'PB-USER-TOKEN': 'u' },
    tokensInPage: true,
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
  await newPage.goto(`${app.origin}/graphql?example=WholeTournament`);
  await newPage.goto(`${app.origin}/graphql`);
  await newPage.getByRole('button', { name: /execute query/i }).waitFor();
  const firstTab = newPage.locator('.graphiql-tab').nth(0);
  await firstTab.click({ delay: 50 });
  await expect.poll(() => firstTab.locator('[aria-controls]').getAttribute('aria-current')).toBe('true');
  // GraphiQL stores the open tab after a short delay.
  const stored = () =>
    newPage.evaluate(() => ({
      query: localStorage.getItem('graphiql:query'),
      headers: localStorage.getItem('graphiql:headers'),
      tabState: localStorage.getItem('graphiql:tabState'),
    }));
  await expect.poll(stored, { timeout: 30_000 }).toEqual({
    query: examples[0]?.query,
    headers: expect.stringContaining('PB-USER-TOKEN'),
    tabState: expect.stringContaining('"activeTabIndex":0'),
  });
  await newPage.reload();
  await newPage.getByRole('button', { name: /execute query/i }).waitFor();
  expect(await newPage.locator('.graphiql-tab').count()).toBe(2);
  expect(await newPage.locator('.graphiql-tab-button').nth(0).getAttribute('aria-current')).toBe('true');
});

const getHtml = () => fetch(`${app.origin}/graphql`, { headers: { accept: 'text/html' } });

test('the page is smaller than 100 kB', async () => {
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

test('an unknown asset returns 404', async () => {
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
