import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { demo } from '../../../src/demo/tokens.js';
import { missingBrowser } from '../../support/clients/browser.js';
import { requires } from '../../support/prerequisites.js';
import type { TestApp } from '../../support/servers/app.js';
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

const picture = `data:image/svg+xml,${encodeURI('<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"/>')}`;

interface Owner {
  readonly name: string;
  /** Submits an image that needs one approval. Returns its ID. */
  image(url?: string): Promise<string>;
  /** Submits a biography that needs one approval. Returns its ID. */
  biography(text: string): Promise<string>;
  /** Submits a sponsor that needs two approvals. Returns its ID. */
  sponsor(title: string): Promise<string>;
}

/** Random last names without similarities. The search for owners accepts small misspellings. */
const lastNames = [
  'Quixote',
  'Zambrano',
  'Fjeldstad',
  'Wojcik',
  'Hummingbird',
  'Xylander',
  'Kovalevska',
  'Ytterberg',
  'Dunphy',
  'Papadakis',
  'Szczepanik',
  'Obuya',
];

/** Creates a user who submits items. The name is unique, so that tests find only their own items. */
async function newOwner(): Promise<Owner> {
  const name = lastNames.pop() ?? expect.fail('more names are needed');
  const owner = await app.person({ firstName: 'Olaf', lastName: name, roles: ['CONTENT_CREATOR'] });
  const submit = async (field: string, variables: Record<string, unknown>, types: string) => {
    const answer = await app.graphql(`mutation (${types}) { item: ${field} { id } }`, variables, owner);
    return answer.item?.id ?? expect.fail(String(answer.errors));
  };
  const ownerOf = `userId: "${owner.id}"`;
  return {
    name,
    image: (url = picture) => submit(`createUserImage(${ownerOf}, input: { type: PROFILE, url: $url })`, { url }, '$url: String'),
    biography: (text) => submit(`createBiography(${ownerOf}, input: { text: $text })`, { text }, '$text: String'),
    sponsor: (title) => submit('createSponsor(input: { title: $title })', { title }, '$title: String'),
  };
}

const stateOf = async (table: string, id: string) => {
  const row = await app.sql.row(
    `select approval_state as state, approval_given as given, approval_decline_reason as reason from ${table} where id = $1`,
    [id],
  );
  return `${row?.state} ${row?.given}${row?.reason ? `: ${row.reason}` : ''}`;
};

const items = (page: Page) => page.locator('.queue .items a');
const titles = async (page: Page) => (await items(page).locator('span:first-child').allTextContents()).sort();
const detail = (page: Page) => page.getByRole('region', { name: 'Selected item' });
const heading = (page: Page) => detail(page).getByRole('heading', { level: 2 });
const notice = (page: Page) => page.locator('.notices [role=status]');

