import { parse, validate } from 'graphql';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { entriesOf } from '../../compat/engine/index.js';
import { legacyRoutes } from '../../compat/index.js';
import { operationName } from '../../compat/reference/names.js';
import { graphOfModules } from '../../src/graphql/graph.js';
import { replaceableRouteOf } from '../../src/server/legacy-routes.js';
import { missingBrowser, newContext } from '../support/clients/browser.js';
import { requires } from '../support/prerequisites.js';
import { startApp, type TestApp } from '../support/servers/app.js';

describe('in a browser', requires(missingBrowser), () => {
  let app: TestApp;
  let context: BrowserContext;
  let page: Page;
  const browserErrors: string[] = [];
  beforeAll(async () => {
    app = await startApp();
    context = await newContext();
    page = await context.newPage();
    page.on('console', (message) => {
      if (message.type() === 'error' || /Content Security Policy/.test(message.text())) browserErrors.push(message.text());
    });
    page.on('pageerror', (error) => browserErrors.push(error.message));
  });
  afterAll(async () => {
    await context.close();
    await app.close();
  });

  const open = async (name: string) => {
    await page.goto(`${app.origin}/graphql?operation=${name}`);
    await page.getByRole('button', { name: /execute query/i }).waitFor();
    return page.locator('.graphiql-tab-active').textContent();
  };

  test('GraphiQL opens the GraphQL equivalent of a /v1 operation with its variables, and runs it', async () => {
    expect(await open('getDataTeams')).toEqual(expect.stringMatching(/^getDataTeams(?!Uuid)/));
    await page.getByRole('button', { name: /execute query/i }).click();
    const answer = page.locator('.graphiql-response');
    await expect.poll(async () => ((await answer.textContent()) ?? '').replaceAll(/\s/g, '')).toContain('"totalCount":0');
  });

  test('a second operation opens in a new tab, and an operation that is already open opens in its existing tab', async () => {
    const countTabs = () => page.locator('.graphiql-tab').count();
    await open('getDataTeamsUuid');
    expect(await countTabs()).toBe(3);
    expect(await open('getDataTeams')).toEqual(expect.stringMatching(/^getDataTeams(?!Uuid)/));
    expect(await countTabs()).toBe(3);
  });

  test('two operations open as one query with the results of both', async () => {
    expect(await open('getDataTeams,getDataNews')).toEqual(expect.stringMatching(/^getDataTeams,getDataNews/));
    await page.getByRole('button', { name: /execute query/i }).click();
    const answer = page.locator('.graphiql-response');
    await expect.poll(async () => ((await answer.textContent()) ?? '').replaceAll(/\s/g, '')).toMatch(/"teams":\{.*"news":\{/);
  });

  test('an unknown operation opens no tab and causes no error', async () => {
    await open('getNothing<script>');
    await open('getDataTeams,getNothing');
    expect({ tabs: await page.locator('.graphiql-tab').count(), browserErrors }).toEqual({
      tabs: 4,
      browserErrors: [],
    });
  });
});

const operationNames = entriesOf(legacyRoutes).map(({ method, path }) => operationName(method, path));

test('every /v1 operation has a unique name', () => {
  expect(new Set(operationNames).size).toBe(operationNames.length);
});

test('every /v1 operation has a GraphQL equivalent that is valid in the graph', () => {
  const errors = operationNames.flatMap((name) =>
    (replaceableRouteOf(name)?.calls ?? [{ document: '' }]).flatMap(({ document }) =>
      validate(graphOfModules(), parse(document)).map(({ message }) => `${name}: ${message}`),
    ),
  );
  expect(errors).toEqual([]);
});
