import { parse, validate } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { graphOfModules } from '../../src/graphql/graph.js';
import { hashOf } from '../../src/modules/accounts/tokens/secrets.js';
import { missingBrowser } from '../support/clients/browser.js';
import { lastValue } from '../support/clients/mailbox.js';
import { requires } from '../support/prerequisites.js';
import type { TestApp } from '../support/servers/app.js';
import { startSeason } from '../support/servers/season.js';
import { accessibilityViolations, type BrowserPage, colorRules, focusOrder, newBrowserPage, overlapsOf } from './browser-page.js';

let app: TestApp;
let passwordResetPath = '';

beforeAll(async () => {
  app = await startSeason();
  // The requests are concurrent, because only calls within the same second count as made together.
  await Promise.all(['teams', 'news'].map((path) => app.rest('GET', `/v1/data/${path}?page_size=1`, app.platform)));
  const routeOfPlatform = `current_date, 'PLATFORM', id, 'GET /v1/data/teams'`;
  await app.sql.rows(`insert into shadow_read select ${routeOfPlatform}, 11, 2, 0, 0 from platform`);
  await app.sql.rows(
    `insert into shadow_difference select ${routeOfPlatform}, 'type', 'results[].seed', 2, now(), now() from platform`,
  );
  await app.person({ email: 'maya@example.com' });
  await app.graphql('mutation { requestPasswordReset(email: "maya@example.com") { channel } }');
  passwordResetPath = `/reset/${await lastValue(app, 'maya@example.com')}`;
});
afterAll(() => app.close());

/**
 * All pages. `ready` is a selector that matches after the page has loaded. `firstFocus` is the name of the first element that the Tab key
 * reaches.
 */
const pages: readonly [title: string, path: () => string, ready: string, firstFocus: string][] = [
  ['start page', () => '/', '.rows table', 'Skip to content'],
  ['reference', () => '/reference', '#search', 'Skip to content'],
  ['page of an operation', () => '/reference/getDataTeamsUuid', 'form.try', 'Skip to content'],
  ['reference of the graph', () => '/reference/graph', '#search', 'Skip to content'],
  ['page of a root field', () => '/reference/graph/Query.tournaments', '.copy', 'Skip to content'],
  ['usage page', () => '/usage', '#report .route', 'Skip to content'],
  ['mail page', () => '/dev/mail', '.mail', 'Skip to content'],
  // The only field has the initial focus, so the first Tab moves to the button.
  ['password reset page', () => passwordResetPath, 'button', 'Save password'],
  // `explorer.js` sets this attribute after GraphiQL has loaded.
  ['explorer', () => '/graphql', '.graphiql-tab-button[aria-current]', 'Skip to content'],
];

