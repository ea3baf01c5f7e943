import { parse, validate } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { graphOfModules } from '../../src/gateway/graph.js';
import { hashOf } from '../../src/modules/accounts/secrets.js';
import type { TestApp } from '../support/app.js';
import { browserOrNone } from '../support/browser.js';
import { lastValue } from '../support/mailbox.js';
import { findingsOf, type LookedAt, look, overlapsOf, tabbed } from './looked-at.js';
import { startSeason } from './season.js';

const browser = await browserOrNone();
let app: TestApp;
let reset = '';

beforeAll(async () => {
  if (!browser) return;
  app = await startSeason();
  await app.rest('GET', '/v1/data/teams?page_size=1', app.platform);
  await app.rest('GET', '/v1/data/news?page_size=1', app.platform);
  const whose = `current_date, 'PLATFORM', id, 'GET /v1/data/teams'`;
  await app.sql.rows(`insert into shadow_read select ${whose}, 11, 2, 0, 0 from platform`);
  await app.sql.rows(`insert into shadow_difference select ${whose}, 'type', 'results[].seed', 2, now(), now() from platform`);
  await app.person({ email: 'maya@example.com' });
  await app.graphql('mutation { requestPasswordReset(email: "maya@example.com") { channel } }');
  reset = `/reset/${await lastValue(app, 'maya@example.com')}`;
});
afterAll(async () => {
  await browser?.close();
  await app?.close();
});

/** Every page, with what shows that it is there, and what one reaches first by keyboard. */
const pages: readonly [title: string, path: () => string, ready: string, first: string][] = [
  ['start page', () => '/', '.rows table', 'Skip to the content'],
  ['reference', () => '/reference', '#search', 'Skip to the content'],
  ['page of an operation', () => '/reference/getDataTeamsUuid', 'form.try', 'Skip to the content'],
  ['usage page', () => '/usage', '#report .route', 'Skip to the content'],
  ['mail page', () => '/dev/mail', '.mail', 'Skip to the content'],
  // Its only field has the focus from the start.
  ['page behind a mail', () => reset, 'button', 'Save'],
  // Its last part to come are the names that a script gives its tabs.
  ['explorer', () => '/graphql', '.graphiql-tab-button[aria-current]', 'Skip to the content'],
];

