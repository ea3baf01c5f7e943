import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { examples } from '../../src/gateway/examples/index.js';
import { startApp, type TestApp } from '../support/app.js';
import { startBrowser } from '../support/browser.js';

let app: TestApp;
let browser: Browser;
let page: Page;
const strangers: string[] = [];
beforeAll(async () => {
  [app, browser] = await Promise.all([startApp(), startBrowser()]);
  page = await browser.newPage();
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
  expect(await page.getByRole('tab').count()).toBe(examples.length);
});

test('the first example runs with the token that stands in the headers pane', async () => {
  await page.getByRole('button', { name: /execute query/i }).click();
  const answer = page.locator('.graphiql-response');
  await expect
    .poll(async () => ((await answer.textContent()) ?? '').replaceAll(/\s/g, ''), { timeout: 10_000 })
    .toContain('"totalCount":0');
});

test('no request leaves the machine', () => {
  expect(strangers).toEqual([]);
});
