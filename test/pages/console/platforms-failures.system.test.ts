import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { missingBrowser } from '../../support/clients/browser.js';
import { requires } from '../../support/prerequisites.js';
import type { TestApp } from '../../support/servers/app.js';
import { type ConsoleUser, consoleUser, loseResponse, openConsole, startConsole } from './console-page.js';

let app: TestApp;
let superAdmin: ConsoleUser;
beforeAll(async () => {
  app = await startConsole();
  superAdmin = await consoleUser(app, { firstName: 'Sue', lastName: 'Perez', isSuperAdmin: true });
}, 120_000);
afterAll(() => app.close());

const dialogOf = (page: Page) => page.getByRole('dialog');
const isAccepted = async (platform: string) => (await app.graphql('{ liveCursor }', {}, { platform })).liveCursor !== undefined;

describe('in a browser', requires(missingBrowser), () => {
  test('a token or platform whose response is lost is shown when the connection is back, and is created once', async () => {
    const { createPlatform: created } = await app.graphql(
      'mutation { createPlatform(input: { title: "Interrupted" }) { token platform { id } } }',
      {},
      { user: superAdmin.user },
    );
    const { token, platform } = created;
    const { page } = await openConsole(app, superAdmin, `/platforms/details/${platform.id}`);
    const confirm = async (name: string, restore: () => Promise<void>) => {
      await dialogOf(page).getByRole('button', { name }).click();
      await dialogOf(page).getByRole('alert').getByText('Waiting for the connection.').waitFor();
      await restore();
      const newToken = await page.getByRole('textbox', { name: 'Token' }).inputValue();
      await page.getByRole('button', { name: 'I have stored it' }).click();
      return newToken;
    };
    const restoreToken = await loseResponse(page, 'ConsoleRenewToken(');
    await page.getByRole('button', { name: 'Replace token…' }).click();
    const newToken = await confirm('Replace token', restoreToken);
    // A second replacement would have ended the first token.
    expect({ old: await isAccepted(token), new: await isAccepted(newToken) }).toEqual({ old: true, new: true });
    await page.getByRole('link', { name: 'All platforms' }).click();
    const restorePlatform = await loseResponse(page, 'ConsoleCreatePlatform(');
    await page.getByRole('button', { name: 'Create platform…' }).click();
    await page.getByLabel('Title').fill('Created once');
    const createdToken = await confirm('Create platform', restorePlatform);
    expect({
      isAccepted: await isAccepted(createdToken),
      platforms: await app.sql.rows(`select title from platform where title = 'Created once'`),
    }).toEqual({ isAccepted: true, platforms: [{ title: 'Created once' }] });
  }, 60_000);
});
