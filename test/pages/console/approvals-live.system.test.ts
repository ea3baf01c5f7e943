import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { missingBrowser } from '../../support/clients/browser.js';
import { requires } from '../../support/prerequisites.js';
import type { TestApp } from '../../support/servers/app.js';
import { detail, items, newOwner, notice, type Owner, stateOf, titles } from './approval-items.js';
import { advanceTime, consoleUser, loseResponse, openConsole, startConsole } from './console-page.js';

let app: TestApp;
beforeAll(async () => {
  app = await startConsole();
}, 120_000);
afterAll(() => app.close());

const newModerator = () => consoleUser(app, { firstName: 'Mona', lastName: 'Marsh', roles: ['CONTENT_CONFIRMER'] });

describe('in a browser', requires(missingBrowser), () => {
  const open = async (owner: Owner) => {
    const browserPage = await openConsole(app, await newModerator(), `/approvals?owner=${owner.name}`, { hasFakeClock: true });
    await items(browserPage.page).first().waitFor();
    return browserPage;
  };

  test('two moderators who approve at the same time both see what happened', async () => {
    const owner = await newOwner(app);
    const id = await owner.biography('Text.');
    const first = await open(owner);
    const second = await open(owner);
    // The approval of the second moderator arrives after the approval of the first moderator.
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
      state: await stateOf(app, 'biography', id),
      first: await items(first.page).count(),
      second: await items(second.page).count(),
      undo: await second.page.getByRole('button', { name: 'Undo' }).count(),
    }).toEqual({ state: 'APPROVED 1', first: 0, second: 0, undo: 0 });
  });

  test('an item gets its two required approvals from two moderators, who see each other’s decisions', async () => {
    const owner = await newOwner(app);
    const id = await owner.sponsor('Net Gains');
    const first = await open(owner);
    const second = await open(owner);
    await first.page.keyboard.press('a');
    await notice(first.page).getByText('Approved: Sponsor Net Gains. It needs 1 more.').waitFor();
    await detail(second.page).getByText('1 of 2 approvals').waitFor();
    await detail(second.page).getByText('Approved by Mona Marsh').waitFor();
    await second.page.keyboard.press('a');
    await second.page.getByText('Nothing is waiting for your approval.').waitFor();
    await expect.poll(() => stateOf(app, 'sponsor', id)).toBe('APPROVED 2');
    // Undo keeps the approval of the other moderator.
    await second.page.getByRole('button', { name: 'Undo' }).click();
    await notice(second.page).getByText('Approval taken back').waitFor();
    expect(await stateOf(app, 'sponsor', id)).toBe('PENDING 1');
  });

  test('comments of other moderators appear on the open item', async () => {
    const owner = await newOwner(app);
    const itemId = await owner.biography('Text.');
    const { page } = await open(owner);
    await detail(page).getByLabel('Comment').waitFor();
    await app.graphql(
      'mutation ($itemId: ID!) { createApprovalComment(itemId: $itemId, content: "Please check the source.") { id } }',
      { itemId },
      await newModerator(),
    );
    await advanceTime(page, 10);
    await detail(page).getByText('Comment by Mona Marsh: Please check the source.').waitFor();
  });

  test('after a lost connection, a failed approval is reported, and missed changes appear', async () => {
    const owner = await newOwner(app);
    const [id, otherId] = [await owner.biography('One.'), await owner.image()];
    const { page } = await open(owner);
    await expect.poll(() => items(page).count()).toBe(2);
    await page.context().setOffline(true);
    await page.keyboard.press('a');
    await notice(page).getByText('could not be reached').waitFor();
    await page.getByText('The connection to the service is lost.').waitFor();
    expect({ state: await stateOf(app, 'biography', id), items: await items(page).count() }).toEqual({
      state: 'PENDING 0',
      items: 2,
    });
    const approval = `mutation { approveItem(type: USER_IMAGE, id: "${otherId}") { state } }`;
    expect(await app.graphql(approval)).toEqual({ approveItem: { state: 'APPROVED' } });
    await owner.biography('Three.');
    await page.context().setOffline(false);
    await page.getByText('The connection to the service is lost.').waitFor({ state: 'detached' });
    await expect.poll(() => titles(page)).toEqual([`Biography of Olaf ${owner.name}`, `Biography of Olaf ${owner.name}`]);
    await page.keyboard.press('k');
    await page.keyboard.press('a');
    await expect.poll(() => stateOf(app, 'biography', id)).toBe('APPROVED 1');
    // The new item appears only if the subscription has also reconnected.
    await owner.biography('Four.');
    await expect.poll(() => items(page).count()).toBe(2);
  }, 40_000);

  test('an approval can be taken back later if the connection was lost', async () => {
    const owner = await newOwner(app);
    const id = await owner.biography('One.');
    const { page } = await open(owner);
    await page.keyboard.press('a');
    await expect.poll(() => stateOf(app, 'biography', id)).toBe('APPROVED 1');
    await page.context().setOffline(true);
    await page.getByRole('button', { name: 'Undo' }).click();
    await notice(page).getByText('The approval was not taken back. The service could not be reached.').waitFor();
    await page.context().setOffline(false);
    await page.getByText('The connection to the service is lost.').waitFor({ state: 'detached' });
    await page.keyboard.press('u');
    await notice(page).getByText('Approval taken back').waitFor();
    expect(await stateOf(app, 'biography', id)).toBe('PENDING 0');
  }, 40_000);

  test('an approval whose response is lost is completed when the connection is back, and can be undone', async () => {
    const owner = await newOwner(app);
    const ids = [await owner.biography('One.'), await owner.biography('Two.')] as const;
    const states = () => Promise.all(ids.map((id) => stateOf(app, 'biography', id)));
    const { page } = await open(owner);
    await expect.poll(() => items(page).count()).toBe(2);
    await page.keyboard.press('a');
    await expect.poll(states).toEqual(['APPROVED 1', 'PENDING 0']);
    const restore = await loseResponse(page, 'ConsoleApprove(');
    await page.keyboard.press('a');
    await page.getByText('The connection to the service is lost.').waitFor();
    expect(await states()).toEqual(['APPROVED 1', 'APPROVED 1']);
    // Undo waits for the result of the approval.
    await page.keyboard.press('u');
    await restore();
    await notice(page).getByText(`Approval taken back: Biography of Olaf ${owner.name}.`).waitFor();
    expect(await states()).toEqual(['APPROVED 1', 'PENDING 0']);
  }, 40_000);

  test('an open audit trail shows an approval, and the owner of a sponsor is named', async () => {
    const owner = await newOwner(app);
    const id = await owner.sponsor('Deep Lob');
    const admin = await consoleUser(app, { firstName: 'Ada', roles: ['ADMIN'] });
    const approval = `mutation { approveItem(type: SPONSOR, id: "${id}") { state } }`;
    expect(await app.graphql(approval, {}, await newModerator())).toEqual({ approveItem: { state: 'PENDING' } });
    const { page } = await openConsole(app, admin, `/approvals?state=PENDING&owner=${owner.name}`);
    await items(page)
      .filter({ hasText: `Sponsor of Olaf ${owner.name}` })
      .waitFor();
    await detail(page).getByText(`Owner: Olaf ${owner.name}`).waitFor();
    await detail(page).getByText('Audit trail').click();
    await detail(page)
      .getByRole('table')
      .getByRole('row', { name: /Created/ })
      .waitFor();
    await page.keyboard.press('a');
    await detail(page)
      .getByRole('table')
      .getByRole('row', { name: /approval\.state/ })
      .first()
      .waitFor();
  });

  test('if there are many comments, the history says that it omits the oldest', async () => {
    const owner = await newOwner(app);
    const id = await owner.biography('Text.');
    await app.sql.rows(
      `insert into approval_comment (id, item_id, content, created_at)
       select 'many-' || n, $1, 'Comment ' || n || '.', now() - n * interval '1 hour' from generate_series(1, 101) n`,
      [id],
    );
    const { page } = await open(owner);
    await detail(page).getByText('Only the newest 100 comments are shown.').waitFor();
    expect(
      await detail(page)
        .getByText(/^Comment (?:1|100|101)\.$/)
        .allTextContents(),
    ).toEqual(['Comment 100.', 'Comment 1.']);
  });
});
