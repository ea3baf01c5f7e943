import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { demo } from '../../../src/demo/tokens.js';
import { missingBrowser } from '../../support/clients/browser.js';
import { requires } from '../../support/prerequisites.js';
import type { TestApp } from '../../support/servers/app.js';
import { detail, heading, items, newOwner, notice, type Owner, stateOf, titles } from './approval-items.js';
import {
  type ConsoleUser,
  consoleUser,
  documentScreenshot,
  expectAccessible,
  openConsole,
  signIn,
  startConsole,
} from './console-page.js';

let app: TestApp;
let moderator: ConsoleUser;
beforeAll(async () => {
  app = await startConsole();
  moderator = await newModerator();
}, 120_000);
afterAll(() => app.close());

const newModerator = () => consoleUser(app, { firstName: 'Mona', lastName: 'Marsh', roles: ['CONTENT_CONFIRMER'] });

describe('in a browser', requires(missingBrowser), () => {
  const open = async (owner: Owner, user = moderator, search = '') => {
    const browserPage = await openConsole(app, user, `/approvals?owner=${owner.name}${search}`);
    await items(browserPage.page).first().waitFor();
    return browserPage;
  };

  test('items are previewed as the public will see them', async () => {
    const owner = await newOwner(app);
    await owner.image();
    await owner.image('https://images.invalid/missing.png');
    await owner.biography('First line.\n<script>globalThis.attacked = true</script>');
    await owner.sponsor('Paddle Works');
    const browserPage = await open(owner);
    const { page, consoleErrors } = browserPage;
    expect(await titles(page)).toEqual([
      `Biography of Olaf ${owner.name}`,
      `Profile image of Olaf ${owner.name}`,
      `Profile image of Olaf ${owner.name}`,
      'Sponsor Paddle Works',
    ]);
    const image = detail(page).getByRole('img', { name: `Profile image of Olaf ${owner.name}` });
    await image.waitFor();
    const width = await page.evaluate(
      `document.querySelector('.preview img').decode().then(() => document.querySelector('.preview img').naturalWidth)`,
    );
    await page.keyboard.press('j');
    await detail(page).getByText('The image could not be loaded.').waitFor();
    await page.keyboard.press('j');
    const text = await detail(page).locator('.written').first().textContent();
    await page.keyboard.press('j');
    await detail(page).getByText('0 of 2 approvals').waitFor();
    expect({ width, text, attacked: await page.evaluate('globalThis.attacked') }).toEqual({
      width: 40,
      text: 'First line.\n<script>globalThis.attacked = true</script>',
      attacked: undefined,
    });
    await expectAccessible(browserPage);
    // The browser logs an error for the host that does not exist.
    expect(consoleErrors.filter((message) => !message.includes('ERR_NAME_NOT_RESOLVED'))).toEqual([]);
  });

  test('a moderator works through the queue with the keyboard, and undoes an approval', async () => {
    const owner = await newOwner(app);
    const ids = [await owner.biography('One.'), await owner.biography('Two.'), await owner.biography('Three.')];
    const browserPage = await open(owner);
    const { page } = browserPage;
    await page.keyboard.press('?');
    const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await dialog.getByText('Approve the item').waitFor();
    await expectAccessible(browserPage);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.keyboard.press('a');
    await notice(page).getByText(`Approved: Biography of Olaf ${owner.name}.`).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('a');
    await expect.poll(() => items(page).count()).toBe(1);
    await expect
      .poll(() => Promise.all(ids.map((id) => stateOf(app, 'biography', id))))
      .toEqual(['APPROVED 1', 'PENDING 0', 'APPROVED 1']);
    await page.keyboard.press('u');
    await notice(page).getByText('Approval taken back').waitFor();
    await page.keyboard.press('u');
    await expect.poll(() => items(page).count()).toBe(3);
    expect(await Promise.all(ids.map((id) => stateOf(app, 'biography', id)))).toEqual(['PENDING 0', 'PENDING 0', 'PENDING 0']);
    await page.keyboard.press('u');
    await notice(page).getByText('There is nothing to undo.').waitFor();
    expect(await page.evaluate('document.activeElement.textContent')).toBe(`Biography of Olaf ${owner.name}`);
  });

  test('shortcuts do nothing while the user types text, and can be turned off', async () => {
    const owner = await newOwner(app);
    const id = await owner.biography('Unchanged.');
    const { page } = await open(owner);
    await page.getByLabel('Owner name').press('a');
    await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
    await page.getByLabel('Shortcuts are on').uncheck();
    await page.getByRole('button', { name: 'Close' }).click();
    await page.keyboard.press('a');
    await page.getByRole('button', { name: 'Approve' }).waitFor();
    expect({ state: await stateOf(app, 'biography', id), notice: await notice(page).textContent() }).toEqual({
      state: 'PENDING 0',
      notice: '',
    });
  });

  test('a decline needs a reason, which the owner reads, and an admin returns the item to the queue', async () => {
    const owner = await newOwner(app);
    const id = await owner.image();
    const browserPage = await open(owner);
    const { page } = browserPage;
    await page.keyboard.press('d');
    const dialog = page.getByRole('dialog', { name: /^Decline/ });
    await dialog.getByLabel('Reason').fill('  ');
    await dialog.getByRole('button', { name: 'Decline' }).click();
    await dialog.getByText('Expected: a non-blank reason').waitFor();
    await expectAccessible(browserPage);
    await dialog.getByLabel('Reason').fill('The image is blurry.');
    await dialog.getByRole('button', { name: 'Decline' }).click();
    await page.getByText('Nothing is waiting for your approval.').waitFor();
    await expectAccessible(browserPage);
    expect(await stateOf(app, 'user_image', id)).toBe('DECLINED 0: The image is blurry.');

    const admin = await consoleUser(app, { roles: ['ADMIN', 'CONTENT_CONFIRMER'] });
    const { page: adminPage } = await open(owner, admin, '&state=DECLINED');
    await detail(adminPage).getByText('Reason: The image is blurry.').waitFor();
    await adminPage.getByRole('button', { name: 'Return to the queue' }).click();
    await adminPage.getByText('No items match the filters.').waitFor();
    expect(await stateOf(app, 'user_image', id)).toBe('PENDING 0');
    // The item appears again for the moderator.
    await items(page).first().waitFor();
    // Its history still contains the decline.
    await detail(page).getByText('Declined by Mona Marsh: The image is blurry.').waitFor();
    expect(await detail(page).getByRole('button', { name: 'Delete' }).count()).toBe(0);
  });

  test('an owner is found among many users with the same name', async () => {
    const owner = await newOwner(app);
    await owner.biography('Text.');
    await app.sql.rows(
      `insert into app_user (id, first_name, last_name, slug) select '0-' || n, 'Al', $1, 'same-' || n from generate_series(1, 120) n`,
      [owner.name],
    );
    const { page } = await openConsole(app, moderator, `/approvals?owner=${owner.name}`);
    await expect.poll(() => titles(page)).toEqual([`Biography of Olaf ${owner.name}`]);
    await app.sql.rows(`delete from app_user where slug like 'same-%'`);
  });

  test('filters and order are part of the URL, and owners are found by their name', async () => {
    const owner = await newOwner(app);
    await owner.image();
    await owner.biography('Text.');
    const browserPage = await openConsole(app, moderator, '/approvals');
    const { page } = browserPage;
    await items(page).nth(20).waitFor();
    await page.getByLabel('Owner name').fill(owner.name.toLowerCase());
    await expect.poll(() => titles(page)).toEqual([`Biography of Olaf ${owner.name}`, `Profile image of Olaf ${owner.name}`]);
    await page.getByLabel('Kind').selectOption('Biography');
    await expect.poll(() => titles(page)).toEqual([`Biography of Olaf ${owner.name}`]);
    await page.getByLabel('State').selectOption('Approved');
    await page.getByText('No items match the filters.').waitFor();
    expect(new URL(page.url()).search).toBe(`?owner=${owner.name.toLowerCase()}&kind=BIOGRAPHY&state=APPROVED`);
    await page.goBack();
    await expect.poll(() => titles(page)).toEqual([`Biography of Olaf ${owner.name}`]);
    await page.getByLabel('Owner name').fill('');
    await page.getByLabel('Kind').selectOption('All kinds');
    await page.getByLabel('Order').selectOption('Newest first');
    await expect.poll(() => items(page).first().locator('span').first().textContent()).toBe(`Biography of Olaf ${owner.name}`);
    await page.getByLabel('Kind').selectOption('Biography');
    await page.getByLabel('Order').selectOption('By owner');
    await expect
      .poll(async () => {
        const listed = await items(page).locator('span:first-child').allTextContents();
        return listed.length > 5 && listed.join() === listed.toSorted(new Intl.Collator('en').compare).join();
      })
      .toBe(true);
  });

  test('comments are part of the history, and can be deleted', async () => {
    const owner = await newOwner(app);
    await owner.biography('Text.');
    const { page } = await open(owner);
    const history = detail(page).getByRole('list').last();
    await detail(page).getByLabel('Comment').waitFor();
    await page.keyboard.press('c');
    await page.keyboard.type('  ');
    expect(await page.getByRole('button', { name: 'Add comment' }).isDisabled()).toBe(true);
    await page.keyboard.type('Looks good to me.');
    const questions: string[] = [];
    page.on('dialog', (question) => {
      questions.push(question.message());
      void question.dismiss();
    });
    await page.getByRole('link', { name: 'Courtside console, overview' }).click();
    expect(questions).toEqual(['Leave this item? Your comment is not saved.']);
    await page.getByRole('button', { name: 'Add comment' }).click();
    await history.getByText('Comment by Mona Marsh: Looks good to me.').waitFor();
    await history.getByRole('button', { name: 'Delete the comment by Mona Marsh' }).click();
    await page.getByRole('button', { name: 'Delete comment' }).click();
    await history.locator('q').waitFor({ state: 'detached' });
    expect(await history.getByRole('listitem').allTextContents()).toEqual([expect.stringMatching(/Submitted by Olaf/)]);
  });

  test('an unsaved comment is discarded only after a confirmation', async () => {
    const owner = await newOwner(app);
    const id = await owner.biography('One.');
    await owner.biography('Two.');
    const { page } = await open(owner);
    const comment = detail(page).getByLabel('Comment');
    await comment.fill('Not sent yet.');
    const questions: string[] = [];
    let isAccepted = false;
    page.on('dialog', (question) => {
      questions.push(question.message());
      void (isAccepted ? question.accept() : question.dismiss());
    });
    const attempts: Record<string, () => Promise<unknown>> = {
      j: () => page.keyboard.press('j'),
      a: () => page.keyboard.press('a'),
      d: () => page.keyboard.press('d'),
      approve: () => page.getByRole('button', { name: 'Approve' }).click(),
      order: () => page.getByLabel('Order').selectOption('Newest first'),
      owner: () => page.getByLabel('Owner name').fill('Somebody else'),
      signOut: () => page.getByRole('button', { name: 'Sign out' }).click(),
    };
    const counts: Record<string, number> = {};
    for (const [name, attempt] of Object.entries(attempts)) {
      questions.length = 0;
      await heading(page).focus();
      const question = page.waitForEvent('dialog', { timeout: 2_000 }).catch(() => null);
      await attempt();
      await question;
      counts[name] = questions.length;
    }
    expect({
      counts,
      comment: await comment.inputValue(),
      order: await page.getByLabel('Order').inputValue(),
      owner: await page.getByLabel('Owner name').inputValue(),
      state: await stateOf(app, 'biography', id),
    }).toEqual({
      counts: { j: 1, a: 1, d: 1, approve: 1, order: 1, owner: 1, signOut: 1 },
      comment: 'Not sent yet.',
      order: 'OLDEST',
      owner: owner.name,
      state: 'PENDING 0',
    });
    isAccepted = true;
    await heading(page).focus();
    await page.keyboard.press('j');
    await expect.poll(() => comment.inputValue()).toBe('');
  });

  test('an admin takes back all approvals after a confirmation, and reads the audit trail', async () => {
    const owner = await newOwner(app);
    const id = await owner.biography('Text.');
    await app.graphql(`mutation { approveItem(type: BIOGRAPHY, id: "${id}") { state } }`, {}, moderator);
    const admin = await consoleUser(app, { roles: ['ADMIN', 'CONTENT_CONFIRMER'] });
    const browserPage = await open(owner, admin, '&state=APPROVED');
    const { page } = browserPage;
    await page.getByRole('button', { name: 'Take back all approvals…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Take back all approvals?' });
    await dialog.getByText(`The public no longer sees Biography of Olaf ${owner.name}`).waitFor();
    await expectAccessible(browserPage);
    await dialog.getByRole('button', { name: 'Take back all approvals' }).click();
    await page.getByText('No items match the filters.').waitFor();
    expect(await stateOf(app, 'biography', id)).toBe('PENDING 0');
    await page.getByLabel('State').selectOption('All pending');
    await items(page).first().waitFor();
    await page.getByText('Audit trail').click();
    await page.getByRole('row', { name: /Changed approval.state: APPROVED → PENDING/ }).waitFor();
    await expectAccessible(browserPage);
  });

  test('times are shown in the time zone of the viewer', async () => {
    const owner = await newOwner(app);
    const id = await owner.biography('Text.');
    await app.sql.rows(`update biography set reported_created_at = '2026-01-01T20:00:00Z' where id = $1`, [id]);
    const { page } = await openConsole(app, moderator);
    const session = await page.context().newCDPSession(page);
    await session.send('Emulation.setTimezoneOverride', { timezoneId: 'Asia/Tokyo' });
    await page.goto(`${app.origin}/console/approvals?owner=${owner.name}`);
    await signIn(page, moderator);
    const time = items(page).getByRole('time');
    await time.waitFor();
    expect({ text: await time.textContent(), tooltip: await time.getAttribute('title') }).toEqual({
      text: 'Jan 2, 2026, 5:00 AM',
      tooltip: 'Friday, January 2, 2026 at 5:00:00 AM GMT+9',
    });
  });

  test('docs/console.md shows the queue of the demo admin', async () => {
    const { page } = await openConsole(app, { email: demo.adminEmail }, '/approvals?kind=USER_IMAGE', {
      typedPassword: demo.adminPassword,
    });
    await items(page).nth(20).waitFor();
    await page.keyboard.press('a');
    await notice(page)
      .getByText(/^Approved/)
      .waitFor();
    await detail(page).getByText('Submitted').waitFor();
    await documentScreenshot(page, 'approvals');
  });

  test('an error is shown with a button to try again', async () => {
    const owner = await newOwner(app);
    await owner.image();
    let isBroken = true;
    const browserPage = await openConsole(app, moderator);
    const { page } = browserPage;
    await page.route('**/graphql', (route) => {
      const isList = route.request().postData()?.includes('ConsoleApprovals(');
      return isBroken && isList
        ? route.fulfill({ status: 500, json: { errors: [{ message: 'internal error' }] } })
        : route.continue();
    });
    await page.getByRole('link', { name: 'Approvals' }).first().click();
    await page.getByRole('alert').getByText('Internal error.').waitFor();
    await expectAccessible(browserPage);
    isBroken = false;
    await page.getByRole('button', { name: 'Try again' }).click();
    await items(page).first().waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  test('a queue of 200 items loads by itself while the moderator moves through it', async () => {
    const { page } = await openConsole(app, { email: demo.adminEmail }, '/approvals', { typedPassword: demo.adminPassword });
    await items(page).nth(49).waitFor();
    for (let step = 1; step <= 60; step += 1) {
      await page.keyboard.press('j');
      await expect.poll(() => page.evaluate(selectedIndex), { interval: 10 }).toBe(step);
    }
    const total = Number.parseInt((await page.getByText(/^\d+ items$/).textContent()) ?? '', 10);
    expect(total).toBeGreaterThan(150);
    expect(await heading(page).textContent()).toBe(await page.locator('.items [aria-current] span').first().textContent());
  }, 60_000);

  test('a moderator who moves past the last loaded item gets the next item when it is loaded', async () => {
    const { page } = await openConsole(app, { email: demo.adminEmail }, '/approvals', { typedPassword: demo.adminPassword });
    await items(page).nth(49).waitFor();
    const { promise: isReleased, resolve: loadNextPage } = Promise.withResolvers<void>();
    await page.route('**/graphql', async (route) => {
      if (route.request().postData()?.includes('ConsoleApprovals(')) await isReleased;
      await route.continue();
    });
    for (let step = 1; step <= 49; step += 1) {
      await page.keyboard.press('j');
      await expect.poll(() => page.evaluate(selectedIndex), { interval: 10 }).toBe(step);
    }
    await page.keyboard.press('j');
    expect(await page.evaluate(selectedIndex)).toBe(49);
    loadNextPage();
    await expect.poll(() => page.evaluate(selectedIndex)).toBe(50);
  }, 60_000);
});

/** Index of the selected item in the list. */
const selectedIndex = `[...document.querySelectorAll('.items a')].findIndex((link) => link.ariaCurrent === 'true')`;

test('the demo season has pending items of each kind', async () => {
  const kinds = ['SPONSOR', 'SPONSOR_IMAGE', 'USER_IMAGE', 'BIOGRAPHY'];
  const query = `{ ${kinds.map((kind) => `${kind}: approvalItems(filter: { type: { eq: ${kind} }, state: { eq: PENDING } }) { totalCount }`).join(' ')} }`;
  const counts = Object.values(await app.graphql(query)) as { totalCount: number }[];
  expect(counts.map(({ totalCount }) => totalCount > 5)).toEqual([true, true, true, true]);
});
