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
  documentScreenshot,
  expectAccessible,
  newPlatform,
  openConsole,
  signIn,
  startConsole,
} from './console-page.js';

let app: TestApp;
let superAdmin: ConsoleUser;
beforeAll(async () => {
  app = await startConsole();
  superAdmin = await consoleUser(app, { firstName: 'Sue', lastName: 'Perez', isSuperAdmin: true });
}, 120_000);
afterAll(() => app.close());

const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 });
const dialogOf = (page: Page) => page.getByRole('dialog');
const isAccepted = async (platform: string) => (await app.graphql('{ liveCursor }', {}, { platform })).liveCursor !== undefined;

const createPlatform = (title: string) => newPlatform(app, superAdmin, title);

describe('in a browser', requires(missingBrowser), () => {
  test('a super admin creates a platform, whose token is shown once', async () => {
    const browserPage = await openConsole(app, superAdmin, '/platforms');
    const { page, consoleErrors } = browserPage;
    await page.getByRole('rowheader', { name: 'Old Scoreboard Disabled' }).waitFor();
    await expectAccessible(browserPage);
    await page.getByRole('button', { name: 'Create platform…' }).click();
    await page.getByLabel('Title').fill('Courtside Demo');
    await page.getByLabel('Origins of links in emails').fill('https://www.example.com\nexample.com');
    await page.getByRole('button', { name: 'Create platform', exact: true }).click();
    await dialogOf(page).getByText('Expected: an origin such as https://www.example.com').waitFor();
    await dialogOf(page)
      .getByRole('alert')
      .getByText(/^Origins of links in emails: expected an origin/)
      .waitFor();
    await expectAccessible(browserPage);
    await page.getByLabel('Title').fill('Live Scores');
    await page.getByLabel('Origins of links in emails').fill('https://www.example.com');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    const token = await page.getByRole('textbox', { name: 'Token' }).inputValue();
    await expectAccessible(browserPage);
    // Browsers close a dialog that does not react to Escape, unless the focus is in the dialog.
    for (let count = 0; count < 5; count += 1) await page.keyboard.press('Escape');
    await page.mouse.click(2, 2);
    for (let count = 0; count < 5; count += 1) await page.keyboard.press('Escape');
    await page.evaluate(`document.querySelector('dialog').close()`);
    await dialogOf(page).waitFor();
    expect(await page.getByRole('textbox', { name: 'Token' }).inputValue()).toBe(token);
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await heading(page, 'Live Scores').waitFor();
    expect({ isAccepted: await isAccepted(token), isShown: (await page.content()).includes(token), consoleErrors }).toEqual({
      isAccepted: true,
      isShown: false,
      consoleErrors: [],
    });
  });

  test('settings are saved and restored, and a platform is disabled after its title is typed', async () => {
    const { id, token } = await createPlatform('Settled');
    const browserPage = await openConsole(app, superAdmin, `/platforms/details/${id}`);
    const { page, consoleErrors } = browserPage;
    await page.getByLabel('Domain (optional)').fill('settled.example');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Settings saved.').waitFor();
    const domain = async () =>
      (await app.sql.row<{ domain: string | null }>('select domain from platform where id = $1', [id]))?.domain;
    expect(await domain()).toBe('settled.example');
    await expectAccessible(browserPage);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(domain).toBeNull();
    await page.getByRole('button', { name: 'Disable platform…' }).click();
    await dialogOf(page).waitFor();
    await page.evaluate(`document.querySelector('dialog').close()`);
    await page.locator('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Disable platform…' }).click();
    await dialogOf(page).getByLabel('To confirm, type Settled').fill('Settled');
    await page.keyboard.press('Enter');
    await page.getByText('Settled was disabled.').waitFor();
    expect(await isAccepted(token)).toBe(false);
    await page.getByText('No token is valid while the platform is disabled.').waitFor();
    await page.getByRole('button', { name: 'Enable platform' }).click();
    await page.getByText('Settled was enabled.').waitFor();
    expect({ isAccepted: await isAccepted(token), consoleErrors }).toEqual({ isAccepted: true, consoleErrors: [] });
  });

  test('changes by others do not overwrite typed settings, and are shown before they are replaced', async () => {
    const { id } = await createPlatform('Shared');
    const browserPage = await openConsole(app, superAdmin, `/platforms/details/${id}`, { hasFakeClock: true });
    const { page } = browserPage;
    const [title, domain] = [page.getByLabel('Title'), page.getByLabel('Domain (optional)')];
    const changeByOthers = (input: object) =>
      app.graphql(
        'mutation ($id: ID!, $input: PlatformInput!) { updatePlatform(id: $id, input: $input) { id } }',
        { id, input },
        { user: superAdmin.user },
      );
    await domain.fill('typed.example');
    await changeByOthers({ title: 'Shared by all' });
    await advanceTimeUntilVisible(heading(page, 'Shared by all'), 5);
    expect({ title: await title.inputValue(), domain: await domain.inputValue() }).toEqual({
      title: 'Shared by all',
      domain: 'typed.example',
    });
    await changeByOthers({ domain: 'others.example' });
    await advanceTimeUntilVisible(page.getByRole('alert').getByText('others.example'), 5);
    await expectAccessible(browserPage);
    await page.getByRole('button', { name: 'Discard my changes' }).click();
    expect(await domain.inputValue()).toBe('others.example');
    await domain.fill('mine.example');
    await page.getByRole('button', { name: 'Save' }).press('Enter');
    await page.getByText('Settings saved.').waitFor();
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Save');
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Settings restored.').waitFor();
    await expect.poll(() => domain.inputValue()).toBe('others.example');
  });

  test('undo does not replace settings that somebody else has changed since', async () => {
    const { id } = await createPlatform('Undone');
    const { page } = await openConsole(app, superAdmin, `/platforms/details/${id}`);
    await page.getByLabel('Title').fill('Undone by me');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Settings saved.').waitFor();
    await app.graphql(
      'mutation ($id: ID!) { updatePlatform(id: $id, input: { title: "Changed by others" }) { id } }',
      { id },
      { user: superAdmin.user },
    );
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Not restored: somebody else has changed the settings since.').waitFor();
    await heading(page, 'Changed by others').waitFor();
  });

  test('a long word in a title does not push other columns out of view', async () => {
    const { id } = await createPlatform('x'.repeat(150));
    const { page } = await openConsole(app, superAdmin, '/platforms');
    await page.getByRole('link', { name: 'x'.repeat(150) }).waitFor();
    const overflow = `[...document.querySelectorAll('html, .table')].map((each) => each.scrollWidth - each.clientWidth)`;
    expect(await page.evaluate(overflow)).toEqual([0, 0]);
    await page.goto(`${app.origin}/console/platforms/details/${id}`);
    await signIn(page, superAdmin);
    await heading(page, 'x'.repeat(150)).waitFor();
    expect(await page.evaluate(`document.documentElement.scrollWidth - document.documentElement.clientWidth`)).toBe(0);
  });

  test('each of more than 100 platforms can be selected', async () => {
    await app.sql.rows(`insert into platform (id, title) select 'many-' || n, 'Many ' || n from generate_series(1, 120) n`);
    const { page } = await openConsole(app, superAdmin, '/platforms/usage?platform=many-120');
    const select = page.getByLabel('Platform', { exact: true });
    await select.getByRole('option', { name: 'Scoreboard App' }).waitFor({ state: 'attached' });
    expect(await select.evaluate((element: HTMLSelectElement) => element.selectedOptions[0]?.text)).toBe('Many 120');
    await app.sql.rows(`delete from platform where id like 'many-%'`);
  });

  test('a token is replaced while the previous one stays valid, and the previous one can be ended', async () => {
    const { id, token } = await createPlatform('Rotated');
    const { page } = await openConsole(app, superAdmin, `/platforms/details/${id}`);
    await page.getByRole('button', { name: 'Replace token…' }).click();
    await dialogOf(page).getByLabel('The previous token stays valid for').selectOption('7 days');
    await dialogOf(page).getByRole('button', { name: 'Replace token' }).click();
    const newToken = await page.getByRole('textbox', { name: 'Token' }).inputValue();
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByText('The previous token is valid until').waitFor();
    expect({ old: await isAccepted(token), new: await isAccepted(newToken) }).toEqual({ old: true, new: true });
    await page.getByRole('button', { name: 'End previous token…' }).click();
    await dialogOf(page).getByText('This cannot be undone.').waitFor();
    expect(await isAccepted(token)).toBe(true);
    await dialogOf(page).getByRole('button', { name: 'End previous token' }).click();
    await page.getByText('Only the current token is valid.').waitFor();
    expect({ old: await isAccepted(token), new: await isAccepted(newToken) }).toEqual({ old: false, new: true });
  });

  test('keys are created with their origins, edited and revoked, and keys of others appear', async () => {
    const { id } = await createPlatform('Keyed');
    const browserPage = await openConsole(app, superAdmin, `/platforms/details/${id}`);
    const { page, consoleErrors } = browserPage;
    await page.getByText('The platform has no publishable keys.').waitFor();
    await page.getByRole('button', { name: 'Create key…' }).click();
    await page.getByLabel('Label (optional)').fill('Website');
    await page.getByLabel('Origins of pages (optional)').fill('https://www.example.com/path');
    await dialogOf(page).getByRole('button', { name: 'Create key' }).click();
    await dialogOf(page)
      .getByText(/Expected: an origin such as .* without a path/)
      .waitFor();
    await page.getByLabel('Origins of pages (optional)').fill('https://www.example.com');
    await dialogOf(page).getByRole('button', { name: 'Create key' }).click();
    const key = await page.getByRole('textbox', { name: 'Key' }).inputValue();
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByRole('row', { name: /Website pk_.*https:\/\/www\.example\.com/ }).waitFor();
    expect(await isAccepted(key)).toBe(true);

    await page.getByRole('button', { name: 'Edit Website' }).click();
    const origins = page.getByLabel('Origins of pages (optional)');
    const previousOrigins = await origins.inputValue();
    await origins.fill(`${previousOrigins}\nhttps://play.example.com/`);
    await dialogOf(page).getByRole('button', { name: 'Save' }).click();
    await dialogOf(page)
      .getByText(/Expected: an origin such as .* without a path/)
      .waitFor();
    await origins.fill(`${previousOrigins}\nhttps://play.example.com`);
    await dialogOf(page).getByRole('button', { name: 'Save' }).click();
    await page.getByText('The key Website was saved.').waitFor();
    await page.getByRole('row', { name: /Website pk_.*https:\/\/www\.example\.com, https:\/\/play\.example\.com/ }).waitFor();

    const mutation = 'mutation ($id: ID!) { createPublishableKey(input: { platformId: $id, label: "By others" }) { key } }';
    await app.graphql(mutation, { id }, { user: superAdmin.user });
    await page.getByRole('rowheader', { name: 'By others' }).waitFor();
    await expectAccessible(browserPage);
    await page.getByRole('button', { name: 'Revoke Website' }).click();
    await dialogOf(page).getByRole('button', { name: 'Revoke key' }).click();
    await page.getByText('The key Website was revoked.').waitFor();
    await page.getByRole('row', { name: /Website .* Revoked/ }).waitFor();
    expect({ isAccepted: await isAccepted(key), consoleErrors }).toEqual({ isAccepted: false, consoleErrors: [] });
  });

  test('forms send only changed values', async () => {
    const { id } = await createPlatform('Two editors');
    const { createPublishableKey: created } = await app.graphql(
      `mutation ($id: ID!) {
        createPublishableKey(input: { platformId: $id, label: "Site", allowedOrigins: ["https://a.example.com"] }) {
          publishableKey { id }
        }
      }`,
      { id },
      { user: superAdmin.user },
    );
    const keyId = created.publishableKey.id;
    const { page } = await openConsole(app, superAdmin, `/platforms/details/${id}`);
    await page.getByRole('button', { name: 'Edit Site' }).click();
    await app.graphql(
      'mutation ($id: ID!) { updatePublishableKey(id: $id, input: { allowedOrigins: ["https://b.example.com"] }) { id } }',
      { id: keyId },
      { user: superAdmin.user },
    );
    await page.getByLabel('Label (optional)').fill('New site');
    await dialogOf(page).getByRole('button', { name: 'Save' }).click();
    await page.getByText('The key New site was saved.').waitFor();
    await page.getByRole('row', { name: /^New site pk_.*https:\/\/b\.example\.com/ }).waitFor();

    const deprecate = (input: object) =>
      app.graphql(
        'mutation ($input: DeprecationInput!) { deprecateRoute(input: $input) { id } }',
        { input: { route: 'GET /v1/data/sponsors', ...input } },
        { user: superAdmin.user },
      );
    await deprecate({ deprecatedAt: '2026-01-01T00:00:00Z', text: 'Old text.' });
    await page.getByRole('link', { name: 'All platforms' }).click();
    await page.getByRole('link', { name: 'Deprecated routes' }).click();
    const row = page.getByRole('row', { name: /^GET \/v1\/data\/sponsors/ });
    await row.getByRole('button', { name: 'Change the deprecation' }).click();
    await deprecate({ sunsetAt: '2042-05-06T12:00:00Z' });
    await page.getByLabel('Message for developers').fill('New text.');
    await dialogOf(page).getByRole('button', { name: 'Save' }).click();
    await row.filter({ hasText: 'New text.' }).filter({ hasText: 'May 6, 2042' }).waitFor();
  });

  test('the usage shows removal dates of routes in the time zone of the viewer, and changes to them by others', async () => {
    const admin = await consoleUser(app, { firstName: 'Zoe', roles: ['ADMIN'] });
    const { page } = await openConsole(app, admin, '', { hasFakeClock: true });
    const session = await page.context().newCDPSession(page);
    await session.send('Emulation.setTimezoneOverride', { timezoneId: 'Asia/Tokyo' });
    await page.goto(`${app.origin}/console/platforms/usage?platform=demo-club-sites`);
    await signIn(page, admin);
    const row = page.getByRole('row', { name: /^GET \/v1\/data\/teams\/{uuid} / });
    await row.filter({ hasText: 'Deprecated until' }).waitFor();
    const { errors } = await app.graphql(
      `mutation ($input: DeprecationInput!) { deprecateRoute(input: $input) { id } }`,
      { input: { route: 'GET /v1/data/teams/{uuid}', platformId: 'demo-club-sites', sunsetAt: '2043-05-06T20:00:00Z' } },
      { user: superAdmin.user },
    );
    expect(errors).toBeUndefined();
    await advanceTime(page, 10);
    await row.filter({ hasText: 'Deprecated until May 7, 2043, 5:00 AM' }).waitFor();
  });

  test('a typed day filters the usage once, and adds no entries to the browser history', async () => {
    const { page } = await openConsole(app, superAdmin, '/platforms/usage');
    await page.getByRole('row', { name: /^tournaments query / }).waitFor();
    const requestedDays = new Set<unknown>();
    page.on('request', (request) => {
      if (request.postData()?.includes('ConsoleUsage(')) requestedDays.add(request.postDataJSON().variables.from);
    });
    const length = await page.evaluate('history.length');
    await page.getByLabel('First day').focus();
    await page.keyboard.type('06152001');
    await page.getByText('Expected: a day at most 99 days before “Last day”').waitFor();
    expect({
      days: [...requestedDays].filter(Boolean),
      search: new URL(page.url()).search,
      length: await page.evaluate('history.length'),
    }).toEqual({ days: ['2001-06-15'], search: '?from=2001-06-15', length });
  });

  test('the usage of the graph and of /v1 is shown for all callers, and for a platform', async () => {
    const admin = await consoleUser(app, { firstName: 'Adam', roles: ['ADMIN'] });
    const browserPage = await openConsole(app, admin, '/platforms');
    const { page, consoleErrors } = browserPage;
    await page.getByRole('link', { name: 'Club Sites' }).click();
    const chart = page.getByRole('img', { name: /^Calls to \/v1 per day: \d+ on the last day, at most \d+\.$/ });
    await chart.waitFor();
    await expectAccessible(browserPage);
    await page
      .getByRole('row', { name: /^Lookups of email addresses by one platform\. 600 in 1 minute platform\.lookups$/ })
      .waitFor();
    // Only super admins can change platforms.
    expect({
      settings: await page.getByText('Settings').count(),
      keys: await page.getByText('Publishable keys').count(),
      create: await page.getByRole('button', { name: 'Create platform…' }).count(),
    }).toEqual({ settings: 0, keys: 0, create: 0 });
    await page.getByRole('link', { name: 'Show routes and root fields' }).click();
    await heading(page, 'Usage').waitFor();
    await page.getByRole('row', { name: /^GET \/v1\/data\/teams\/{uuid} .* Deprecated until / }).waitFor();
    await page.getByRole('row', { name: /^tournaments query / }).waitFor();
    expect(await page.getByRole('link', { name: 'Deprecated routes' }).count()).toBe(0);
    await expectAccessible(browserPage);
    await page.getByLabel('Platform', { exact: true }).selectOption('All callers');
    await page
      .getByRole('row', { name: /^Scoreboard App / })
      .first()
      .waitFor();
    await page.getByLabel('First day').fill('2001-01-01');
    await page.getByText('Expected: a day at most 99 days before “Last day”').waitFor();
    await page.getByLabel('Last day').fill('2001-01-05');
    await page.getByText('No route was called in this period.').waitFor();
    expect(consoleErrors).toEqual([]);
  });

  test('a route is deprecated, and the deprecation is changed, withdrawn and restored', async () => {
    const browserPage = await openConsole(app, superAdmin, '/platforms/routes');
    const { page, consoleErrors } = browserPage;
    const row = page.getByRole('row', { name: /^GET \/v1\/data\/leagues All platforms/ });
    await page.getByRole('row', { name: /^GET \/v1\/data\/news Scoreboard App/ }).waitFor();
    await expectAccessible(browserPage);
    await page.getByRole('button', { name: 'Deprecate a route…' }).click();
    await page.getByRole('combobox', { name: 'Route' }).fill('GET /v1/data/nothing');
    await page.getByLabel('Message for developers').fill('Use leagues in the graph.');
    await dialogOf(page).getByRole('button', { name: 'Deprecate', exact: true }).click();
    await dialogOf(page)
      .getByText(/^Expected: a method and a path of/)
      .waitFor();
    await expectAccessible(browserPage);
    await page.getByRole('combobox', { name: 'Route' }).fill('GET /v1/data/leagues');
    await page.getByLabel('May be removed from').fill('2041-05-06T12:30');
    await dialogOf(page).getByRole('button', { name: 'Deprecate', exact: true }).click();
    await page.getByText('The deprecation of GET /v1/data/leagues was saved.').waitFor();
    await row.filter({ hasText: 'May 6, 2041, 12:30 PM' }).waitFor();
    const { headers } = await app.rest('GET', '/v1/data/leagues', app.platform);
    expect(headers.get('Sunset')).toMatch(/2041/);

    await row.getByRole('button', { name: 'Change the deprecation' }).click();
    await page.getByLabel('Message for developers').fill('Use leagues(first:) in the graph.');
    await dialogOf(page).getByRole('button', { name: 'Save' }).click();
    await row.filter({ hasText: 'leagues(first:)' }).waitFor();
    await row.getByRole('button', { name: 'Withdraw the deprecation' }).click();
    await row.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await row.filter({ hasText: 'leagues(first:)' }).waitFor();
    await page.getByText('GET /v1/data/leagues is deprecated again.').waitFor();
    expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0);
    expect(consoleErrors).toEqual([]);
  });

  test('an unknown page and an unknown platform are reported', async () => {
    const { page } = await openConsole(app, superAdmin, '/platforms/unknown');
    await heading(page, 'Page not found').waitFor();
    await page.goto(`${app.origin}/console/platforms/details/unknown`);
    await signIn(page, superAdmin);
    await page.getByText('No platform has this ID.').waitFor();
  });

  test('the screenshot of the documentation shows a platform', async () => {
    const { page } = await openConsole(app, superAdmin, '/platforms/usage?platform=demo-club-sites');
    await page.getByRole('row', { name: /^tournaments query / }).waitFor();
    await documentScreenshot(page, 'platforms');
  });
});
