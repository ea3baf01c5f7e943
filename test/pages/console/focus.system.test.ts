import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { missingBrowser } from '../../support/clients/browser.js';
import { requires } from '../../support/prerequisites.js';
import type { TestApp } from '../../support/servers/app.js';
import { newBrowserPage } from '../browser-page.js';
import { items, newOwner } from './approval-items.js';
import { type ConsoleUser, consoleUser, openConsole, startConsole } from './console-page.js';

let app: TestApp;
let superAdmin: ConsoleUser;
beforeAll(async () => {
  app = await startConsole();
  superAdmin = await consoleUser(app, { firstName: 'Sue', lastName: 'Perez', isSuperAdmin: true });
}, 120_000);
afterAll(() => app.close());

/** Returns the name of the element that has the focus. */
const focused = (page: Page) =>
  page.evaluate<string>(
    `(({ activeElement: element }) => element === document.body ? '(body)' : element.getAttribute('aria-label') ?? element.textContent)(document)`,
  );

/** Holds the requests of an operation until the returned function is called. */
async function hold(page: Page, operation: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route('**/graphql', async (route) => {
    if (route.request().postData()?.includes(operation)) await promise;
    await route.continue();
  });
  return resolve;
}

/** Action that a button on a page triggers. */
interface Action {
  /** Creates the data that the action needs. Returns the path of the page. */
  prepare(): Promise<string>;
  /** Fills in the inputs that the action needs. */
  fill?(page: Page): Promise<void>;
  readonly button: string | RegExp;
  /** Operation that the action sends. */
  readonly operation: string;
  /** Text that is visible after the action, or the name of a button that is no longer visible. */
  readonly result: string | { readonly removed: string };
  /** Name of the element that has the focus after the action. */
  readonly focus: string;
}

const userWith = async (statement: string): Promise<string> => {
  const { id } = await consoleUser(app, { firstName: 'Ulla', lastName: 'User' });
  await app.sql.rows(statement, [id]);
  return `/users/${id}`;
};
const failedMessages = async (...names: string[]): Promise<string> => {
  await app.sql.rows(
    `insert into jobs.job (name, data, source_name, output, created_on)
     select 'dead', jsonb_build_object('kind', 'mail', 'to', 'ana@late.example', 'subject', name), 'mail', '{"reason": "x"}', now() + n * interval '1 s'
     from unnest($1::text[]) with ordinality messages (name, n)`,
    [names],
  );
  return '/operations/messages';
};
const newItem = async (): Promise<string> => {
  const owner = await newOwner(app);
  await owner.sponsor(`Sponsor of ${owner.name}`);
  return `/approvals?owner=${owner.name}`;
};

