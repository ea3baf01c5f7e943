import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { demo } from '../../../src/demo/tokens.js';
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

const namesIn = async (page: Page) => (await page.locator('tbody th').allTextContents()).map((name) => name.trim());
const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 });
const grantedRoles = async (id: string) =>
  (
    await app.sql.rows<{ title: string }>('select title from app_user u join role r on r.id = any(u.role_ids) where u.id = $1', [
      id,
    ])
  )
    .map(({ title }) => title)
    .sort();

describe('in a browser', requires(missingBrowser), () => {
  test('users are found by name, email address and role, and sorted', async () => {
    const browserPage = await openConsole(app, superAdmin, '/users');
    const { page, consoleErrors } = browserPage;
    await page.getByText('4,002 users').waitFor();
    await expectAccessible(browserPage);
    await page.getByRole('button', { name: 'Load more' }).click();
    await expect.poll(() => page.locator('tbody tr').count()).toBe(100);
    await page.getByRole('button', { name: 'Joined' }).click();
    await expect.poll(() => page.url()).toMatch(/order=CREATED_AT&direction=ASC$/);

    await page.getByLabel('Search').fill('torres maya');
    await expect.poll(() => namesIn(page)).toContain('Maya Torres');
    await page.getByLabel('Search').fill('Player@courtside.test');
    await expect.poll(() => namesIn(page)).toEqual(['Maya Torres']);
    await page.getByLabel('Search').fill('nobody@courtside.test');
    await page.getByText('No user has this email address.').waitFor();
    await page.getByLabel('Search').fill('');
    await page.getByLabel('Role').selectOption('CONTENT_CREATOR');
    await expect.poll(() => namesIn(page)).toContain('Maya Torres');
    await page.getByLabel('Search').fill('zzzzqqqq');
    await page.getByText('No user matches.').waitFor();
    expect(consoleErrors).toEqual([]);
  });

  test('a super admin grants a role, undoes it, and revokes a role by keyboard', async () => {
    const player = await consoleUser(app, { firstName: 'Rolf', lastName: 'Grant' });
    const browserPage = await openConsole(app, superAdmin, `/users/${player.id}`);
    const { page, consoleErrors } = browserPage;
    await heading(page, 'Rolf Grant').waitFor();
    await page.getByRole('button', { name: 'Grant NEWS_ADMIN' }).click();
    const dialog = page.getByRole('dialog', { name: 'Grant NEWS_ADMIN to Rolf Grant?' });
    await dialog.getByText('It includes: USER, CONTENT_CREATOR, NEWS_CREATOR, CONTENT_CONFIRMER.').waitFor();
    await expectAccessible(browserPage);
    await dialog.getByRole('button', { name: 'Grant role' }).click();
    await page.getByText('NEWS_ADMIN granted to Rolf Grant.').waitFor();
    expect(await grantedRoles(player.id)).toEqual(['NEWS_ADMIN']);
    await expect.poll(() => page.getByRole('listitem').filter({ hasText: 'Inherited' }).count()).toBe(4);
    await expectAccessible(browserPage);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => grantedRoles(player.id)).toEqual([]);

    await page.getByRole('button', { name: 'Grant REFEREE' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.evaluate(`document.activeElement.getAttribute('aria-label')`)).toBe('Grant REFEREE');
    expect({ granted: await grantedRoles(player.id), consoleErrors }).toEqual({ granted: [], consoleErrors: [] });
  });

  test('the console asks for the email address if the user has not confirmed it', async () => {
    const player = await consoleUser(app, { firstName: 'Una', lastName: 'Firmed', email: 'una@example.com' });
    await app.sql.rows('update app_user set verified_at = null where id = $1', [player.id]);
    const { page } = await openConsole(app, superAdmin, `/users/${player.id}`);
    await page.getByRole('button', { name: 'Grant REFEREE' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Grant role' }).click();
    await dialog.getByRole('alert').getByText('To grant the role, enter the correct address.').waitFor();
    await dialog.getByLabel('Email address of the user').fill('una@example.com');
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    expect(await grantedRoles(player.id)).toEqual(['REFEREE']);
  });

  test('changes by others appear, and the history shows who made them', async () => {
    const player = await consoleUser(app, { firstName: 'Ida', lastName: 'Before' });
    const { page } = await openConsole(app, superAdmin, `/users/${player.id}`, { hasFakeClock: true });
    await heading(page, 'Ida Before').waitFor();
    await app.graphql('mutation { updateProfile(input: { lastName: "After" }) { id } }', {}, { user: player.user });
    await advanceTimeUntilVisible(heading(page, 'Ida After'), 5);
    const grant = 'mutation ($id: ID!) { grantRole(userId: $id, roleId: "5") { id } }';
    await app.graphql(grant, { id: player.id }, { user: superAdmin.user });
    await advanceTimeUntilVisible(page.getByRole('button', { name: 'Revoke REFEREE' }), 5);
    const history = page.getByRole('region', { name: 'Changes to this record' });
    await advanceTimeUntilVisible(history.getByRole('row', { name: /Changed roleIds: none → REFEREE Sue Perez$/ }), 5);
  });

  test('docs/console.md shows a user', async () => {
    const { page } = await openConsole(app, { email: demo.adminEmail }, '/users/demo-user', {
      typedPassword: demo.adminPassword,
    });
    await page.getByRole('button', { name: 'Grant REFEREE' }).waitFor();
    await documentScreenshot(page, 'users');
  });

  /** Signs in as an admin, finds a user with this first name and the last name Erased, and opens the page of the user. */
  async function openUser(firstName: string) {
    const admin = await consoleUser(app, { firstName: 'Adam', roles: ['ADMIN'] });
    const slug = `${firstName.toLowerCase()}-erased`;
    const player = await consoleUser(app, { firstName, lastName: 'Erased', email: `${firstName.toLowerCase()}@example.com` });
    await app.sql.rows('update app_user set slug = $2 where id = $1', [player.id, slug]);
    const browserPage = await openConsole(app, admin, '/users');
    const { page } = browserPage;
    await page.getByLabel('Search').fill(`${firstName} erased`);
    await page.getByRole('link', { name: `${firstName} Erased` }).click();
    await heading(page, `${firstName} Erased`).waitFor();
    await page.getByRole('button', { name: 'Export data' }).waitFor();
    return { player, browserPage };
  }

  test('an admin exports a user whose address and roles the page does not show', async () => {
    const { player, browserPage } = await openUser('Ena');
    const { page, consoleErrors } = browserPage;
    // Only super admins see addresses and roles of other users.
    expect({ addresses: await page.getByText('ena@example.com').count(), roles: await page.getByText('Roles').count() }).toEqual({
      addresses: 0,
      roles: 0,
    });
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export data' }).click(),
    ]);
    const file: { User: { id: string; email: string }[] } = JSON.parse(await readFile(await download.path(), 'utf8'));
    expect({ name: download.suggestedFilename(), users: file.User.map(({ id, email }) => ({ id, email })) }).toEqual({
      name: 'user-ena-erased.json',
      users: [{ id: player.id, email: 'ena@example.com' }],
    });
    expect(consoleErrors).toEqual([]);
  });

  test('an admin erases a user after typing the slug', async () => {
    const { player, browserPage } = await openUser('Ona');
    const { page, consoleErrors } = browserPage;
    await page.getByRole('button', { name: 'Erase user…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Erase Ona Erased?' });
    const confirm = dialog.getByRole('button', { name: 'Erase user' });
    await dialog.getByLabel('To confirm, type ona-erased').fill('ona');
    expect(await confirm.isDisabled()).toBe(true);
    await expectAccessible(browserPage);
    await dialog.getByLabel('To confirm, type ona-erased').fill('ona-erased');
    await page.keyboard.press('Enter');
    await page.getByText('Ona Erased was erased.').waitFor();
    await heading(page, 'Deleted user').waitFor();
    await page.getByText('The personal data was deleted').waitFor();
    const offered = page
      .getByRole('main')
      .getByRole('button')
      .or(page.getByRole('main').getByRole('table', { name: 'Active sessions' }));
    expect(await offered.allTextContents()).toEqual([]);
    await expectAccessible(browserPage);
    const { erasedAt } =
      (await app.sql.row<{ erasedAt: string }>(
        `select to_char(erased_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI') as "erasedAt" from app_user where id = $1`,
        [player.id],
      )) ?? expect.fail('the user has no row');
    expect(await page.locator('.card time').getAttribute('datetime')).toContain(erasedAt);
    await page.getByRole('link', { name: 'All users' }).click();
    await page.getByLabel('State').selectOption('Erased');
    await expect.poll(() => namesIn(page)).toEqual(['Deleted user Erased']);
    const rows = await app.sql.rows('select email from app_user where id = $1', [player.id]);
    expect({ rows, consoleErrors }).toEqual({ rows: [{ email: null }], consoleErrors: [] });
  });

  test('errors have a button to try again, and an unknown user is reported', async () => {
    const { page } = await openConsole(app, superAdmin);
    const errors = [{ message: 'the service has failed', extensions: { code: 'INTERNAL' } }];
    await page.route('**/graphql', (route) => route.fulfill({ status: 500, json: { errors } }));
    await page.getByRole('navigation', { name: 'Tasks' }).getByRole('link', { name: 'Users' }).click();
    const alert = page.getByRole('alert').filter({ hasText: 'The service has failed.' });
    await alert.first().waitFor();
    await page.unroute('**/graphql');
    await alert.getByRole('button', { name: 'Try again' }).first().click();
    await page.getByRole('link', { name: 'Sue Perez' }).waitFor();
    await page.goto(`${app.origin}/console/users/unknown`);
    await signIn(page, superAdmin);
    await page.getByText('No user has this ID.').waitFor();
  });

  test('an admin ends a session, and signs a user out everywhere', async () => {
    const admin = await consoleUser(app, { firstName: 'Sid', roles: ['ADMIN'] });
    const player = await consoleUser(app, { firstName: 'Sol', lastName: 'Session' });
    await app.sql.rows(
      `insert into user_token (id, token_hash, user_id, expires_at, device)
       select 'session-' || n, 'hash-' || n, $1, now() + interval '1 day', 'Device ' || n from generate_series(1, 3) n`,
      [player.id],
    );
    const browserPage = await openConsole(app, admin, `/users/${player.id}`);
    const { page } = browserPage;
    await page.getByRole('button', { name: 'End session Device 2' }).click();
    await page.getByText('The session has ended.').waitFor();
    const sessions = page.getByRole('region', { name: 'Active sessions' });
    await expect.poll(() => sessions.getByRole('row').count()).toBe(4);
    expect(await sessions.getByText('Device 2').count()).toBe(0);
    await expectAccessible(browserPage);
    await page.getByRole('button', { name: 'Sign out everywhere…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click();
    await page.getByText('The user is not signed in anywhere.').waitFor();
    expect((await app.graphql('{ viewer { id } }', {}, { user: player.user })).viewer ?? null).toBeNull();
  });

  test('an admin is not offered actions that only super admins can perform on a super admin', async () => {
    const admin = await consoleUser(app, { firstName: 'Amy', roles: ['ADMIN'] });
    const { page } = await openConsole(app, admin, `/users/${superAdmin.id}`);
    await page.getByRole('region', { name: 'Active sessions' }).getByRole('row').nth(1).waitFor();
    const buttons = page.getByRole('main').getByRole('button');
    expect(await buttons.allTextContents()).toEqual(['Export data']);
  });

  test('sessions that start or end elsewhere appear and disappear', async () => {
    const admin = await consoleUser(app, { firstName: 'Seth', roles: ['ADMIN'] });
    const player = await consoleUser(app, { firstName: 'Sia', lastName: 'Elsewhere' });
    const { page } = await openConsole(app, admin, `/users/${player.id}`, { hasFakeClock: true });
    const row = page.getByRole('region', { name: 'Active sessions' }).getByRole('row', { name: /New phone/ });
    await page.getByRole('button', { name: 'Sign out everywhere…' }).waitFor();
    await app.sql.rows(
      `insert into user_token (id, token_hash, user_id, expires_at, device)
       values ('elsewhere', 'elsewhere', $1, now() + interval '1 day', 'New phone')`,
      [player.id],
    );
    await advanceTime(page, 10);
    await row.waitFor();
    await app.sql.rows(`delete from user_token where id = 'elsewhere'`);
    await advanceTime(page, 10);
    await row.waitFor({ state: 'detached' });
  }, 40_000);

  test('an admin locks a user with a reason, undoes it, and sees the lock in the list', async () => {
    const admin = await consoleUser(app, { firstName: 'Luc', roles: ['ADMIN'] });
    const player = await consoleUser(app, { firstName: 'Lola', lastName: 'Locked' });
    const browserPage = await openConsole(app, admin, `/users/${player.id}`);
    const { page, consoleErrors } = browserPage;
    const isLocked = async () =>
      (await app.sql.row('select from app_user where id = $1 and locked_at is not null', [player.id])) !== null;
    const lock = async () => {
      await page.getByRole('button', { name: 'Lock user…' }).click();
      await page.getByLabel('Reason').fill('Sells forged tickets');
      await page.getByRole('dialog').getByRole('button', { name: 'Lock user' }).click();
      await page.getByText('Reason: Sells forged tickets').waitFor();
    };
    await lock();
    await page.getByText('The user is not signed in anywhere.').waitFor();
    expect(await isLocked()).toBe(true);
    await expectAccessible(browserPage);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('button', { name: 'Lock user…' }).waitFor();
    expect(await isLocked()).toBe(false);
    await lock();
    await page.getByRole('link', { name: 'All users' }).click();
    await page.getByLabel('State').selectOption('locked');
    await expect
      .poll(() => namesIn(page))
      .toEqual(['Lola Locked Locked', 'Abbigail Stehr Locked', "Shaun Auer-O'Connell Locked"]);
    expect(consoleErrors).toEqual([]);
  });

  test('a lock does not replace the lock of somebody else, and its undo does not remove it', async () => {
    const admin = await consoleUser(app, { firstName: 'Liv', roles: ['ADMIN'] });
    const player = await consoleUser(app, { firstName: 'Lars', lastName: 'Contested' });
    const { page, consoleErrors } = await openConsole(app, admin, `/users/${player.id}`);
    const byOthers = (field: string) =>
      app.graphql(`mutation ($id: ID!) { ${field} { id } }`, { id: player.id }, { user: superAdmin.user });
    const lockByOthers = () => byOthers(`lockUser(id: $id, reason: "Threats,\\nin comments")`);
    const reason = async () =>
      (await app.sql.row<{ reason: string | null }>('select lock_reason as reason from app_user where id = $1', [player.id]))
        ?.reason;
    const lockButton = page.getByRole('button', { name: 'Lock user…' });
    const dialog = page.getByRole('dialog');
    await lockButton.click();
    await dialog.getByLabel('Reason').fill('Spam');
    await lockByOthers();
    const alert = dialog.getByRole('alert').filter({ hasText: /^Somebody else locked the user on / });
    await alert.waitFor();
    expect(await alert.locator('.written').allInnerTexts()).toEqual(['Reason: Threats,\nin comments']);
    const [response] = await Promise.all([
      page.waitForResponse((each) => each.request().postData()?.includes('ConsoleLockUser(') ?? false),
      dialog.getByRole('button', { name: 'Lock user' }).click(),
    ]);
    expect({ code: (await response.json()).errors[0].extensions.code, reason: await reason() }).toEqual({
      code: 'CONFLICT',
      reason: 'Threats,\nin comments',
    });
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Unlock user' }).click();
    await lockButton.click();
    await dialog.getByLabel('Reason').fill('Spam');
    await dialog.getByRole('button', { name: 'Lock user' }).click();
    await page.getByText('Lars Contested was locked.').waitFor();
    await byOthers('unlockUser(id: $id)');
    await lockByOthers();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Not unlocked: somebody else has changed the lock since.').waitFor();
    expect({ reason: await reason(), consoleErrors }).toEqual({ reason: 'Threats,\nin comments', consoleErrors: [] });
  });

  test('a lock by somebody else appears for a user who was found by email, and an export appears in the history', async () => {
    const player = await consoleUser(app, { firstName: 'Lou', lastName: 'Lookup', email: 'lou@lookup.example' });
    const { page } = await openConsole(app, superAdmin, '/users?search=lou@lookup.example', { hasFakeClock: true });
    const row = page.getByRole('row', { name: /^Lou Lookup/ });
    await row.waitFor();
    await app.graphql('mutation ($id: ID!) { lockUser(id: $id, reason: "Spam") { id } }', { id: player.id }, superAdmin);
    await advanceTime(page, 10);
    await row.getByText('Locked').waitFor();
    await row.getByRole('link').click();
    const history = page.getByRole('region', { name: 'Changes to this record' });
    await history.getByRole('row', { name: /lockedAt/ }).waitFor();
    await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Export data' }).click()]);
    await advanceTime(page, 10);
    await history.getByRole('row', { name: /Exported/ }).waitFor();
  }, 60_000);

  test('an error in the search names its field', async () => {
    const { page } = await openConsole(app, superAdmin, `/users?search=${'x'.repeat(201)}`);
    await page
      .getByRole('alert')
      .getByText(/^Search: expected at most 200 characters/)
      .waitFor();
  });
});
