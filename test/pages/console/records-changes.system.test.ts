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
  loseConnection,
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

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name, level: 1 });
const rowNames = (page: Page) => page.locator('tbody th').allTextContents();

/** Creates a tournament for a test to change. */
async function newTournament(input: Record<string, unknown>): Promise<string> {
  const create = 'mutation ($input: TournamentInput!) { createTournament(input: $input) { id } }';
  return (await app.graphql(create, { input })).createTournament.id;
}
const updateTournament = (id: string, input: Record<string, unknown>) =>
  app.graphql('mutation ($id: ID!, $input: TournamentInput!) { updateTournament(id: $id, input: $input) { id } }', { id, input });

describe('in a browser', { ...requires(missingBrowser), timeout: 60_000 }, () => {
  test('undo keeps what somebody else has changed since', async () => {
    const id = await newTournament({ title: 'Mine' });
    const { page } = await openConsole(app, superAdmin, `/data/Tournament/${id}?view=edit`);
    await page.locator('[name="input.title"]').fill('Mine 2');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved Mine 2').waitFor();
    await updateTournament(id, { title: 'Theirs' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Not restored: somebody else has changed Mine 2 since.').waitFor();
    expect((await app.graphql(`{ tournament(id: "${id}") { title } }`)).tournament.title).toBe('Theirs');
  });

  test('without a connection, undo waits until the connection is restored', async () => {
    const id = await newTournament({ title: 'Remote' });
    const { page } = await openConsole(app, superAdmin, `/data/Tournament/${id}?view=edit`, { hasFakeClock: true });
    await page.locator('[name="input.title"]').fill('Remote 2');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved Remote 2').waitFor();
    // The list sends no requests for the record.
    await page.getByRole('link', { name: 'Tournaments', exact: true }).click();
    await heading(page, 'Tournaments').waitFor();
    const restore = await loseConnection(page, 'query ConsoleRecord(');
    await page.getByRole('button', { name: 'Undo' }).click();
    await restore();
    await page.getByText('Restored Remote 2').waitFor();
    expect((await app.graphql(`{ tournament(id: "${id}") { title } }`)).tournament.title).toBe('Remote');
  });

  test('the items of a list of values are added, changed and removed', async () => {
    const id = await newTournament({ title: 'Approved', approvals: [{ governingBodyId: '8', sanctionLevelId: '3' }] });
    const approvals = async () =>
      (await app.graphql(`{ tournament(id: "${id}") { approvals { governingBodyId status sanctionLevelId } } }`)).tournament
        .approvals;
    const browserPage = await openConsole(app, superAdmin, `/data/Tournament/${id}?view=edit`);
    const { page, consoleErrors } = browserPage;
    await page.getByRole('button', { name: 'Add an item to Approvals' }).click();
    await page.locator('[name="input.approvals[1].status"]').selectOption('Approved');
    await page.locator('[name="input.approvals[1].sanctionLevelId"]').fill('4'.repeat(300));
    await expectAccessible(browserPage);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('[name="input.approvals[1].sanctionLevelId"][aria-invalid]').waitFor();
    await page.locator('[name="input.approvals[1].sanctionLevelId"]').fill('4');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved Approved').waitFor();
    const first = { governingBodyId: '8', status: null, sanctionLevelId: '3' };
    const second = { governingBodyId: null, status: 'APPROVED', sanctionLevelId: '4' };
    expect(await approvals()).toEqual([first, second]);
    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByRole('button', { name: 'Remove Approvals, item 1' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await expect.poll(approvals).toEqual([second]);
    expect({ consoleErrors, mergedItems: await page.getByRole('button', { name: /^Remove Sanctions/ }).count() }).toEqual({
      consoleErrors: [],
      mergedItems: 0,
    });
  });

  test('the console asks before it discards unsaved changes', async () => {
    const id = await newTournament({ title: 'Unsaved' });
    const { page } = await openConsole(app, superAdmin, `/data/Tournament/${id}`);
    const questions: string[] = [];
    let answer = false;
    page.on('dialog', async (dialog) => {
      questions.push(`${dialog.type()} ${dialog.message()}`);
      if (answer || dialog.type() === 'beforeunload') await dialog.accept();
      else await dialog.dismiss();
    });
    await page.getByRole('link', { name: 'Edit' }).click();
    const title = page.locator('[name="input.title"]');
    await page.getByRole('link', { name: 'Tournaments' }).click();
    await heading(page, 'Tournaments').waitFor();
    await page.goBack();
    await title.fill('Unsaved 2');
    await page.getByText('1 changed field').waitFor();
    const leave = 'confirm Leave this page? Your changes are not saved.';
    await page.getByRole('link', { name: 'Tournaments' }).click();
    expect(questions).toEqual([leave]);
    await page.goBack();
    await expect.poll(() => questions).toEqual([leave, leave]);
    expect({ title: await title.inputValue(), search: new URL(page.url()).search }).toEqual({
      title: 'Unsaved 2',
      search: '?view=edit',
    });
    answer = true;
    await page.getByRole('link', { name: 'Tournaments' }).click();
    await heading(page, 'Tournaments').waitFor();
    await page.goBack();
    await title.fill('Unsaved 3');
    await page.getByText('1 changed field').waitFor();
    await page.reload();
    expect(questions).toEqual([leave, leave, leave, 'beforeunload ']);
  });

  test.each(['Cancel', 'Sign out'])('the console asks before %s discards unsaved changes', async (name) => {
    const { page } = await openConsole(app, superAdmin, '/data/Tournament/demo-tournament?view=edit');
    await page.locator('[name="input.title"]').fill('Unsaved');
    await page.getByText('1 changed field').waitFor();
    const questions: string[] = [];
    let answer = false;
    page.on('dialog', async (dialog) => {
      questions.push(dialog.message());
      await (answer ? dialog.accept() : dialog.dismiss());
    });
    const leave = page.getByRole('button', { name, exact: true });
    await leave.click();
    expect(await page.locator('[name="input.title"]').inputValue()).toBe('Unsaved');
    answer = true;
    await leave.click();
    await page.locator('[name="input.title"]').waitFor({ state: 'detached' });
    const question = 'Leave this page? Your changes are not saved.';
    expect(questions).toEqual([question, question]);
  });

  test('on a phone, long words in a notice do not widen the page', async () => {
    const id = await newTournament({ title: 'Short' });
    const { page } = await openConsole(app, superAdmin, `/data/Tournament/${id}?view=edit`);
    await page.setViewportSize({ width: 390, height: 844 });
    const title = 'Long'.repeat(40);
    await page.locator('[name="input.title"]').fill(title);
    await page.getByRole('button', { name: 'Save' }).click();
    const notice = page.getByText(`Saved ${title}`);
    await notice.waitFor();
    expect(await notice.evaluate((element) => [element.scrollWidth, document.documentElement.scrollWidth])).toEqual([
      await notice.evaluate((element) => element.clientWidth),
      390,
    ]);
  });

  test('if somebody else changes the record, the user keeps or discards the changes', async () => {
    const id = await newTournament({ title: 'Shared', timeZoneAbbreviation: 'CST' });
    const admin = await consoleUser(app, { roles: ['ADMIN'] });
    const { page } = await openConsole(app, admin, `/data/Tournament/${id}?view=edit`);
    const title = page.locator('[name="input.title"]');
    await title.fill('Mine');
    await updateTournament(id, { timeZoneAbbreviation: 'PST' });
    await page.getByRole('button', { name: 'Save' }).click();
    const message = page.getByRole('alert');
    await message.getByText('Your changes were not saved, because somebody else has changed the record.').waitFor();
    await page.getByRole('button', { name: 'Keep my changes' }).click();
    const values = async () => [await title.inputValue(), await page.getByLabel('Time zone abbreviation').inputValue()];
    expect(await values()).toEqual(['Mine', 'PST']);
    await updateTournament(id, { timeZoneAbbreviation: 'EST' });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Discard my changes' }).click();
    expect(await values()).toEqual(['Shared', 'EST']);
    await title.fill('Theirs');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved Theirs').waitFor();
  });

  test('a record without versions is overwritten neither by a save nor by an undo', async () => {
    const create = 'mutation ($input: NewsItemInput!) { createNewsItem(input: $input) { id } }';
    const { id } = (await app.graphql(create, { input: { title: 'First' } })).createNewsItem;
    const update = 'mutation ($id: ID!, $title: String!) { updateNewsItem(id: $id, input: { title: $title }) { id } }';
    const storedTitle = async () => (await app.sql.rows('select title from news_item where id = $1', [id]))[0]?.title;
    const { page } = await openConsole(app, superAdmin, `/data/NewsItem/${id}?view=edit`);
    const save = page.getByRole('button', { name: 'Save' });
    await page.locator('[name="input.title"]').fill('Mine');
    await app.graphql(update, { id, title: 'Theirs' });
    await save.click();
    await page.getByText('Your changes were not saved, because somebody else has changed the record.').waitFor();
    await save.click();
    await page.getByRole('button', { name: 'Keep my changes' }).waitFor();
    expect(await storedTitle()).toBe('Theirs');
    await page.getByRole('button', { name: 'Keep my changes' }).click();
    await save.click();
    await page.getByText('Saved Mine').waitFor();
    await app.graphql(update, { id, title: 'Theirs 2' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Not restored: somebody else has changed Mine since.').waitFor();
    expect(await storedTitle()).toBe('Theirs 2');
  });

  test('a form keeps its texts when the record is deleted', async () => {
    const id = await newTournament({ title: 'Short-lived' });
    const browserPage = await openConsole(app, superAdmin, `/data/Tournament/${id}?view=edit`);
    const { page } = browserPage;
    await page.locator('[name="input.title"]').fill('A long text');
    await app.graphql('mutation ($id: ID!) { deleteTournament(id: $id) { id } }', { id });
    await page
      .getByRole('alert')
      .getByText(/^This record was deleted/)
      .waitFor();
    expect({
      title: await page.locator('[name="input.title"]').inputValue(),
      canSave: await page.getByRole('button', { name: 'Save' }).isEnabled(),
    }).toEqual({ title: 'A long text', canSave: false });
    await expectAccessible(browserPage);
    const questions: string[] = [];
    page.on('dialog', (dialog) => {
      questions.push(dialog.message());
      void dialog.accept();
    });
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('This tournament does not exist').waitFor();
    expect(questions).toEqual(['Leave this page? Your changes are not saved.']);
  });

  test('a record that somebody else has deleted is not deleted again', async () => {
    const create = 'mutation { createNewsItem(input: { title: "Old news" }) { id } }';
    const { id } = (await app.graphql(create)).createNewsItem;
    const { page } = await openConsole(app, await consoleUser(app, { roles: ['NEWS_CREATOR'] }), `/data/NewsItem/${id}`);
    await page.getByRole('button', { name: 'Delete' }).click();
    await app.graphql(`mutation { deleteNewsItem(id: "${id}") { id } }`);
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('alert').getByText('Old news has already been deleted.').waitFor();
  });

  test('the counts of related records update by themselves', async () => {
    const id = await newTournament({ title: 'Counted' });
    const { page } = await openConsole(app, superAdmin, `/data/Tournament/${id}`, { hasFakeClock: true });
    await page.getByRole('listitem').getByText('Events (0)').waitFor();
    await app.graphql('mutation ($input: TournamentEventInput!) { createEvent(input: $input) { id } }', {
      input: { tournamentId: id, title: 'Singles' },
    });
    await advanceTime(page, 10);
    await page.getByRole('listitem').getByText('Events (1)').waitFor({ timeout: 15_000 });
  });

  test('changes by others appear by themselves, and the history shows who made them', async () => {
    const id = await newTournament({ title: 'Quiet Cup', shownFrom: '2020-01-01T00:00:00Z' });
    const list = await openConsole(app, superAdmin, '/data/Tournament?search=Quiet+Cup', { hasFakeClock: true });
    const record = await openConsole(app, superAdmin, `/data/Tournament/${id}`, { hasFakeClock: true });
    await expect.poll(() => rowNames(list.page)).toEqual(['Quiet Cup']);
    await heading(record.page, 'Quiet Cup').waitFor();
    await updateTournament(id, { title: 'Quiet Cup 2' });
    await advanceTimeUntilVisible(heading(record.page, 'Quiet Cup 2'), 5);
    await advanceTimeUntilVisible(list.page.getByRole('rowheader', { name: 'Quiet Cup 2' }), 5);
    expect(await rowNames(list.page)).toEqual(['Quiet Cup 2']);

    const update = 'mutation ($id: ID!) { updateTournament(id: $id, input: { title: "Quiet Cup 3" }) { id } }';
    await app.graphql(update, { id }, { user: superAdmin.user });
    const entries = record.page.getByRole('region', { name: 'Changes to this record' });
    await advanceTimeUntilVisible(entries.getByRole('row', { name: /Changed title Sue Perez$/ }), 10);

    const { page } = await openConsole(app, superAdmin, '/data/Platform', { hasFakeClock: true });
    await page.getByRole('link', { name: 'Courtside Demo' }).click();
    await page.getByRole('link', { name: 'Edit' }).click();
    const origins = page.getByLabel('Allowed origins');
    await origins.fill(`${await origins.inputValue()}\nhttps://new.courtside.test`);
    await page.getByRole('button', { name: 'Save' }).click();
    const history = page.getByRole('region', { name: 'Changes to this record' });
    const entry = history.getByRole('row', { name: /allowedOrigins: .*new\.courtside\.test.*Sue Perez/ });
    await advanceTimeUntilVisible(entry, 10);
  });

  test('after a lost connection, a change can be saved, and missed changes appear', async () => {
    const id = await newTournament({ title: 'Faraway' });
    const list = await openConsole(app, superAdmin, '/data/Tournament?search=Faraway');
    const { page } = await openConsole(app, superAdmin, `/data/Tournament/${id}?view=edit`);
    const lost = ({ page }: Pick<typeof list, 'page'>) => page.getByText('The connection to the service is lost.');
    await expect.poll(() => rowNames(list.page)).toEqual(['Faraway']);
    await page.locator('[name="input.title"]').fill('Faraway 2');
    for (const each of [list.page, page]) await each.context().setOffline(true);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').getByText('The service could not be reached.').waitFor();
    // The button is enabled again after the last retry.
    await page.locator('button[type=submit]:not([aria-disabled])', { hasText: 'Save' }).waitFor();
    await lost({ page }).waitFor();
    await lost(list).waitFor();
    await page.context().setOffline(false);
    await lost({ page }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved Faraway 2').waitFor();
    expect(await lost(list).isVisible()).toBe(true);
    await list.page.context().setOffline(false);
    await expect.poll(() => rowNames(list.page)).toEqual(['Faraway 2']);
  });
});