const actions: Readonly<Record<string, Action>> = {
  'Approvals: take back': {
    prepare: newItem,
    async fill(page) {
      await page.getByRole('button', { name: 'Approve', exact: true }).click();
      await page.getByText(/^Approved: /).waitFor();
      await page.getByLabel('State').selectOption('All pending');
      await items(page).first().click();
    },
    button: 'Take back my approval',
    operation: 'ConsoleTakeBack',
    result: { removed: 'Take back my approval' },
    focus: 'Sponsor Sponsor of Quixote',
  },
  'Approvals: comment': {
    prepare: newItem,
    fill: (page) => page.getByLabel('Comment').fill('Looks good.'),
    button: 'Add comment',
    operation: 'ConsoleAddComment',
    result: 'The comment was added.',
    focus: 'Add comment',
  },
  'Users: unlock': {
    prepare: () => userWith(`update app_user set locked_at = now(), lock_reason = 'Spam' where id = $1`),
    button: 'Unlock user',
    operation: 'ConsoleUnlockUser',
    result: { removed: 'Unlock user' },
    focus: 'Lock',
  },
  'Users: export': {
    prepare: () => userWith('select $1'),
    button: 'Export data',
    operation: 'ConsoleExportUser',
    result: 'The export was downloaded.',
    focus: 'Export data',
  },
  'Users: revoke': {
    prepare: () => userWith(`update app_user set role_ids = array(select id from role where title = 'REFEREE') where id = $1`),
    button: 'Revoke REFEREE',
    operation: 'ConsoleRevokeRole',
    result: { removed: 'Revoke REFEREE' },
    focus: 'Grant REFEREE',
  },
  'Users: end a session': {
    prepare: () =>
      userWith(`insert into user_token (id, token_hash, user_id, expires_at, device)
        select 'session-' || device, 'hash-' || device, $1, now() + interval '1 day', device from unnest(array['A', 'B']) device`),
    button: 'End session A',
    operation: 'ConsoleEndSession',
    result: { removed: 'End session A' },
    focus: expect.stringMatching(/^End session /),
  },
  'Platforms: end the previous token': {
    async prepare() {
      const [platform] = await app.sql.rows(
        `update platform set previous_token_hash = 'x', previous_token_ends_at = now() + '1 day' where title = 'Old Scoreboard' returning id`,
      );
      return `/platforms/details/${platform?.id}`;
    },
    fill: (page) => page.getByRole('button', { name: 'End previous token…' }).click(),
    button: /^End previous token$/,
    operation: 'ConsoleEndPreviousToken',
    result: { removed: 'End previous token…' },
    focus: 'Token',
  },
  'Data: save': {
    async prepare() {
      await app.sql.rows(`update tournament set title = 'Focused' where id = 'demo-tournament'`);
      return '/data/Tournament/demo-tournament?view=edit';
    },
    fill: (page) => page.locator('[name="input.title"]').fill('Focused 2'),
    button: 'Save',
    operation: 'ConsoleSave',
    result: 'Saved Focused 2',
    focus: 'Focused 2',
  },
  'Operations: retry a message': {
    prepare: () => failedMessages('Early', 'Late'),
    button: 'Retry Late to late.example',
    operation: 'ConsoleRetryMessage',
    result: { removed: 'Retry Late to late.example' },
    focus: 'Retry Early to late.example',
  },
  'Operations: retry the last job': {
    prepare: async () => '/operations/jobs',
    button: /^Retry chore-/,
    operation: 'ConsoleRetryJob',
    result: 'No job has failed.',
    focus: 'Failed jobs',
  },
};

describe('in a browser', { ...requires(missingBrowser), timeout: 60_000 }, () => {
  test('the sign-in button keeps the focus while it runs', async () => {
    const { page } = await newBrowserPage(app.origin);
    await page.goto(`${app.origin}/console`);
    await page.getByLabel('Email').fill(superAdmin.email);
    await page.getByLabel('Password').fill('wrong');
    const release = await hold(page, 'ConsoleLogin');
    await page.getByRole('button', { name: 'Sign in' }).press('Enter');
    await page.locator('[aria-disabled]').waitFor();
    expect(await focused(page)).toBe('Sign in');
    release();
    await page.getByRole('alert').waitFor();
  });

  test.each(Object.entries(actions))('%s: the focus is kept', async (_, action) => {
    const { page } = await openConsole(app, superAdmin, await action.prepare());
    await action.fill?.(page);
    const release = await hold(page, action.operation);
    const button = page.getByRole('button', { name: action.button }).first();
    const label = (await button.getAttribute('aria-label')) ?? (await button.textContent());
    await button.press('Enter');
    await page.locator('[aria-disabled]').first().waitFor();
    const whileRunning = await focused(page);
    release();
    const { result } = action;
    if (typeof result === 'string') await page.getByText(result).waitFor();
    else await page.getByRole('button', { name: result.removed }).waitFor({ state: 'detached' });
    expect(whileRunning.replace('Exporting…', 'Export data')).toBe(label);
    await expect.poll(() => focused(page)).toEqual(action.focus);
  });

  test('while more rows are loaded, the button keeps the focus, and after the last page, its first row has it', async () => {
    const { page } = await openConsole(app, superAdmin, '/webhooks/demo-webhook');
    const rows = page.getByRole('region', { name: 'Deliveries, newest first' }).locator('tbody tr');
    await expect.poll(() => rows.count()).toBe(20);
    const release = await hold(page, 'ConsoleDeliveries');
    const loadMore = page.getByRole('button', { name: 'Load more' });
    await loadMore.press('Enter');
    await page.getByRole('button', { name: 'Loading…' }).waitFor();
    expect(await focused(page)).toBe('Loading…');
    release();
    await expect.poll(() => rows.count()).toBe(40);
    expect(await focused(page)).toBe('Load more');
    await loadMore.press('Enter');
    await expect.poll(() => rows.count()).toBe(51);
    const isInFirstNewRow = `document.querySelectorAll('tbody tr')[40].contains(document.activeElement)`;
    await expect.poll(() => page.evaluate(isInFirstNewRow)).toBe(true);
  });
});
