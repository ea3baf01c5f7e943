import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { demo } from '../../../src/demo/tokens.js';
import { missingBrowser } from '../../support/clients/browser.js';
import { requires } from '../../support/prerequisites.js';
import type { TestApp } from '../../support/servers/app.js';
import { detail, heading, items, newOwner, notice, type Owner, stateOf } from './approval-items.js';
import { type ConsoleUser, consoleUser, expectAccessible, openConsole, startConsole } from './console-page.js';

let app: TestApp;
let moderator: ConsoleUser;
beforeAll(async () => {
  app = await startConsole();
  moderator = await consoleUser(app, { firstName: 'Mona', lastName: 'Marsh', roles: ['CONTENT_CONFIRMER'] });
}, 120_000);
afterAll(() => app.close());

const statesOf = (ids: readonly string[]) => Promise.all(ids.map((id) => stateOf(app, 'biography', id)));
const focused = (page: Page) => page.evaluate('document.activeElement.textContent');

describe('in a browser', requires(missingBrowser), () => {
  const open = async (owner: Owner, search = '') => {
    const browserPage = await openConsole(app, moderator, `/approvals?owner=${owner.name}${search}`);
    await items(browserPage.page).first().waitFor();
    return browserPage;
  };
  /** Opens the queue of a new owner with two biographies. */
  const openTwo = async () => {
    const owner = await newOwner(app);
    const ids = [await owner.biography('One.'), await owner.biography('Two.')];
    const browserPage = await open(owner);
    await detail(browserPage.page).getByText('One.').waitFor();
    return { ...browserPage, owner, ids };
  };

  test('undo takes back an approval to which the service has not responded yet', async () => {
    const { page, ids } = await openTwo();
    await page.keyboard.press('a');
    await notice(page).getByText('Approved').waitFor();
    let respond = () => {};
    const isUndone = new Promise<void>((resolve) => {
      respond = resolve;
    });
    await page.route('**/graphql', async (route) => {
      if (route.request().postData()?.includes('ConsoleApprove(')) await isUndone;
      await route.continue();
    });
    await page.keyboard.press('a');
    await page.getByText('Nothing is waiting for your approval.').waitFor();
    await page.keyboard.press('u');
    respond();
    await notice(page).getByText('Approval taken back').waitFor();
    expect(await statesOf(ids)).toEqual(['APPROVED 1', 'PENDING 0']);
    await expect.poll(() => focused(page)).toBe(await heading(page).textContent());
  });

  test('a double click approves only one item', async () => {
    const { page, ids } = await openTwo();
    await page.getByRole('button', { name: 'Approve' }).dblclick();
    await detail(page).getByText('Two.').waitFor();
    await notice(page).getByText('Approved').waitFor();
    expect(await statesOf(ids)).toEqual(['APPROVED 1', 'PENDING 0']);
  });

  test('the displayed item stays when somebody else approves or declines it', async () => {
    const { page, ids } = await openTwo();
    await app.graphql(`mutation { approveItem(type: BIOGRAPHY, id: "${ids[0]}") { state } }`);
    await expect.poll(() => items(page).count()).toBe(1);
    await detail(page).getByText('1 of 1 approval').waitFor();
    await page.keyboard.press('a');
    await page.keyboard.press('j');
    await detail(page).getByText('Two.').waitFor();
    expect(await statesOf(ids)).toEqual(['APPROVED 1', 'PENDING 0']);
  });

  test('at 200% zoom, keys open the item before it can be approved', async () => {
    const { page, ids } = await openTwo();
    await page.setViewportSize({ width: 640, height: 422 });
    await page.keyboard.press('a');
    await expect.poll(() => detail(page).isVisible()).toBe(true);
    expect(await statesOf(ids)).toEqual(['PENDING 0', 'PENDING 0']);
    await page.keyboard.press('a');
    await detail(page).getByText('Two.').waitFor();
    await expect.poll(() => statesOf(ids)).toEqual(['APPROVED 1', 'PENDING 0']);
  });

  test('keys work for a linked item that is not in the list', async () => {
    const { page, ids, owner } = await openTwo();
    const [itemId] = await items(page).evaluateAll((links) =>
      links.map((link) => new URL((link as HTMLAnchorElement).href).searchParams.get('item')),
    );
    await page.getByLabel('Kind').selectOption('Sponsor');
    await page.getByText('Nothing is waiting for your approval.').waitFor();
    await page.evaluate(
      `history.pushState(null, '', '?owner=${owner.name}&kind=SPONSOR&item=${itemId}'); dispatchEvent(new Event('popstate'))`,
    );
    await detail(page).getByText('One.').waitFor();
    await page.keyboard.press('a');
    await notice(page).getByText('Approved').waitFor();
    expect(await statesOf(ids)).toEqual(['APPROVED 1', 'PENDING 0']);
  });

  test('keys do nothing while no item is shown', async () => {
    const { page, ids, owner } = await openTwo();
    await page.getByLabel('Kind').selectOption('Sponsor');
    await page.getByText('Nothing is waiting for your approval.').waitFor();
    await page.getByRole('heading', { level: 1 }).focus();
    for (const key of ['a', 'd', 'a']) await page.keyboard.press(key);
    expect({ search: new URL(page.url()).search, states: await statesOf(ids) }).toEqual({
      search: `?owner=${owner.name}&kind=SPONSOR`,
      states: ['PENDING 0', 'PENDING 0'],
    });
  });

  test('the last item of a queue is not opened again by a key', async () => {
    const owner = await newOwner(app);
    await owner.biography('Only.');
    const { page } = await open(owner);
    await detail(page).getByText('Only.').waitFor();
    await page.keyboard.press('a');
    await page.getByText('Nothing is waiting for your approval.').waitFor();
    await page.keyboard.press('a');
    await page.keyboard.press('u');
    await notice(page).getByText('Approval taken back').waitFor();
    await page.getByText('1 item', { exact: true }).waitFor();
    await page.keyboard.press('a');
    await notice(page).getByText('Approved').waitFor();
    await page.getByText('Nothing is waiting for your approval.').waitFor();
    await page.keyboard.press('a');
    expect({ search: new URL(page.url()).search, items: await detail(page).count() }).toEqual({
      search: `?owner=${owner.name}`,
      items: 0,
    });
  });

  test('an approved item does not reappear from a list that was read before an event', async () => {
    const { page, owner, ids } = await openTwo();
    const [one, two] = ids;
    // Holds the responses to reads of the list.
    const heldResponses: (() => void)[] = [];
    await page.route('**/graphql', async (route) => {
      if (!route.request().postData()?.includes('ConsoleApprovals(')) return route.fallback();
      const response = await route.fetch();
      await new Promise<void>((resolve) => heldResponses.push(resolve));
      await route.fulfill({ response });
    });
    await owner.biography('Three.');
    await expect.poll(() => heldResponses.length).toBe(1);
    await page.keyboard.press('a');
    await notice(page).getByText('Approved').waitFor();
    await detail(page).getByText('Two.').waitFor();
    const change = (mutation: string, id: string | undefined) =>
      app.graphql(`mutation { ${mutation}(type: BIOGRAPHY, id: "${id}") { state } }`);
    await change('unapproveItem', one);
    await change('approveItem', one);
    // The page reads the displayed item again after it has received all earlier events.
    const detailRead = page.waitForRequest((request) => request.postData()?.includes('ConsoleApprovalItem(') ?? false);
    await change('approveItem', two);
    await detailRead;
    heldResponses[0]?.();
    await expect.poll(() => heldResponses.length).toBe(2);
    expect(await items(page).count()).toBe(2);
    heldResponses[1]?.();
    await page.getByText('1 item', { exact: true }).waitFor();
  });

  test('an approval that is undone in another task does not change the URL of that task', async () => {
    const admin = await consoleUser(app, { roles: ['ADMIN', 'CONTENT_CONFIRMER'] });
    const owner = await newOwner(app);
    const id = await owner.biography('Text.');
    const { page } = await openConsole(app, admin, `/approvals?owner=${owner.name}`);
    await detail(page).getByText('Text.').waitFor();
    await page.keyboard.press('a');
    await notice(page).getByText('Approved').waitFor();
    await page.getByRole('link', { name: 'Users' }).click();
    await page.getByRole('heading', { name: 'Users', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await notice(page).getByText('Approval taken back').waitFor();
    expect({ url: page.url(), states: await statesOf([id]) }).toEqual({
      url: `${app.origin}/console/users`,
      states: ['PENDING 0'],
    });
  });

  test('an error about the name of an owner names its field', async () => {
    const { page } = await openConsole(app, moderator, `/approvals?owner=${'x'.repeat(201)}`);
    await page
      .getByRole('alert')
      .getByText(/^Owner name: expected at most 200 characters/)
      .waitFor();
  });

  test('the reason of a decline keeps its line breaks', async () => {
    const owner = await newOwner(app);
    await owner.biography('Text.');
    const { page } = await open(owner);
    await detail(page).getByText('Text.').waitFor();
    await page.keyboard.press('d');
    await page.getByLabel('Reason').fill('Too short.\nAdd your club.');
    await page.getByRole('dialog').getByRole('button', { name: 'Decline' }).click();
    await notice(page).getByText('Declined').waitFor();
    await page.getByLabel('State').selectOption('Declined');
    await detail(page).getByText('Declined', { exact: true }).waitFor();
    expect(await detail(page).locator('.alarm').allInnerTexts()).toEqual(['Reason: Too short.\nAdd your club.']);
  });

  test('an approved item that needs another approval is listed with all pending items', async () => {
    const owner = await newOwner(app);
    await owner.sponsor('Dink Studio');
    const { page } = await open(owner);
    await page.keyboard.press('a');
    await page.getByText('Nothing is waiting for your approval.').waitFor();
    await page.getByLabel('State').selectOption('All pending');
    await items(page).first().waitFor();
    await page.getByText('1 item', { exact: true }).waitFor();
  });

  test('a decline by a moderator cannot be undone, and does not undo an earlier approval', async () => {
    const { page, ids } = await openTwo();
    await page.keyboard.press('a');
    await notice(page).getByText('Approved').waitFor();
    await page.keyboard.press('d');
    await page.getByLabel('Reason').fill('Too short.');
    await page.getByRole('dialog').getByRole('button', { name: 'Decline' }).click();
    await notice(page).getByText('Declined').waitFor();
    await page.keyboard.press('u');
    await notice(page).getByText('Only admins can return a declined item to the queue').waitFor();
    expect(await statesOf(ids)).toEqual(['APPROVED 1', 'DECLINED 0: Too short.']);
  });

  test('the focus follows the displayed item', async () => {
    const { page, owner } = await openTwo();
    const title = `Biography of Olaf ${owner.name}`;
    await page.keyboard.press('d');
    await page.getByLabel('Reason').fill('Too short.');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(() => focused(page)).toBe(title);
    await page.keyboard.press('a');
    await notice(page).getByText('Approved').waitFor();
    await page.getByRole('button', { name: 'Undo' }).press('Enter');
    await detail(page).getByText('Two.').waitFor();
    await expect.poll(() => focused(page)).toBe(title);
    await page.getByRole('button', { name: 'Dismiss' }).press('Enter');
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('content');
  });

  test('after changes, a list of several pages contains each item once', async () => {
    const { page } = await openConsole(app, { email: demo.adminEmail }, '/approvals?kind=USER_IMAGE', {
      typedPassword: demo.adminPassword,
    });
    await page.getByRole('button', { name: 'Load more' }).click();
    await expect.poll(() => items(page).count()).toBeGreaterThan(60);
    const all = await items(page).count();
    const links = () => items(page).evaluateAll((links) => links.map((link) => link.getAttribute('href')));
    for (let count = 1; count <= 5; count += 1) {
      await page.keyboard.press('a');
      await expect.poll(() => items(page).count()).toBe(all - count);
    }
    // The list is read again after changes by other moderators.
    const owner = await newOwner(app);
    await owner.image();
    await page.getByText(`${all - 4} items`).waitFor();
    await expect.poll(async () => new Set(await links()).size).toBe(all - 4);
    expect(await items(page).count()).toBe(all - 4);
  });

  test('long words are wrapped', async () => {
    const owner = await newOwner(app);
    await owner.sponsor('Pickleball'.repeat(20));
    const browserPage = await open(owner);
    const { page } = browserPage;
    const clipped = `[...document.querySelectorAll('.preview > *, .items a > *')]
      .filter((element) => element.scrollWidth > element.parentElement.clientWidth).map(({ textContent }) => textContent)`;
    expect(await page.evaluate(clipped)).toEqual([]);
    await expectAccessible(browserPage);
  });

  test('the audit trail is read only when it is opened', async () => {
    const admin = await consoleUser(app, { roles: ['ADMIN', 'CONTENT_CONFIRMER'] });
    const owner = await newOwner(app);
    await owner.biography('Text.');
    const { page } = await openConsole(app, admin, `/approvals?owner=${owner.name}`);
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.postData() ?? ''));
    await detail(page).getByText('Submitted').waitFor();
    expect(requests.filter((body) => body.includes('ConsoleRecordHistory'))).toEqual([]);
    await page.getByText('Audit trail').click();
    await page.getByRole('row', { name: /Created/ }).waitFor();
  });

  test('shortcuts that were turned off stay off on the next visit to the task', async () => {
    const { page, ids } = await openTwo();
    await page.keyboard.press('?');
    await page.getByLabel('Shortcuts are on').uncheck();
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Courtside console, overview' }).click();
    await page.goBack();
    await detail(page).getByText('One.').waitFor();
    await page.keyboard.press('a');
    await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
    expect({ isOn: await page.getByLabel('Shortcuts are on').isChecked(), states: await statesOf(ids) }).toEqual({
      isOn: false,
      states: ['PENDING 0', 'PENDING 0'],
    });
  });
});
