import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/app.js';
import { startBrowser } from '../support/browser.js';
import { findingsOf, type LookedAt, look } from './looked-at.js';

let app: TestApp;
let browser: Browser;
beforeAll(async () => {
  [app, browser] = await Promise.all([startApp(), startBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await app.close();
});

const open = async (path: string): Promise<LookedAt> => {
  const looked = await look(browser, app.origin);
  await looked.page.goto(app.origin + path);
  return looked;
};

const dialog = '[role=dialog]';

/** Buttons of GraphiQL, and what is there once they have done what they do. */
const opened: readonly [button: string, shown: string][] = [
  ['Execute query', '.result-window .mtk1'],
  ['Show Documentation Explorer', '.graphiql-doc-explorer-content'],
  ['Show GraphiQL Explorer', '.graphiql-explorer-root'],
  ['Open short keys', dialog],
  ['Open settings', dialog],
];

test('GraphiQL stays in one scheme when that of the system changes', async () => {
  const { page } = await open('/graphql');
  await page.locator('.graphiql-tab-button[aria-current]').waitFor();
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect.poll(() => page.evaluate('document.body.className')).toContain('graphiql-light');
  expect(await findingsOf(page)).toEqual([]);
  await page.close();
});

test('one leaves an editor of GraphiQL by keyboard', async () => {
  const { page } = await open('/graphql');
  await page.locator('.graphiql-tab-button[aria-current]').waitFor();
  const editor = page.getByRole('group', { name: 'Operation Editor: Enter edits, Escape leaves' });
  await editor.focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => editor.locator('.inputarea').evaluate((area) => area.matches(':focus'))).toBe(true);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Tab');
  expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toMatch(/^Execute query/);
  await page.close();
});

test.each(['light', 'dark'] as const)(
  'what GraphiQL opens is without findings in the %s scheme',
  async (colorScheme) => {
    const { page } = await open('/graphql');
    await page.emulateMedia({ colorScheme });
    await page.reload();
    await page.locator('.graphiql-tab-button[aria-current]').waitFor();
    for (const [name, shown] of opened) {
      await page.getByRole('button', { name }).first().click();
      await page.locator(shown).first().waitFor();
      expect({ name, findings: await findingsOf(page) }).toEqual({ name, findings: [] });
      if (shown === dialog) await page.keyboard.press('Escape');
    }
    await page.close();
  },
  60_000,
);
