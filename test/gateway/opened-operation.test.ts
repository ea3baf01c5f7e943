import { parse, validate } from 'graphql';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { entriesOf } from '../../compat/engine/index.js';
import { legacyRoutes } from '../../compat/index.js';
import { operationName } from '../../compat/reference/names.js';
import { tabsOf } from '../../src/gateway/examples/index.js';
import { graphOfModules } from '../../src/gateway/graph.js';
import { replaceable } from '../../src/legacy-routes.js';
import { startApp, type TestApp } from '../support/app.js';
import { startBrowser } from '../support/browser.js';

let app: TestApp;
let browser: Browser;
let page: Page;
const allTabs = tabsOf(null);
const complaints: string[] = [];
beforeAll(async () => {
  [app, browser] = await Promise.all([startApp(), startBrowser()]);
  page = await browser.newPage();
  page.on('console', (message) => {
    if (message.type() === 'error' || /Content Security Policy/.test(message.text())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
});
afterAll(async () => {
  await browser.close();
  await app.close();
});

const open = async (name: string) => {
  await page.goto(`${app.origin}/graphql?operation=${name}`);
  await page.getByRole('button', { name: /execute query/i }).waitFor();
  return page.locator('.graphiql-tab-active').textContent();
};

test('GraphiQL opens the GraphQL of an operation of /v1, with its variables, and runs it', async () => {
  expect(await open('getDataTeams')).toEqual(expect.stringMatching(/^getDataTeams(?!Uuid)/));
  await page.getByRole('button', { name: /execute query/i }).click();
  const answer = page.locator('.graphiql-response');
  await expect.poll(async () => ((await answer.textContent()) ?? '').replaceAll(/\s/g, '')).toContain('"totalCount":0');
});

test('another one opens beside it, and the first again in its own place', async () => {
  const tabs = () => page.locator('.graphiql-tab').count();
  await open('getDataTeamsUuid');
  expect([await tabs(), await open('getDataTeams'), await tabs()]).toEqual([
    allTabs.length + 2,
    expect.stringMatching(/^getDataTeams(?!Uuid)/),
    allTabs.length + 2,
  ]);
});

test('for two operations it opens one query, which answers both', async () => {
  expect(await open('getDataTeams,getDataNews')).toEqual(expect.stringMatching(/^getDataTeams,getDataNews/));
  await page.getByRole('button', { name: /execute query/i }).click();
  const answer = page.locator('.graphiql-response');
  await expect.poll(async () => ((await answer.textContent()) ?? '').replaceAll(/\s/g, '')).toMatch(/"teams":\{.*"news":\{/);
});

test('a name that nothing has opens what is open otherwise', async () => {
  await open('getNothing<script>');
  await open('getDataTeams,getNothing');
  expect([await page.locator('.graphiql-tab').count(), complaints]).toEqual([allTabs.length + 3, []]);
});

test('every operation has a name of its own, and GraphQL that fits the graph', () => {
  const names = entriesOf(legacyRoutes).map(({ method, path }) => operationName(method, path));
  const problems = names.flatMap((name) =>
    (replaceable(name)?.calls ?? [{ document: '' }]).flatMap(({ document }) =>
      validate(graphOfModules(), parse(document)).map(({ message }) => `${name}: ${message}`),
    ),
  );
  expect([new Set(names).size, problems]).toEqual([names.length, []]);
});
