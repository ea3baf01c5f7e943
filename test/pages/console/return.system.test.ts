import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { missingBrowser } from '../../support/clients/browser.js';
import { requires } from '../../support/prerequisites.js';
import type { TestApp } from '../../support/servers/app.js';
import { items } from './approval-items.js';
import { type ConsoleUser, consoleUser, openConsole, startConsole } from './console-page.js';

let app: TestApp;
let superAdmin: ConsoleUser;
beforeAll(async () => {
  app = await startConsole();
  superAdmin = await consoleUser(app, { firstName: 'Sue', lastName: 'Perez', isSuperAdmin: true });
  await app.sql.rows(`insert into platform (id, title) select 'many-' || n, 'Many ' || n from generate_series(1, 120) n`);
  await app.sql.rows(`insert into webhook (id, platform_id, url, events, secret)
    select 'many-' || n, 'demo-club-sites', 'https://courtside.test/many/' || n, '{team.changed}', 'x' from generate_series(1, 120) n`);
}, 120_000);
afterAll(() => app.close());

interface ListPage {
  readonly path: string;
  /** Name of the link from a record back to the list. Undefined if there is no link. */
  readonly back?: string;
}

const lists: Readonly<Record<string, ListPage>> = {
  Users: { path: '/users?order=CREATED_AT&direction=ASC', back: 'All users' },
  Platforms: { path: '/platforms', back: 'All platforms' },
  Webhooks: { path: '/webhooks?order=CREATED_AT&direction=ASC', back: 'All webhooks' },
  'Webhooks: deliveries': { path: '/webhooks/demo-webhook', back: 'Webhook courtside.test/hooks/results' },
  Data: { path: '/data/Team?order=title', back: 'Teams' },
  Operations: { path: '/operations/audit?type=User' },
};

/** Returns the rows of the list, the focused link and the scroll position. */
const stateOf = async (page: Page) => ({
  rows: await page.locator('tbody tr').count(),
  ...(await page.evaluate<{ focus: string; scroll: number }>('({ focus: document.activeElement.href, scroll: scrollY })')),
  url: page.url(),
});

describe('in a browser', { ...requires(missingBrowser), timeout: 60_000 }, () => {
  test.each(Object.entries(lists))(
    '%s: a list has the same rows and position when the user returns',
    async (_, { path, back }) => {
      const { page } = await openConsole(app, superAdmin, path);
      const rows = page.locator('tbody tr');
      await rows.first().waitFor();
      const pageSize = await rows.count();
      await page.getByRole('button', { name: 'Load more' }).click();
      await expect.poll(() => rows.count()).toBe(2 * pageSize);
      const link = rows
        .nth(pageSize + 10)
        .getByRole('link')
        .first();
      await link.focus();
      const left = await stateOf(page);
      expect(left.scroll).toBeGreaterThan(0);
      await page.keyboard.press('Enter');
      await expect.poll(() => page.evaluate('document.activeElement.localName')).toBe('h1');
      await page.goBack();
      await expect.poll(() => stateOf(page)).toEqual(left);
      if (!back) return;
      await link.click();
      await page.getByRole('main').getByRole('link', { name: back, exact: true }).click();
      await expect.poll(() => stateOf(page)).toEqual(left);
    },
  );

  test('the link back from a form for a new record leads to the filtered list', async () => {
    const { page } = await openConsole(app, superAdmin, '/data/Team?order=title');
    await page.getByRole('link', { name: 'New' }).click();
    const back = page.getByRole('main').getByRole('link', { name: 'Teams', exact: true });
    await back.click();
    await expect.poll(() => page.url()).toBe(`${app.origin}/console/data/Team?order=title`);
    await page.locator('tbody').getByRole('link').first().click();
    await page.getByRole('heading', { name: 'Details' }).waitFor();
    await back.click();
    await expect.poll(() => page.url()).toBe(`${app.origin}/console/data/Team?order=title`);
  });

  test('Approvals: the list has the same rows, and the selected item is visible', async () => {
    const { page } = await openConsole(app, superAdmin, '/approvals?state=PENDING');
    await items(page).first().waitFor();
    const pageSize = await items(page).count();
    await items(page).last().click();
    await expect.poll(() => items(page).count()).toBe(2 * pageSize);
    await items(page).last().click();
    await expect.poll(() => items(page).count()).toBe(3 * pageSize);
    const selected = page.locator('.queue .items [aria-current]');
    const title = await selected.textContent();
    await page.getByRole('link', { name: 'Webhooks' }).click();
    await page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor();
    await page.goBack();
    await expect.poll(() => items(page).count()).toBe(3 * pageSize);
    expect(await selected.textContent()).toBe(title);
    const hiddenHeight = `((link) => {
      const [box, list] = [link.getBoundingClientRect(), link.closest('.items').getBoundingClientRect()];
      return Math.round(Math.max(list.top - box.top, box.bottom - list.bottom, 0));
    })(document.querySelector('.queue .items [aria-current]'))`;
    await expect.poll(() => page.evaluate(hiddenHeight)).toBe(0);
  });
});