describe('in a browser', requires(missingBrowser), () => {
  const open = async (path: string): Promise<BrowserPage> => {
    const browserPage = await newBrowserPage(app.origin);
    await browserPage.page.goto(app.origin + path);
    return browserPage;
  };

  test.each(pages)(
    'the %s is accessible, has no overlaps or console errors, and sends no requests to other origins',
    async (_, path, ready, firstFocus) => {
      const { page, consoleErrors, foreignRequests } = await open(path());
      await page.locator(ready).first().waitFor();
      const focused = await focusOrder(page, 6);
      expect({
        firstFocus: focused[0]?.name,
        withoutFocusRing: focused.filter(({ hasFocusRing }) => !hasFocusRing),
        outOfOrder: focused.filter(({ isInDocumentOrder }) => !isInDocumentOrder),
      }).toEqual({ firstFocus, withoutFocusRing: [], outOfOrder: [] });
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await page.reload();
        await page.locator(ready).first().waitFor();
        for (const width of [1280, 390]) {
          await page.setViewportSize({ width, height: 844 });
          const rules = colorScheme === 'dark' ? colorRules : undefined;
          const defects = { violations: await accessibilityViolations(page, rules), overlaps: await overlapsOf(page) };
          expect({ colorScheme, width, ...defects }).toEqual({ colorScheme, width, violations: [], overlaps: [] });
        }
      }
      expect({ consoleErrors, foreignRequests }).toEqual({ consoleErrors: [], foreignRequests: [] });
    },
    120_000,
  );

  test('the example queries of the start page return rows', async () => {
    const { page } = await open('/');
    const cards = await page.locator('.query').all();
    for (const card of cards) await card.getByRole('button').click();
    for (const card of cards) await card.locator('tbody tr').nth(2).waitFor();
    expect(cards).toHaveLength(3);
    expect(await page.locator('.query .alarm').count()).toBe(0);
  });

  test('the start page shows distances with their unit', async () => {
    const { page } = await open('/');
    const table = page.locator('#NearAustin table');
    await table.waitFor();
    const headings = await table.locator('thead th').allTextContents();
    const cells = await table.locator('tbody td').allTextContents();
    const index = headings.indexOf('Distance');
    expect({ index, distance: cells[index - 1] }).toEqual({ index: 1, distance: expect.stringMatching(/^[\d.]+ km$/) });
  });

  test('the start page shows the state of the service', async () => {
    const { page } = await open('/');
    expect(await page.locator('dd.state').allTextContents()).toEqual(['Up', '400 tournaments', expect.stringMatching(/waiting/)]);
  });

  test('the reference filters operations as the user types, and sends a request to one of them', async () => {
    const { page, consoleErrors } = await open('/reference');
    await page.getByRole('searchbox').fill('teams get');
    const visibleOperations = page.locator('.operation:not([hidden])');
    await expect.poll(() => visibleOperations.count()).toBeLessThan(8);
    await page.getByText('/v1/data/teams', { exact: true }).first().click();
    const operation = page.locator('#getDataTeams');
    await operation.getByRole('button', { name: 'Send GET' }).click();
    const state = operation.locator('.outcome .state');
    await state.waitFor();
    expect({ state: await state.textContent(), consoleErrors }).toEqual({ state: '200 OK', consoleErrors: [] });
    expect(await operation.locator('.outcome').textContent()).toContain('"total_records": "8000"');
  });

  test.each([
    ['Tournament.title', '/v1/data/tourney_flat_data', 'result.Title = Tournament.title'],
    ['CostRegistration_Current', '/v1/data/tourney_flat_data', 'result.CostRegistrationCurrent = Tournament.registrationFee'],
    ['player_one_uuid', '/v1/data/teams', 'results[].player_one_uuid = Team.playerOneId'],
    ['Query.teams.filter.eventId', '/v1/data/teams', 'event_uuid = Query.teams.filter.eventId.eq'],
    ['getDataLeagues', '/v1/data/leagues', 'getDataLeagues'],
  ])('a search of the reference for %s finds %s and shows the match', async (words, path, match) => {
    const { page, consoleErrors } = await open('/reference');
    await page.getByRole('searchbox').fill(words);
    const operation = page
      .locator('.operation:not([hidden])')
      .filter({ has: page.locator('.path').getByText(path, { exact: true }) });
    await operation.locator('.matches').getByText(match).first().waitFor();
    const visibleOperations = await page.locator('.operation:not([hidden])').count();
    expect(visibleOperations).toBeLessThan(30);
    expect(await page.locator('#match-count').textContent()).toContain(`${visibleOperations} of 1`);
    expect({ violations: await accessibilityViolations(page), consoleErrors }).toEqual({ violations: [], consoleErrors: [] });
    await page.getByRole('searchbox').fill('');
    expect(await page.locator('.operation[hidden], .group[hidden], .matches').count()).toBe(0);
  });

  test('a search of the graph reference finds a type by its field, and its page opens an example in GraphiQL', async () => {
    const { page, consoleErrors } = await open('/reference/graph');
    await page.getByRole('searchbox').fill('Tournament.distance');
    const visibleEntry = page.locator('[id="Tournament"]:not([hidden])');
    await visibleEntry.locator('.matches').getByText('Tournament.distance').waitFor();
    await page.goto(`${app.origin}/reference/graph/Query.clubs`);
    await page.getByRole('link', { name: 'Open in GraphiQL' }).click();
    await expect.poll(() => page.locator('.graphiql-tab-button[aria-current]').textContent()).toBe('Clubs');
    expect(consoleErrors).toEqual([]);
  });

  test('a URL with a fragment opens that operation with its code samples', async () => {
    const { page } = await open('/reference#getDataTeamsUuid');
    const part = page.locator('#getDataTeamsUuid .operation-part');
    await part.waitFor();
    const samples = await part.locator('.sample code').allTextContents();
    expect(samples.slice(0, 2)).toEqual([
      expect.stringContaining(`curl '${app.origin}/v1/data/teams/`),
      expect.stringContaining('await v1.getDataTeamsUuid({\n  uuid: "'),
    ]);
    expect(await accessibilityViolations(page)).toEqual([]);
  });

  test('the reference opens an operation in GraphiQL, where it runs', async () => {
    const { page, consoleErrors } = await open('/reference/getDataLookupFormats');
    await page.getByRole('link', { name: 'Open in GraphiQL' }).click();
    await page.getByRole('button', { name: /execute query/i }).click();
    const answer = page.locator('.graphiql-response');
    await expect.poll(async () => (await answer.textContent())?.replaceAll(/\s/g, '')).toContain('"formats":');
    expect(consoleErrors).toEqual([]);
  }, 60_000);

  test('the usage page shows a recent call with links to its replacement', async () => {
    const { page } = await open('/usage');
    await page.locator('.route').first().waitFor();
    expect(await page.getByText('GET /v1/data/teams/{uuid}').count()).toBe(0);
    await app.rest('GET', '/v1/data/teams/unknown', app.platform);
    await page.getByRole('button', { name: 'Show' }).click();
    const card = page.locator('.route', { hasText: 'GET /v1/data/teams/{uuid}' });
    await card.waitFor();
    expect(await card.textContent()).toContain('1 call, 1 client error, 0 server errors');
    expect(await card.getByRole('link').evaluateAll((links) => links.map((link) => link.getAttribute('href')))).toEqual([
      '/graphql?operation=getDataTeamsUuid',
      '/reference#getDataTeamsUuid',
    ]);
  });

  test('the usage page suggests one query for routes that are called together', async () => {
    const { page } = await open('/usage');
    const suggestion = page.locator('.suggestion').first();
    await suggestion.waitFor();
    await suggestion.getByText('Combined query').click();
    const text = (await suggestion.locator('pre').textContent()) ?? '';
    expect({
      validationErrors: validate(graphOfModules(), parse(text)),
      link: await suggestion.getByRole('link').getAttribute('href'),
    }).toEqual({ validationErrors: [], link: '/graphql?operation=getDataNews,getDataTeams' });
  });

  test('the usage page shows where responses differ from those of the old server', async () => {
    const { page } = await open('/usage');
    const shadow = page.locator('.shadow');
    await shadow.waitFor();
    expect(await shadow.locator('p').first().textContent()).toBe(
      '11 of 13 responses are the same as those of the old server. 2 differ.',
    );
    expect(await shadow.getByRole('row').nth(1).locator('th, td').allTextContents()).toEqual([
      ...['GET /v1/data/teams', 'type', 'results[].seed', '2'],
      ...[expect.stringMatching(/ UTC$/), expect.stringMatching(/ UTC$/)],
    ]);
  });

  test('the usage page of a platform without calls explains how to start', async () => {
    const { page } = await open('/usage');
    await app.sql.rows(`insert into platform (id, title, token_hash, token_hint) values ('new', 'New', $1, 'new')`, [
      hashOf('token-of-a-new-platform'),
    ]);
    await page.getByLabel('Token', { exact: true }).fill('token-of-a-new-platform');
    await page.getByRole('button', { name: 'Show' }).click();
    await page.getByText('No calls to /v1 in the last 30 days').waitFor();
    expect({
      charts: await page.locator('#report .chart').count(),
      violations: await accessibilityViolations(page),
    }).toEqual({ charts: 0, violations: [] });
  });

  test('the usage page rejects an unknown token, and does not store it', async () => {
    const { page } = await open('/usage');
    await page.getByLabel('Token', { exact: true }).fill('wrong');
    await page.getByRole('button', { name: 'Show' }).click();
    await page.getByRole('alert').waitFor();
    const [local, session, cookies, url] = JSON.parse(
      await page.evaluate(`JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href])`),
    );
    expect({ local, session, cookies, url }).toEqual({ local: {}, session: {}, cookies: '', url: `${app.origin}/usage` });
  });
});
