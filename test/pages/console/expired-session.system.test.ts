import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { missingBrowser } from '../../support/clients/browser.js';
import { requires } from '../../support/prerequisites.js';
import type { TestApp } from '../../support/servers/app.js';
import { newOwner } from './approval-items.js';
import {
  advanceTimeUntilVisible,
  type ConsoleUser,
  consoleUser,
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

const signInDialog = (page: Page) => page.getByRole('dialog', { name: 'Sign in again' });

/** Ends all sessions of the super admin. */
async function expire(): Promise<void> {
  await app.sql.rows('delete from user_token where user_id = $1', [superAdmin.id]);
  app.resources.services.authenticator.clearCaches();
}

/** Ends the session of a page, and waits until the page has noticed it. */
async function expireOn(page: Page): Promise<void> {
  await expire();
  // The viewer is read again when the page becomes visible.
  await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
  await signInDialog(page).waitFor();
}

/** Form with an input. */
interface Form {
  path(): Promise<string>;
  /** Button that opens the form. */
  readonly open?: string;
  /** Label or name of the input. */
  readonly input: string;
  readonly value: string;
  readonly submit: string;
  /** Text that is visible after the form has been sent. */
  readonly result: string;
}

const userPath = async () => `/users/${(await consoleUser(app, { firstName: 'Ulla', lastName: 'User' })).id}`;

const forms: Readonly<Record<string, Form>> = {
  'Data: edit': {
    path: async () => '/data/Tournament/demo-tournament?view=edit',
    input: 'input.title',
    value: 'Kept title',
    submit: 'Save',
    result: 'Saved Kept title',
  },
  'Data: new': {
    path: async () => '/data/Tournament?view=new',
    input: 'input.title',
    value: 'Kept tournament',
    submit: 'Create',
    result: 'Created Kept tournament',
  },
  'Approvals: comment': {
    async path() {
      const owner = await newOwner(app);
      await owner.biography('I play.');
      return `/approvals?owner=${owner.name}`;
    },
    input: 'content',
    value: 'A kept comment',
    submit: 'Add comment',
    result: 'The comment was added.',
  },
  'Users: lock': {
    path: userPath,
    open: 'Lock user…',
    input: 'reason',
    value: 'A kept reason',
    submit: 'Lock user',
    result: 'Reason: A kept reason',
  },
  'Platforms: create': {
    path: async () => '/platforms',
    open: 'Create platform…',
    input: 'title',
    value: 'Kept platform',
    submit: 'Create platform',
    result: 'It is shown only once.',
  },
  'Platforms: settings': {
    path: async () => '/platforms/details/demo-club-sites',
    input: 'domain',
    value: 'kept.example',
    submit: 'Save',
    result: 'Settings saved.',
  },
  'Platforms: key': {
    path: async () => '/platforms/details/demo-club-sites',
    open: 'Create key…',
    input: 'label',
    value: 'Kept key',
    submit: 'Create key',
    result: 'It is shown only once.',
  },
  'Webhooks: rotate': {
    path: async () => '/webhooks/demo-webhook',
    open: 'Rotate secret…',
    input: 'hours',
    value: '0167',
    submit: 'Rotate secret',
    result: 'It is shown only once.',
  },
};

const form = (name: string, value: string): Form => ({ ...(forms[name] ?? expect.fail(name)), value });

/** Opens a form, and enters a value. */
async function fill({ path, open, input, value }: Form): Promise<Page> {
  const { page } = await openConsole(app, superAdmin, await path());
  if (open) await page.getByRole('button', { name: open, exact: true }).click();
  await page.locator(`[name="${input}"]`).fill(value);
  return page;
}

describe('in a browser', { ...requires(missingBrowser), timeout: 60_000 }, () => {
  test.each(Object.entries(forms))('%s: the same user continues with the entered values', async (_, form) => {
    const page = await fill(form);
    await expireOn(page);
    await signIn(signInDialog(page), superAdmin);
    await signInDialog(page).waitFor({ state: 'detached' });
    expect(await page.locator(`[name="${form.input}"]`).inputValue()).toBe(form.value);
    await page.getByRole('button', { name: form.submit, exact: true }).click();
    await page.getByText(form.result).waitFor();
  });

  test.each(Object.entries(forms))('%s: another user sees none of the entered values', async (_, form) => {
    const page = await fill(form);
    await expireOn(page);
    const other = await consoleUser(app, { firstName: 'Otto', isSuperAdmin: true });
    await signIn(signInDialog(page), other);
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    await page.getByText('Otto').waitFor();
    const contains = `document.body.innerHTML.includes(${JSON.stringify(form.value)}) ||
      [...document.querySelectorAll('input, textarea')].some(({ value }) => value === ${JSON.stringify(form.value)})`;
    expect({
      contains: await page.evaluate(contains),
      path: page.url(),
      dialogs: await page.getByRole('dialog').count(),
    }).toEqual({
      contains: false,
      path: `${app.origin}/console`,
      dialogs: 0,
    });
    await page.goto(`${app.origin}/console`);
  });

  test('the dialog hides the page, stays open, and reports a wrong password', async () => {
    const { page, consoleErrors } = await openConsole(app, superAdmin, '/data/Tournament/demo-tournament?view=edit');
    const title = page.locator('[name="input.title"]');
    await title.fill('Focused title');
    await expireOn(page);
    await expectAccessible({ page });
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await signIn(signInDialog(page), superAdmin, 'wrong');
    await page.getByRole('alert').getByText('Incorrect').waitFor();
    const backdrop = `getComputedStyle(document.querySelector('dialog'), '::backdrop').backgroundColor`;
    expect(await page.evaluate(backdrop)).toBe(await page.evaluate('getComputedStyle(document.body).backgroundColor'));
    await signIn(signInDialog(page), superAdmin);
    await signInDialog(page).waitFor({ state: 'detached' });
    await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('input.title');
    expect(consoleErrors.filter((error) => !/401/.test(error))).toEqual([]);
  });

  test('a change that an expired session has sent can be sent again', async () => {
    const page = await fill(form('Data: new', 'Sent twice'));
    await expire();
    const create = page.getByRole('button', { name: 'Create' });
    await create.click();
    await signInDialog(page).waitFor();
    await signIn(signInDialog(page), superAdmin);
    await signInDialog(page).waitFor({ state: 'detached' });
    expect(await page.getByRole('alert').count()).toBe(0);
    await create.click();
    await page.getByText('Created Sent twice').waitFor();
  });

  test('a change from before the sign-in can be undone', async () => {
    const page = await fill(form('Platforms: settings', 'undone.example'));
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Settings saved.').waitFor();
    await expireOn(page);
    await signIn(signInDialog(page), superAdmin);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Settings restored.').waitFor();
  });

  test('after signing in again, changes by others appear', async () => {
    const { page } = await openConsole(app, superAdmin, '/data/Tournament/demo-tournament', { hasFakeClock: true });
    await page.getByRole('link', { name: 'Edit' }).waitFor();
    await expireOn(page);
    await signIn(signInDialog(page), superAdmin);
    await signInDialog(page).waitFor({ state: 'detached' });
    await app.sql.rows(`update tournament set location_venue = 'Renewed Hall' where id = 'demo-tournament'`);
    await advanceTimeUntilVisible(page.getByText('Renewed Hall'), 5);
  });
});
