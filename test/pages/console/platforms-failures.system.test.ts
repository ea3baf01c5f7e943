import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { missingBrowser } from '../../support/clients/browser.js';
import { requires } from '../../support/prerequisites.js';
import type { TestApp } from '../../support/servers/app.js';
import {
  advanceTime,
  advanceTimeUntilVisible,
  type ConsoleUser,
  consoleUser,
  expectAccessible,
  loseResponse,
  newPlatform,
  openConsole,
  startConsole,
} from './console-page.js';

let app: TestApp;
let superAdmin: ConsoleUser;
beforeAll(async () => {
  app = await startConsole();
  superAdmin = await consoleUser(app, { firstName: 'Sue', lastName: 'Perez', isSuperAdmin: true });
}, 120_000);
afterAll(() => app.close());

const createPlatform = (title: string) => newPlatform(app, superAdmin, title);
const dialogOf = (page: Page) => page.getByRole('dialog');
const isAccepted = async (platform: string) => (await app.graphql('{ liveCursor }', {}, { platform })).liveCursor !== undefined;

describe('in a browser', requires(missingBrowser), () => {
  test('a token or platform whose response is lost is shown when the connection is back, and is created once', async () => {
    const { id, token } = await createPlatform('Interrupted');
    const { page } = await openConsole(app, superAdmin, `/platforms/details/${id}`, { hasFakeClock: true });
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

  test('the usage on the page of a platform is read again every ten seconds', async () => {
    const { id, token } = await createPlatform('Growing');
    const { page } = await openConsole(app, superAdmin, `/platforms/details/${id}`, { hasFakeClock: true });
    const operations = page.getByRole('region', { name: 'Usage in the last 30 days' }).getByText('Operations', { exact: true });
    const count = (value: string) => operations.locator('+ dd').getByText(value, { exact: true });
    await count('0').waitFor();
    expect(await isAccepted(token)).toBe(true);
    await advanceTime(page, 10);
    await count('1').waitFor();
    let reads = 0;
    page.on('request', (request) => {
      if (request.postData()?.includes('ConsoleUsageSummary')) reads += 1;
    });
    await advanceTime(page, 5);
    expect(reads).toBe(0);
    await advanceTime(page, 5);
    await expect.poll(() => reads).toBe(1);
  }, 60_000);

  const alertIn = (page: Page) =>
    dialogOf(page)
      .getByRole('alert')
      .filter({ hasText: 'Somebody else has changed these fields. If you save, your entries replace the new values:' });

  test('the form of a key shows origins that somebody else has saved in the meantime', async () => {
    const { id } = await createPlatform('Disputed key');
    const createKey = `mutation ($id: ID!) {
      createPublishableKey(input: { platformId: $id, label: "Site", allowedOrigins: ["https://a.example.com"] }) { publishableKey { id } }
    }`;
    const { createPublishableKey: created } = await app.graphql(createKey, { id }, { user: superAdmin.user });
    const { page } = await openConsole(app, superAdmin, `/platforms/details/${id}`);
    await page.getByRole('button', { name: 'Edit Site' }).click();
    const origins = page.getByLabel('Origins of pages (optional)');
    await origins.fill('https://mine.example.com');
    await app.graphql(
      'mutation ($id: ID!) { updatePublishableKey(id: $id, input: { allowedOrigins: ["https://b.example.com"] }) { id } }',
      { id: created.publishableKey.id },
      { user: superAdmin.user },
    );
    await alertIn(page).getByText('https://b.example.com').waitFor();
    expect(await origins.inputValue()).toBe('https://mine.example.com');
    await dialogOf(page).getByRole('button', { name: 'Save' }).click();
    await page.getByRole('row', { name: /^Site pk_.*https:\/\/mine\.example\.com/ }).waitFor();
  });

  test('the form of a deprecation shows values that somebody else has saved in the meantime', async () => {
    const route = 'GET /v1/data/lookup_countries';
    const deprecate = (input: object) =>
      app.graphql(
        'mutation ($input: DeprecationInput!) { deprecateRoute(input: $input) { id } }',
        { input: { route, ...input } },
        { user: superAdmin.user },
      );
    await deprecate({ deprecatedAt: '2026-01-01T00:00:00Z', text: 'Old text.' });
    const { page } = await openConsole(app, superAdmin, '/platforms/routes');
    const row = page.getByRole('row', { name: new RegExp(`^${route} All platforms`) });
    await row.getByRole('button', { name: 'Change the deprecation' }).click();
    const [text, end] = [page.getByLabel('Message for developers'), page.getByLabel('May be removed from (optional)')];
    await text.fill('My text.');
    await end.fill('2041-05-06T12:00');
    await deprecate({ text: 'Text of somebody else.', sunsetAt: '2042-05-06T12:00:00Z' });
    await alertIn(page).getByText('Text of somebody else.').waitFor();
    await alertIn(page).getByText('May 6, 2042').waitFor();
    await alertIn(page).getByRole('button', { name: 'Discard my changes' }).click();
    expect({ text: await text.inputValue(), end: await end.inputValue() }).toEqual({
      text: 'Text of somebody else.',
      end: expect.stringMatching(/^2042-05-0/),
    });
  });

  test('undo of a withdrawal does not replace a newer deprecation', async () => {
    const route = 'GET /v1/data/lookup_ratings';
    const deprecate = (text: string) =>
      app.graphql(
        'mutation ($input: DeprecationInput!) { deprecateRoute(input: $input) { id } }',
        { input: { route, deprecatedAt: '2026-01-01T00:00:00Z', text } },
        { user: superAdmin.user },
      );
    expect((await deprecate('First text.')).errors).toBeUndefined();
    const { page } = await openConsole(app, superAdmin, '/platforms/routes');
    const row = page.getByRole('row', { name: new RegExp(`^${route} All platforms`) });
    await row.getByRole('button', { name: 'Withdraw the deprecation' }).click();
    await page.getByText(`${route} is no longer deprecated.`).waitFor();
    await deprecate('Text of somebody else.');
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText(`Not restored: somebody else has deprecated ${route} since.`).waitFor();
    await row.filter({ hasText: 'Text of somebody else.' }).waitFor();
  });

  test('undo of a withdrawal is offered again after a lost connection', async () => {
    const route = 'GET /v1/data/lookup_states';
    const input = { route, deprecatedAt: '2026-01-01T00:00:00Z', text: 'Use the graph.' };
    const deprecate = 'mutation ($input: DeprecationInput!) { deprecateRoute(input: $input) { id } }';
    expect((await app.graphql(deprecate, { input }, { user: superAdmin.user })).errors).toBeUndefined();
    const { page } = await openConsole(app, superAdmin, '/platforms/routes');
    const row = page.getByRole('row', { name: new RegExp(`^${route} All platforms`) });
    await row.getByRole('button', { name: 'Withdraw the deprecation' }).click();
    await page.getByText(`${route} is no longer deprecated.`).waitFor();
    await page.context().setOffline(true);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText(`${route} was not deprecated again. The service could not be reached.`).waitFor();
    await page.context().setOffline(false);
    await page.getByText('The connection to the service is lost.').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await row.filter({ hasText: 'Use the graph.' }).waitFor();
  });

  test('the browser asks before it leaves a token that is shown only once', async () => {
    const { id } = await createPlatform('Careful');
    const { page } = await openConsole(app, superAdmin, '/platforms');
    await page.getByRole('link', { name: 'Careful' }).click();
    await page.getByLabel('Domain (optional)').fill('careful.example');
    await page.getByRole('button', { name: 'Replace token…' }).click();
    await dialogOf(page).getByRole('button', { name: 'Replace token' }).click();
    const field = page.getByRole('textbox', { name: 'Token' });
    const token = await field.inputValue();
    const questions: string[] = [];
    page.on('dialog', (dialog) => {
      questions.push(dialog.type() === 'confirm' ? dialog.message() : dialog.type());
      void dialog.dismiss();
    });
    await page.evaluate('history.back()');
    await expect.poll(() => questions).toEqual(['Leave this page? The token is shown only once.']);
    await page.evaluate('setTimeout(() => location.reload())');
    await expect.poll(() => questions.slice(1)).toEqual(['beforeunload']);
    expect({ token: await field.inputValue(), url: page.url() }).toEqual({
      token,
      url: `${app.origin}/console/platforms/details/${id}`,
    });
    await page.getByRole('button', { name: 'I have stored it' }).click();
    // The form with unsaved changes asks as before.
    await page.getByRole('link', { name: 'All platforms' }).click();
    await expect.poll(() => questions.slice(2)).toEqual(['Leave this page? Your changes are not saved.']);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Settings saved.').waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'Platforms', level: 1 }).waitFor();
    expect(questions.length).toBe(3);
  });

  test('a title with several spaces can be typed as it is shown to confirm an action', async () => {
    const { id } = await createPlatform('Two  spaces');
    const { page } = await openConsole(app, superAdmin, `/platforms/details/${id}`);
    await page.getByRole('button', { name: 'Disable platform…' }).click();
    await dialogOf(page).getByLabel('To confirm, type Two spaces').fill('Two spaces');
    await page.keyboard.press('Enter');
    await page.getByText('was disabled.').waitFor();
  });

  test('a route that is already deprecated is not deprecated again, but its deprecation can be changed', async () => {
    const route = 'GET /v1/data/lookup_formats';
    const { errors } = await app.graphql(
      'mutation ($input: DeprecationInput!) { deprecateRoute(input: $input) { id } }',
      { input: { route, deprecatedAt: '2026-01-01T00:00:00Z', sunsetAt: '2041-05-06T12:00:00Z', text: 'First text.' } },
      { user: superAdmin.user },
    );
    expect(errors).toBeUndefined();
    const browserPage = await openConsole(app, superAdmin, '/platforms/routes');
    const { page } = browserPage;
    const row = page.getByRole('row', { name: new RegExp(`^${route} All platforms`) });
    await page.getByRole('button', { name: 'Deprecate a route…' }).click();
    await page.getByRole('combobox', { name: 'Route' }).fill(route);
    await page.getByLabel('Message for developers').fill('Second text.');
    await dialogOf(page).getByRole('button', { name: 'Deprecate', exact: true }).click();
    await dialogOf(page).getByRole('alert').getByText(`${route} is already deprecated for all platforms.`).waitFor();
    await expectAccessible(browserPage);
    await dialogOf(page).getByRole('button', { name: 'Change the deprecation…' }).click();
    await page.getByRole('heading', { name: `Change the deprecation of ${route}` }).waitFor();
    expect(await page.getByLabel('Message for developers').inputValue()).toBe('First text.');
    await page.getByLabel('Message for developers').fill('Third text.');
    await dialogOf(page).getByRole('button', { name: 'Save' }).click();
    await row.filter({ hasText: 'Third text.' }).filter({ hasText: 'May 6, 2041' }).waitFor();
  });

  test('the usage of all callers names the platforms for which a route is already deprecated', async () => {
    const { page } = await openConsole(app, superAdmin, '/platforms/usage');
    await page.getByRole('button', { name: 'Deprecate GET /v1/data/teams/{uuid}', exact: true }).click();
    await dialogOf(page).getByText('GET /v1/data/teams/{uuid} is already deprecated for Club Sites.').waitFor();
  });

  test('errors use the field labels of the forms, and say if the service is not available', async () => {
    const { page } = await openConsole(app, superAdmin, '/platforms/routes', { hasFakeClock: true });
    await page.getByRole('button', { name: 'Deprecate a route…' }).click();
    await page.getByRole('combobox', { name: 'Route' }).fill('GET /v1/data/lookup_currencies');
    await page.getByLabel('Message for developers').fill('Text.');
    await page.getByLabel('May be removed from').fill('2020-01-01T00:00');
    await dialogOf(page).getByRole('button', { name: 'Deprecate', exact: true }).click();
    await page.getByRole('alert').getByText('May be removed from: expected a time at or after “Deprecated from”').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('link', { name: 'Usage' }).click();
    await page.getByLabel('First day').fill('2026-02-02');
    await page.getByLabel('Last day').fill('2026-02-01');
    await page.getByRole('alert').getByText('First day: expected a day on or before “Last day”').waitFor();
    await page.route('**/graphql', (route) => route.fulfill({ status: 503, contentType: 'text/html', body: 'Unavailable' }));
    await page.getByLabel('First day').fill('2026-01-02');
    const unavailable = page.getByRole('alert').getByText('The service is not available at the moment. Try again later.');
    await advanceTimeUntilVisible(unavailable, 10);
  });
});