describe('in a browser', requires(missingBrowser), () => {
  const open = async (owner: Owner, user = moderator, search = '') => {
    const browserPage = await openConsole(app, user, `/approvals?owner=${owner.name}${search}`);
    await items(browserPage.page).first().waitFor();
    return browserPage;
  };

  test('items are previewed as the public will see them', async () => {
    const owner = await newOwner();
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
    // The browser reports the host that does not exist.
    expect(consoleErrors.filter((message) => !message.includes('ERR_NAME_NOT_RESOLVED'))).toEqual([]);
  });

  test('a moderator works through the queue with the keyboard, and undoes an approval', async () => {
    const owner = await newOwner();
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
      .poll(() => Promise.all(ids.map((id) => stateOf('biography', id))))
      .toEqual(['APPROVED 1', 'PENDING 0', 'APPROVED 1']);
    await page.keyboard.press('u');
    await notice(page).getByText('Approval taken back').waitFor();
    await page.keyboard.press('u');
    await expect.poll(() => items(page).count()).toBe(3);
    expect(await Promise.all(ids.map((id) => stateOf('biography', id)))).toEqual(['PENDING 0', 'PENDING 0', 'PENDING 0']);
    await page.keyboard.press('u');
    await notice(page).getByText('There is nothing to undo.').waitFor();
    expect(await page.evaluate('document.activeElement.textContent')).toBe(`Biography of Olaf ${owner.name}`);
  });

  test('shortcuts do nothing while text is typed, and can be turned off', async () => {
    const owner = await newOwner();
    const id = await owner.biography('Unchanged.');
    const { page } = await open(owner);
    await page.getByLabel('Name of the owner').press('a');
    await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
    await page.getByLabel('Shortcuts are on').uncheck();
    await page.getByRole('button', { name: 'Close' }).click();
    await page.keyboard.press('a');
    await page.getByRole('button', { name: 'Approve' }).waitFor();
    expect({ state: await stateOf('biography', id), notice: await notice(page).textContent() }).toEqual({
      state: 'PENDING 0',
      notice: '',
    });
  });

  test('a decline needs a reason, which the owner reads, and an admin returns the item to the queue', async () => {
    const owner = await newOwner();
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
    await page.getByText('Nothing waits for your approval.').waitFor();
    await expectAccessible(browserPage);
    expect(await stateOf('user_image', id)).toBe('DECLINED 0: The image is blurry.');

    const admin = await consoleUser(app, { roles: ['ADMIN', 'CONTENT_CONFIRMER'] });
    const { page: adminPage } = await open(owner, admin, '&state=DECLINED');
    await detail(adminPage).getByText('Reason: The image is blurry.').waitFor();
    await adminPage.getByRole('button', { name: 'Return to the queue' }).click();
    await adminPage.getByText('No items match the filters.').waitFor();
    expect(await stateOf('user_image', id)).toBe('PENDING 0');
    // The item appears again for the moderator.
    await items(page).first().waitFor();
  });

  test('filters and order are part of the URL, and owners are found by their name', async () => {
    const owner = await newOwner();
    await owner.image();
    await owner.biography('Text.');
    const browserPage = await openConsole(app, moderator, '/approvals');
    const { page } = browserPage;
    await items(page).nth(20).waitFor();
    await page.getByLabel('Name of the owner').fill(owner.name.toLowerCase());
    await expect.poll(() => titles(page)).toEqual([`Biography of Olaf ${owner.name}`, `Profile image of Olaf ${owner.name}`]);
    await page.getByLabel('Kind').selectOption('Biography');
    await expect.poll(() => titles(page)).toEqual([`Biography of Olaf ${owner.name}`]);
    await page.getByLabel('State').selectOption('Approved');
    await page.getByText('No items match the filters.').waitFor();
    expect(new URL(page.url()).search).toBe(`?owner=${owner.name.toLowerCase()}&kind=BIOGRAPHY&state=APPROVED`);
    await page.goBack();
    await expect.poll(() => titles(page)).toEqual([`Biography of Olaf ${owner.name}`]);
    await page.getByLabel('Name of the owner').fill('');
    await page.getByLabel('Kind').selectOption('All kinds');
    await page.getByLabel('Order').selectOption('Newest first');
    await expect.poll(() => items(page).first().locator('span').first().textContent()).toBe(`Biography of Olaf ${owner.name}`);
  });

  test('comments are part of the history, and can be deleted', async () => {
    const owner = await newOwner();
    await owner.biography('Text.');
    const { page } = await open(owner);
    const history = detail(page).getByRole('list').last();
    await detail(page).getByLabel('Comment').waitFor();
    await page.keyboard.press('c');
    await page.keyboard.type('Looks good to me.');
    await page.getByRole('button', { name: 'Add comment' }).click();
    await history.getByText('Comment by Mona Marsh: Looks good to me.').waitFor();
    await history.getByRole('button', { name: 'Delete the comment by Mona Marsh' }).click();
    await page.getByRole('button', { name: 'Delete comment' }).click();
    await history.locator('q').waitFor({ state: 'detached' });
    expect(await history.getByRole('listitem').allTextContents()).toEqual([expect.stringMatching(/Submitted by Olaf/)]);
  });

  test('two moderators who approve at the same time are both told what happened', async () => {
    const owner = await newOwner();
    const id = await owner.biography('Text.');
    const first = await open(owner, await newModerator());
    const second = await open(owner, await newModerator());
    // The approval of the second moderator arrives after that of the first one.
    let release = () => {};
    const firstIsDone = new Promise<void>((resolve) => {
      release = resolve;
    });
    await second.page.route('**/graphql', async (route) => {
      if (route.request().postData()?.includes('ConsoleApprove(')) await firstIsDone;
      await route.continue();
    });
    await Promise.all([first.page.keyboard.press('a'), second.page.keyboard.press('a')]);
    await notice(first.page).getByText(`Approved: Biography of Olaf ${owner.name}.`).waitFor();
    release();
    await notice(second.page).getByText(`Somebody else has already approved: Biography of Olaf ${owner.name}.`).waitFor();
    expect({
      state: await stateOf('biography', id),
      first: await items(first.page).count(),
      second: await items(second.page).count(),
      undo: await second.page.getByRole('button', { name: 'Undo' }).count(),
    }).toEqual({ state: 'APPROVED 1', first: 0, second: 0, undo: 0 });
  });

  test('an item that needs two approvals gets both of two moderators, who see each other’s decisions', async () => {
    const owner = await newOwner();
    const id = await owner.sponsor('Net Gains');
    const first = await open(owner, await newModerator());
    const second = await open(owner, await newModerator());
    await first.page.keyboard.press('a');
    await notice(first.page).getByText('Approved: Sponsor Net Gains. It needs 1 more.').waitFor();
    await detail(second.page).getByText('1 of 2 approvals').waitFor();
    await detail(second.page).getByText('Approved by Mona Marsh').waitFor();
    await second.page.keyboard.press('a');
    await second.page.getByText('Nothing waits for your approval.').waitFor();
    await expect.poll(() => stateOf('sponsor', id)).toBe('APPROVED 2');
    // Undo keeps the approval of the other moderator.
    await second.page.getByRole('button', { name: 'Undo' }).click();
    await notice(second.page).getByText('Approval taken back').waitFor();
    expect(await stateOf('sponsor', id)).toBe('PENDING 1');
  });

  test('after a lost connection, a failed approval is reported, and missed changes appear', async () => {
    const owner = await newOwner();
    const [id, otherId] = [await owner.biography('One.'), await owner.image()];
    const { page } = await open(owner);
    await expect.poll(() => items(page).count()).toBe(2);
    await page.context().setOffline(true);
    await page.keyboard.press('a');
    await notice(page).getByText('could not be reached').waitFor();
    await page.getByText('The connection to the service is lost.').waitFor();
    expect({ state: await stateOf('biography', id), items: await items(page).count() }).toEqual({ state: 'PENDING 0', items: 2 });
    const approval = `mutation { approveItem(type: USER_IMAGE, id: "${otherId}") { state } }`;
    expect(await app.graphql(approval)).toEqual({ approveItem: { state: 'APPROVED' } });
    await owner.biography('Three.');
    await page.context().setOffline(false);
    await page.getByText('The connection to the service is lost.').waitFor({ state: 'detached' });
    await expect.poll(() => titles(page)).toEqual([`Biography of Olaf ${owner.name}`, `Biography of Olaf ${owner.name}`]);
    await page.keyboard.press('k');
    await page.keyboard.press('a');
    await expect.poll(() => stateOf('biography', id)).toBe('APPROVED 1');
    // The subscription has reconnected as well.
    await owner.biography('Four.');
    await expect.poll(() => items(page).count()).toBe(2);
  }, 40_000);

  test('an admin takes back all approvals after a confirmation, and reads the audit trail', async () => {
    const owner = await newOwner();
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
    expect(await stateOf('biography', id)).toBe('PENDING 0');
    await page.getByLabel('State').selectOption('All pending');
    await items(page).first().waitFor();
    await page.getByText('Audit trail').click();
    await page.getByRole('row', { name: /Changed approval.state: APPROVED → PENDING/ }).waitFor();
    await expectAccessible(browserPage);
  });

  test('times are shown in the time zone of the viewer', async () => {
    const owner = await newOwner();
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
    const { page } = await openConsole(app, { email: demo.adminEmail }, '/approvals?kind=USER_IMAGE', demo.adminPassword);
    await items(page).nth(20).waitFor();
    await page.keyboard.press('a');
    await notice(page)
      .getByText(/^Approved/)
      .waitFor();
    await detail(page).getByText('Submitted').waitFor();
    await documentScreenshot(page, 'approvals');
  });

  test('an error is shown with a button to try again', async () => {
    const owner = await newOwner();
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
    const { page } = await openConsole(app, { email: demo.adminEmail }, '/approvals', demo.adminPassword);
    await items(page).nth(49).waitFor();
    const selectedIndex = `[...document.querySelectorAll('.items a')].findIndex((link) => link.ariaCurrent === 'true')`;
    for (let step = 1; step <= 60; step += 1) {
      await page.keyboard.press('j');
      await expect.poll(() => page.evaluate(selectedIndex), { interval: 10 }).toBe(step);
    }
    const total = Number.parseInt((await page.getByText(/^\d+ items$/).textContent()) ?? '', 10);
    expect(total).toBeGreaterThan(150);
    expect(await heading(page).textContent()).toBe(await page.locator('.items [aria-current] span').first().textContent());
  }, 60_000);
});

test('the demo season has pending items of each kind', async () => {
  const kinds = ['SPONSOR', 'SPONSOR_IMAGE', 'USER_IMAGE', 'BIOGRAPHY'];
  const query = `{ ${kinds.map((kind) => `${kind}: approvalItems(filter: { type: { eq: ${kind} }, state: { eq: PENDING } }) { totalCount }`).join(' ')} }`;
  const counts = Object.values(await app.graphql(query)) as { totalCount: number }[];
  expect(counts.map(({ totalCount }) => totalCount > 5)).toEqual([true, true, true, true]);
});