describe.skipIf(!browser)('in a browser', () => {
  const open = async (path: string): Promise<LookedAt> => {
    if (!browser) throw new Error('there is no browser');
    const looked = await look(browser, app.origin);
    await looked.page.goto(app.origin + path);
    return looked;
  };

  test.each(pages)(
    'the %s is complete, asks nobody else and is open to all',
    async (_, path, ready, first) => {
      const { page, complaints, strangers } = await open(path());
      await page.locator(ready).first().waitFor();
      const reached = await tabbed(page, 6);
      expect([reached[0]?.name, reached.filter(({ isShown, isBehind }) => !isShown || !isBehind)]).toEqual([first, []]);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await page.reload();
        await page.locator(ready).first().waitFor();
        for (const width of [1280, 390]) {
          await page.setViewportSize({ width, height: 844 });
          const found = { findings: await findingsOf(page), overlaps: await overlapsOf(page) };
          expect({ colorScheme, width, ...found }).toEqual({ colorScheme, width, findings: [], overlaps: [] });
        }
      }
      expect({ complaints, strangers }).toEqual({ complaints: [], strangers: [] });
      await page.close();
    },
    120_000,
  );

  test('the questions of the start page return rows', async () => {
    const { page } = await open('/');
    const cards = await page.locator('.question').all();
    for (const card of cards) await card.getByRole('button').click();
    for (const card of cards) await card.locator('tbody tr').nth(2).waitFor();
    expect(cards).toHaveLength(3);
    expect(await page.locator('.question .alarm').count()).toBe(0);
    await page.close();
  });

  test('the start page tells how the service is', async () => {
    const { page } = await open('/');
    expect(await page.locator('dd.state').allTextContents()).toEqual(['Up', '400 tournaments', expect.stringMatching(/waiting/)]);
    await page.close();
  });

  test('the reference is searched as one types, and an operation is tried in its place', async () => {
    const { page, complaints } = await open('/reference');
    await page.getByRole('searchbox').fill('teams get');
    const shown = page.locator('.operation:not([hidden])');
    await expect.poll(() => shown.count()).toBeLessThan(8);
    await page.getByText('/v1/data/teams', { exact: true }).first().click();
    const operation = page.locator('#getDataTeams');
    await operation.getByRole('button', { name: 'Send GET' }).click();
    await operation.locator('.outcome .state').waitFor();
    expect([await operation.locator('.outcome .state').textContent(), complaints]).toEqual(['200 OK', []]);
    expect(await operation.locator('.outcome').textContent()).toContain('"total_records": "8000"');
    await page.close();
  });

  test.each([
    ['Tournament.title', '/v1/data/tourney_flat_data', 'result.Title is Tournament.title'],
    ['CostRegistration_Current', '/v1/data/tourney_flat_data', 'result.CostRegistrationCurrent is Tournament.registrationFee'],
    ['player_one_uuid', '/v1/data/teams', 'results[].player_one_uuid is Team.playerOneId'],
    ['Query.teams.filter.eventId', '/v1/data/teams', 'event_uuid is Query.teams.filter.eventId.eq'],
    ['getDataLeagues', '/v1/data/leagues', 'getDataLeagues'],
  ])('the reference is searched for %s, and says why it found %s', async (words, path, reason) => {
    const { page, complaints } = await open('/reference');
    await page.getByRole('searchbox').fill(words);
    const found = page
      .locator('.operation:not([hidden])')
      .filter({ has: page.locator('.path').getByText(path, { exact: true }) });
    await found.locator('.why').getByText(reason).first().waitFor();
    const shown = await page.locator('.operation:not([hidden])').count();
    expect([shown < 30, await page.locator('#found').textContent()]).toEqual([true, expect.stringContaining(`${shown} of 1`)]);
    expect([await findingsOf(page), complaints]).toEqual([[], []]);
    await page.getByRole('searchbox').fill('');
    expect(await page.locator('.operation[hidden], .group[hidden], .why').count()).toBe(0);
    await page.close();
  });

  test('an address with a name opens that operation, with its samples', async () => {
    const { page } = await open('/reference#getDataTeamsUuid');
    const part = page.locator('#getDataTeamsUuid .operation-part');
    await part.waitFor();
    const samples = await part.locator('.sample code').allTextContents();
    expect(samples.slice(0, 2)).toEqual([
      expect.stringContaining(`curl '${app.origin}/v1/data/teams/`),
      expect.stringContaining('await v1.getDataTeamsUuid({\n  uuid: "'),
    ]);
    expect(await findingsOf(page)).toEqual([]);
    await page.close();
  });

  test('the reference opens an operation in GraphiQL, which runs it', async () => {
    const { page, complaints } = await open('/reference/getDataLookupFormats');
    await page.getByRole('link', { name: 'Open in GraphiQL' }).click();
    await page.getByRole('button', { name: /execute query/i }).click();
    const answer = page.locator('.graphiql-response');
    await expect.poll(async () => (await answer.textContent())?.replaceAll(/\s/g, '')).toContain('"formats":');
    expect(complaints).toEqual([]);
    await page.close();
  }, 60_000);

  test('the usage page shows a call that was just made, and what to ask instead', async () => {
    const { page } = await open('/usage');
    await page.locator('.route').first().waitFor();
    expect(await page.getByText('GET /v1/data/teams/{uuid}').count()).toBe(0);
    await app.rest('GET', '/v1/data/teams/unknown', app.platform);
    await page.getByRole('button', { name: 'Show' }).click();
    const card = page.locator('.route', { hasText: 'GET /v1/data/teams/{uuid}' });
    await card.waitFor();
    expect(await card.textContent()).toContain('1 call, 1 refused, 0 failed');
    expect(await card.getByRole('link').evaluateAll((links) => links.map((link) => link.getAttribute('href')))).toEqual([
      '/graphql?operation=getDataTeamsUuid',
      '/reference#getDataTeamsUuid',
    ]);
    await page.close();
  });

  test('the usage page shows what could be one query, and what the old server answers otherwise', async () => {
    const { page } = await open('/usage');
    const joined = page.locator('.joined').first();
    await joined.waitFor();
    await joined.getByText('The one query').click();
    const text = (await joined.locator('pre').textContent()) ?? '';
    expect([validate(graphOfModules(), parse(text)), await joined.getByRole('link').getAttribute('href')]).toEqual([
      [],
      '/graphql?operation=getDataNews,getDataTeams',
    ]);
    const shadow = page.locator('.shadow');
    expect(await shadow.locator('p').first().textContent()).toBe(
      '11 of 13 answers are the same as those of the old server, 2 differ.',
    );
    expect(await shadow.getByRole('row').nth(1).locator('th, td').allTextContents()).toEqual([
      ...['GET /v1/data/teams', 'type', 'results[].seed', '2'],
      ...[expect.stringMatching(/ UTC$/), expect.stringMatching(/ UTC$/)],
    ]);
    await page.close();
  });

  test('the usage page says how to begin, to whom has called nothing', async () => {
    const { page } = await open('/usage');
    await app.sql.rows(`insert into platform (id, title, token_hash, token_hint) values ('new', 'New', $1, 'new')`, [
      hashOf('token-of-a-new-platform'),
    ]);
    await page.getByLabel('Token', { exact: true }).fill('token-of-a-new-platform');
    await page.getByRole('button', { name: 'Show' }).click();
    await page.getByText('Nobody has called /v1 in the last 30 days.').waitFor();
    expect([await page.locator('#report .chart').count(), await findingsOf(page)]).toEqual([0, []]);
    await page.close();
  });

  test('the usage page tells a wrong token, and keeps none', async () => {
    const { page } = await open('/usage');
    await page.getByLabel('Token', { exact: true }).fill('wrong');
    await page.getByRole('button', { name: 'Show' }).click();
    await page.getByRole('alert').waitFor();
    const kept = await page.evaluate(
      `JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href])`,
    );
    expect(kept).toBe(JSON.stringify([{}, {}, '', `${app.origin}/usage`]));
    await page.close();
  });
});
