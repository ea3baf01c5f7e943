import { afterAll, beforeAll, expect, test } from 'vitest';
import { missingBrowser } from '../support/clients/browser.js';
import { requires } from '../support/prerequisites.js';
import { startApp, type TestApp } from '../support/servers/app.js';
import { accessibilityViolations, type BrowserPage, colorRules, newBrowserPage } from './browser-page.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const open = async (path: string): Promise<BrowserPage> => {
  const browserPage = await newBrowserPage(app.origin);
  await browserPage.page.goto(app.origin + path);
  return browserPage;
};

const dialog = '[role=dialog]';

/** GraphiQL buttons, each with a selector for the element that it opens. */
const openers: readonly [button: string, opened: string][] = [
  ['Execute query', '.result-window .mtk1'],
  ['Show Documentation Explorer', '.graphiql-doc-explorer-content'],
  ['Show GraphiQL Explorer', '.graphiql-explorer-root'],
  ['Open short keys', dialog],
  ['Open settings', dialog],
];

test('GraphiQL keeps its light theme when the color scheme of the system changes', requires(missingBrowser), async () => {
  const { page } = await open('/graphql');
  await page.locator('.graphiql-tab-button[aria-current]').waitFor();
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect.poll(() => page.evaluate('document.body.className')).toContain('graphiql-light');
  expect(await accessibilityViolations(page)).toEqual([]);
});

test('the Escape and Tab keys leave an editor of GraphiQL', requires(missingBrowser), async () => {
  const { page } = await open('/graphql');
  await page.locator('.graphiql-tab-button[aria-current]').waitFor();
  const editor = page.getByRole('group', { name: 'Operation Editor: press Enter to edit, Escape to leave' });
  await editor.focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => editor.locator('.inputarea').evaluate((area) => area.matches(':focus'))).toBe(true);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Tab');
  expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toMatch(/^Execute query/);
});

test.each(['light', 'dark'] as const)(
  'panels and dialogs of GraphiQL have no accessibility violations in the %s scheme',
  { timeout: 60_000, ...requires(missingBrowser) },
  async (colorScheme) => {
    const { page } = await open('/graphql');
    await page.emulateMedia({ colorScheme });
    await page.reload();
    await page.locator('.graphiql-tab-button[aria-current]').waitFor();
    for (const [button, opened] of openers) {
      await page.getByRole('button', { name: button }).first().click();
      await page.locator(opened).first().waitFor();
      const rules = colorScheme === 'dark' ? colorRules : undefined;
      expect({ button, violations: await accessibilityViolations(page, rules) }).toEqual({ button, violations: [] });
      if (opened === dialog) await page.keyboard.press('Escape');
    }
  },
);
