import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { catalogOf } from '../../../src/commands/sdk/catalog/catalog.js';
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
let superAdmin: ConsoleUser;
beforeAll(async () => {
  app = await startConsole();
  superAdmin = await consoleUser(app, { firstName: 'Sue', lastName: 'Perez', isSuperAdmin: true });
}, 120_000);
afterAll(() => app.close());

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name, level: 1 });
const rowNames = (page: Page) => page.locator('tbody th').allTextContents();
const status = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text });

/** Creates a tournament for a test to change. */
async function newTournament(input: Record<string, unknown>): Promise<string> {
  const create = 'mutation ($input: TournamentInput!) { createTournament(input: $input) { id } }';
  return (await app.graphql(create, { input })).createTournament.id;
}

describe('in a browser', { ...requires(missingBrowser), timeout: 60_000 }, () => {
  test('every record type can be listed, and its records open', async () => {
    const browserPage = await openConsole(app, superAdmin, '/data');
    const { page, consoleErrors } = browserPage;
    await heading(page, 'Data').waitFor();
    await expectAccessible(browserPage);
    const types = Object.values(catalogOf(readFileSync('schema/schema.graphql', 'utf8')).records);
    const links = page.locator('.cards a');
    const titles = await links.allTextContents();
    expect(titles).toHaveLength(types.filter(({ roles }) => roles?.length !== 0).length);
    const failures: string[] = [];
    for (const [index, title] of titles.entries()) {
      await links.nth(index).click();
      await heading(page, title).waitFor();
      await page.locator('tbody tr, .empty, [role=alert]').first().waitFor();
      const link = page.locator('tbody th a').first();
      const hasRecord = (await link.count()) > 0;
      if (hasRecord) {
        await link.click();
        await page.locator('main h2, .empty, [role=alert]').first().waitFor();
        await expect.poll(() => status(page, 'Loading').count()).toBe(0);
      }
      const alerts = await page.getByRole('alert').allTextContents();
      if (alerts.length > 0 || (hasRecord && (await page.getByRole('heading', { name: 'Details' }).count()) === 0))
        failures.push(`${title}: ${alerts.join()}`);
      if (hasRecord) await page.goBack();
      await page.goBack();
      await heading(page, 'Data').waitFor();
    }
    expect({ failures, consoleErrors }).toEqual({ failures: [], consoleErrors: [] });
    await page.getByLabel('Search record types').fill('tourn');
    await expect.poll(() => links.allTextContents()).toContain('Tournament referees');
    await page.getByLabel('Search record types').fill('zzzz');
    await page.getByText('No record type matches the search.').waitFor();
  }, 300_000);

  test('a list is searched, filtered, sorted and read page by page, and its URL opens the same list', async () => {
    const browserPage = await openConsole(app, superAdmin, '/data/Tournament');
    const { page, consoleErrors } = browserPage;
    await status(page, '400 records').waitFor();
    await page.getByRole('button', { name: 'Load more' }).click();
    await expect.poll(() => page.locator('tbody tr').count()).toBe(100);
    await page.getByRole('button', { name: 'Title' }).click();
    await expect.poll(async () => (await rowNames(page))[0]).toMatch(/^A/);

    await page.getByRole('button', { name: 'Add filter' }).click();
    await page.getByLabel('Field').selectOption('phase');
    await page.getByLabel('Value').selectOption('OVER');
    await expectAccessible(browserPage);
    await page.getByRole('button', { name: 'Apply filter' }).click();
    await page.getByRole('list', { name: 'Filters' }).getByText('Phase is').waitFor();
    await expect
      .poll(async () => new Set(await page.locator('tbody td:nth-child(2)').allTextContents()))
      .toEqual(new Set(['Over']));

    await page.getByRole('button', { name: 'Add filter' }).click();
    await page.getByLabel('Field').selectOption('clubId');
    const club = page.getByRole('combobox', { name: 'Value' });
    await club.fill('madrid recreation');
    await page.getByRole('option', { name: 'Madrid Recreation Center' }).waitFor();
    await expectAccessible(browserPage);
    await club.press('ArrowDown');
    await club.press('Enter');
    await page.getByRole('button', { name: 'Apply filter' }).click();
    await page.getByRole('list', { name: 'Filters' }).getByText('Madrid Recreation Center').waitFor();
    await expect.poll(() => rowNames(page)).toContain('Madrid Shootout');
    const names = await rowNames(page);

    const url = new URL(page.url());
    const other = await openConsole(app, superAdmin, url.pathname.replace('/console', '') + url.search);
    await expect.poll(() => rowNames(other.page)).toEqual(names);
    await other.page.getByRole('button', { name: 'Remove filter Phase is OVER' }).click();
    await other.page.getByLabel('Search').fill('zzzzqqqq');
    await other.page.getByText('No tournaments match the search and the filters.').waitFor();
    expect({ consoleErrors, others: other.consoleErrors }).toEqual({ consoleErrors: [], others: [] });
  });

  test('a malformed filter in the URL is reported, and the filter can be removed', async () => {
    const { page } = await openConsole(app, superAdmin, '/data/Tournament?startsAt.gte=soon');
    await page
      .getByRole('alert')
      .getByText(/^Starts at: expected /)
      .waitFor();
    await page.getByRole('button', { name: 'Remove filter Starts at is at or after soon' }).click();
    await status(page, '400 records').waitFor();
  });

  test('an order is not offered if it needs a filter that the form does not offer, such as the distance', async () => {
    const { page } = await openConsole(app, superAdmin, '/data/Tournament');
    const orders = page.getByLabel('Order by').locator('option');
    await expect.poll(() => orders.allTextContents()).toContain('Starts at');
    expect(await orders.allTextContents()).not.toContain('Distance');
  });

  test('if one of several filters is malformed, the error contains its label', async () => {
    const { page } = await openConsole(app, superAdmin, '/data/Tournament?phase.eq=OVER&startsAt.gte=soon');
    await page
      .getByRole('alert')
      .getByText(/^Starts at: expected /)
      .waitFor();
  });

  test('a list that needs a record asks the user to choose one', async () => {
    const { page } = await openConsole(app, superAdmin, '/data/Match');
    await page.getByText('Choose a tournament to see this list.').waitFor();
    const tournament = page.getByRole('combobox', { name: 'Tournament' });
    await tournament.fill('Austin Open');
    await page.getByRole('option', { name: 'Austin Open' }).first().click();
    await page.getByRole('link', { name: /^Austin Open – / }).waitFor();
  });

  test('relations link a record to related records and lists', async () => {
    const browserPage = await openConsole(app, superAdmin, '/data/Tournament/demo-tournament');
    const { page, consoleErrors } = browserPage;
    await heading(page, 'Austin Open').waitFor();
    await page.getByRole('link', { name: 'Teams' }).waitFor();
    await expectAccessible(browserPage);
    await page.getByRole('link', { name: 'Teams' }).click();
    await heading(page, 'Teams of Austin Open').waitFor();
    await page.locator('tbody th a').first().click();
    await page.getByRole('heading', { name: 'Details' }).waitFor();
    await page.getByRole('definition').getByRole('link', { name: 'Austin Open' }).click();
    await heading(page, 'Austin Open').waitFor();
    await page.getByRole('link', { name: 'Austin Pickleball Club' }).click();
    await heading(page, 'Austin Pickleball Club').waitFor();
    expect(consoleErrors).toEqual([]);
  });

  test('a record is changed by keyboard, in the time zone of the viewer, and the change is undone', async () => {
    const id = await newTournament({
      title: 'Before',
      startsAt: '2027-03-01T09:00:00Z',
      currency: 'USD',
      registrationFee: '10',
      location: { city: 'Austin', country: 'USA' },
    });
    const before = {
      title: 'Before',
      startsAt: '2027-03-01T09:00:00Z',
      fee: '10',
      format: null,
      isCanceled: false,
      club: null,
      city: 'Austin',
    };
    const state = async () => {
      const query = `query ($id: ID!) { tournament(id: $id) {
        title startsAt fee: registrationFee format isCanceled club { title } location { city } version updater { firstName } } }`;
      const { club, location, version, updater, ...values } = (await app.graphql(query, { id })).tournament;
      return { ...values, club: club?.title ?? null, city: location.city };
    };
    expect(await state()).toEqual(before);
    const browserPage = await openConsole(app, superAdmin);
    const { page, consoleErrors } = browserPage;
    const devTools = await page.context().newCDPSession(page);
    await devTools.send('Emulation.setTimezoneOverride', { timezoneId: 'America/Chicago' });
    await page.getByRole('navigation', { name: 'Tasks' }).getByRole('link', { name: 'Data' }).click();
    await page.getByRole('link', { name: 'Tournaments', exact: true }).click();
    await page.getByLabel('Search').fill('Before');
    await page.getByRole('link', { name: 'Before' }).click();
    await page.getByRole('link', { name: 'Edit' }).focus();
    await page.keyboard.press('Enter');
    await heading(page, 'Edit Before').waitFor();
    await expectAccessible(browserPage);
    expect(await page.getByLabel('Starts at').inputValue()).toBe('2027-03-01T03:00');
    // Descriptions contain the labels of other fields instead of their names in the graph.
    await page.getByText('Midnight in “Time zone” means the end of that day.').waitFor();
    const input = (label: string) => page.getByLabel(label, { exact: true });
    await page.locator('[name="input.title"]').fill('After');
    await input('Starts at').fill('2027-03-01T09:30');
    await input('Registration fee in USD').fill('12.50');
    await input('Format').selectOption('Round robin');
    await input('Canceled').selectOption('Yes');
    await input('City').fill('');
    const club = page.getByRole('combobox', { name: 'Club' });
    await club.fill('Austin racquet');
    await page.getByRole('option', { name: 'Austin Racquet Club' }).waitFor();
    await club.press('ArrowDown');
    await club.press('Enter');
    await page.getByText('7 changed fields').waitFor();
    await club.press('Enter');
    await page.getByText('Saved After').waitFor();
    await heading(page, 'After').waitFor();
    expect(await state()).toEqual({
      title: 'After',
      startsAt: '2027-03-01T15:30:00Z',
      fee: '12.5',
      format: 'ROUND_ROBIN',
      isCanceled: true,
      club: 'Austin Racquet Club',
      city: null,
    });
    await page.getByText('$12.50').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Restored After').waitFor();
    await heading(page, 'Before').waitFor();
    expect({ state: await state(), consoleErrors }).toEqual({ state: before, consoleErrors: [] });
  });

  test('invalid values are reported at their field', async () => {
    const id = await newTournament({ title: 'Invalid' });
    const browserPage = await openConsole(app, superAdmin, `/data/Tournament/${id}?view=edit`);
    const { page } = browserPage;
    await page.getByLabel('Latitude').fill('200');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText(/^Expected: .*90/).waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('input.location.latitude');
    await expectAccessible(browserPage);
    await page.getByLabel('Latitude').fill('20');
    await page.keyboard.press('Enter');
    await page.getByText('Saved Invalid').waitFor();
  });

  test('a record is created and deleted', async () => {
    const browserPage = await openConsole(app, superAdmin, '/data/Category');
    const { page, consoleErrors } = browserPage;
    await page.getByRole('link', { name: 'New category' }).click();
    await heading(page, 'New category').waitFor();
    await expectAccessible(browserPage);
    await page.getByLabel('Title').fill('Rackets');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByText('Created Rackets').waitFor();
    await heading(page, 'Rackets').waitFor();
    const count = async () => (await app.sql.rows(`select from category where title = 'Rackets'`)).length;
    expect(await count()).toBe(1);
    await page.getByRole('button', { name: 'Delete' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete Rackets?' });
    await expectAccessible(browserPage);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Delete' }).click();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Deleted Rackets').waitFor();
    await heading(page, 'Categories').waitFor();
    await status(page, 'records').waitFor();
    expect({ names: (await rowNames(page)).includes('Rackets'), count: await count(), consoleErrors }).toEqual({
      names: false,
      count: 0,
      consoleErrors: [],
    });
  });

  test('a record that is created from the list of another record refers to that record', async () => {
    const id = await newTournament({ title: 'Host Cup' });
    const { page } = await openConsole(app, superAdmin, `/data/Tournament/${id}/events`);
    await page.getByRole('link', { name: 'New event' }).click();
    await expect.poll(() => page.getByRole('combobox', { name: 'Tournament' }).inputValue()).toBe('Host Cup');
    await page.getByLabel('Title').fill('Open Singles');
    await page.getByRole('button', { name: 'Create' }).click();
    await heading(page, 'Open Singles').waitFor();
    await page.getByRole('definition').getByRole('link', { name: 'Host Cup' }).waitFor();
  });

  test('the page of a deleted record shows its history', async () => {
    const paidAt = '2026-05-01T12:34:56Z';
    const { createPayment } = await app.graphql(`mutation { createPayment(input: { paidAt: "${paidAt}" }) { id } }`);
    await app.graphql(`mutation { deletePayment(id: "${createPayment.id}") { id } }`);
    const { page } = await openConsole(app, superAdmin, `/data/Payment/${createPayment.id}`);
    await page.getByText('This payment does not exist').waitFor();
    await page.getByRole('row', { name: /Deleted .*Test Platform|Deleted .*Courtside Demo/ }).waitFor();
    await page.getByRole('row', { name: /Created .*paidAt: .*May 1, 2026/ }).waitFor();
  });

  test('the history shows amounts with their currency and all digits, and the titles of codes, even of a deleted record', async () => {
    const createdId = async (name: string, input: string): Promise<string> =>
      (await app.graphql(`mutation { record: create${name}(input: { ${input} }) { id } }`)).record.id;
    const invoiceId = await createdId('Invoice', 'number: "Currency"');
    await createdId('InvoiceItem', `invoiceId: "${invoiceId}", unitPrice: "42.5", units: 1, currency: "eur"`);
    const id = await createdId('Payment', `invoiceId: "${invoiceId}", amount: "42.505", method: PROVIDER_ONE`);
    const { page } = await openConsole(app, superAdmin, `/data/Payment/${id}`);
    await page.getByRole('definition').getByText('€42.505', { exact: true }).waitFor();
    const history = page.getByRole('region', { name: 'Changes to this record' });
    await history.getByRole('row', { name: /Created .*amount: .*€42\.505.*method: .*Provider one/ }).waitFor();
    await app.graphql(`mutation { deletePayment(id: "${id}") { id } }`);
    await page.goto(`${app.origin}/console/operations/audit?record=${id}`);
    await signIn(page, superAdmin);
    const entries = page.getByRole('region', { name: 'Audit entries' });
    await entries.getByRole('row', { name: /Deleted .*amount: .*€42\.505.*method: .*Provider one/ }).waitFor();
  });

  test('a referee is offered only what the role permits, and the service enforces it', async () => {
    const referee = await consoleUser(app, { roles: ['REFEREE'] });
    const { page } = await openConsole(app, referee, '/data');
    await page.getByRole('link', { name: 'Prematches' }).waitFor();
    expect(await page.getByRole('link', { name: 'Audit entries' }).count()).toBe(0);
    await page.getByRole('link', { name: 'Prematches' }).click();
    await page.locator('tbody th a').first().click();
    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByLabel('Court', { exact: true }).fill('9');
    await app.sql.rows(`update app_user set role_ids = '{}' where id = $1`, [referee.id]);
    app.resources.services.authenticator.clearCaches();
    await page.getByRole('button', { name: 'Save' }).click();
    await expect
      .poll(() => page.getByRole('alert').allTextContents())
      .toEqual(['Not allowed: requires a platform token, or a user token with the role ADMIN or REFEREE.']);

    const other = await openConsole(
      app,
      await consoleUser(app, { roles: ['REFEREE'] }),
      '/data/Tournament/demo-tournament?view=edit',
    );
    await other.page.getByText('Your roles do not permit you to change this record.').waitFor();
    await other.page.getByRole('link', { name: 'Tournaments' }).click();
    await other.page.getByRole('link', { name: 'Seattle', exact: false }).first().waitFor();
    expect(await other.page.getByRole('link', { name: 'New tournament' }).count()).toBe(0);
  });

  test('docs/console.md shows a tournament', async () => {
    const { page } = await openConsole(app, { email: demo.adminEmail }, '/data/Tournament/demo-tournament', {
      typedPassword: demo.adminPassword,
    });
    await page.getByRole('link', { name: 'Teams' }).waitFor();
    await documentScreenshot(page, 'data');
  });

  test('pictures are previewed next to their links, and broken pictures are omitted', async () => {
    const picture = `data:image/svg+xml,${encodeURI('<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"/>')}`;
    const missing = 'https://images.invalid/missing.png';
    const id = await newTournament({ title: 'Picture Open', logoUrl: missing, titleSponsor: { logoUrl: picture } });
    const browserPage = await openConsole(app, superAdmin, `/data/Tournament/${id}`);
    const { page, consoleErrors } = browserPage;
    await page.getByRole('link', { name: missing }).waitFor();
    const logo = page.getByRole('img', { name: 'Logo' });
    await expect
      .poll(() => logo.evaluateAll((images) => images.map((image) => Reflect.get(image, 'naturalWidth'))))
      .toEqual([40]);
    const attributes = await logo.evaluate((image) => ['loading', 'referrerpolicy'].map((name) => image.getAttribute(name)));
    expect({ attributes, embedded: await page.getByText('Embedded picture').count() }).toEqual({
      attributes: ['lazy', 'no-referrer'],
      embedded: 1,
    });
    await expectAccessible(browserPage);
    // The browser logs an error for the host that does not exist.
    expect(consoleErrors.filter((message) => !message.includes('ERR_NAME_NOT_RESOLVED'))).toEqual([]);
  });

  test('errors have a button to try again, and unknown records and types are reported', async () => {
    const { page } = await openConsole(app, superAdmin, '/data');
    const errors = [{ message: 'the service has failed', extensions: { code: 'INTERNAL' } }];
    await page.route('**/graphql', (route) => route.fulfill({ status: 500, json: { errors } }));
    await page.getByRole('link', { name: 'Clubs' }).click();
    const alert = page.getByRole('alert').filter({ hasText: 'The service has failed.' });
    await alert.waitFor();
    await page.unroute('**/graphql');
    await alert.getByRole('button', { name: 'Try again' }).click();
    await page.locator('tbody tr').first().waitFor();
    const unknown = await openConsole(app, superAdmin, '/data/Club/unknown');
    await unknown.page.getByText('This club does not exist').waitFor();
    const related = await openConsole(app, superAdmin, '/data/Club/unknown/tournaments');
    await related.page.getByText('This club does not exist').waitFor();
    const noType = await openConsole(app, superAdmin, '/data/constructor');
    await noType.page.getByText('There is no list of the type constructor').waitFor();
  });
});
