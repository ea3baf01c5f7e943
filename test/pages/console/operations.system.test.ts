import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { missingBrowser } from '../../support/clients/browser.js';
import { mailbox } from '../../support/clients/mailbox.js';
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
  startConsole,
} from './console-page.js';

let app: TestApp;
let admin: ConsoleUser;
let superAdmin: ConsoleUser;
beforeAll(async () => {
  app = await startConsole();
  admin = await consoleUser(app, { firstName: 'Ada', roles: ['ADMIN'] });
  superAdmin = await consoleUser(app, { firstName: 'Sue', isSuperAdmin: true });
}, 120_000);
afterAll(() => app.close());

const headingOf = (name: string) => ({ name, level: 1 });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const notice = (page: Page, text: string) => page.getByRole('status').getByText(text, { exact: true });
const rowsOf = (page: Page, table: string) => page.getByRole('region', { name: table }).locator('tbody tr');
const factOf = (page: Page, label: string) =>
  page
    .locator('.facts div')
    .filter({ has: page.getByText(label, { exact: true }) })
    .locator('dd')
    .textContent();

describe('in a browser', requires(missingBrowser), () => {
  test('the state of the service is shown, and problems appear and disappear by themselves', async () => {
    const browserPage = await openConsole(app, admin, '/operations', { hasFakeClock: true });
    const { page, consoleErrors, foreignRequests } = browserPage;
    await page.getByRole('heading', headingOf('Health')).waitFor();
    await page.getByText('4 messages were not sent.').waitFor();
    await page.getByText('1 job has failed.').waitFor();
    await expectAccessible(browserPage);
    await documentScreenshot(page, 'operations');
    expect({
      database: await factOf(page, 'Database'),
      size: await factOf(page, 'Database size'),
      migrations: await factOf(page, 'Pending migrations'),
      mail: await rowsOf(page, 'Job queues').filter({ hasText: 'mail' }).locator('td').last().textContent(),
      replicas: await page.getByText('The service uses no replicas.').count(),
    }).toEqual({
      database: expect.stringMatching(/^PostgreSQL \d+/),
      size: expect.stringMatching(/^[\d.]+ [MG]B$/),
      migrations: '0',
      mail: '–',
      replicas: 1,
    });
    await app.sql.rows(`update jobs.job set state = 'cancelled' where name like 'chore-%'`);
    await advanceTime(page, 5);
    await page.getByText('1 job has failed.').waitFor({ state: 'detached' });
    await app.sql.rows(`update jobs.job set state = 'failed' where name like 'chore-%' and output is not null`);
    await advanceTime(page, 5);
    await page.getByText('1 job has failed.').waitFor();
    await page.getByText('1 webhook was paused after failures.').waitFor();
    await page.getByRole('link', { name: 'See failed jobs' }).click();
    await page.getByRole('heading', headingOf('Failed jobs')).waitFor();
    expect({ consoleErrors, foreignRequests }).toEqual({ consoleErrors: [], foreignRequests: [] });
  }, 60_000);

  test('failed messages are filtered, and retried one by one or all at once', async () => {
    const browserPage = await openConsole(app, admin, '/operations/messages');
    const { page, consoleErrors } = browserPage;
    const table = 'Failed messages, newest first';
    await expect.poll(() => rowsOf(page, table).count()).toBe(4);
    await expectAccessible(browserPage);
    await page.setViewportSize({ width: 390, height: 844 });
    const labels = `[...document.querySelectorAll('tbody tr:first-child td')].map((cell) => getComputedStyle(cell, '::before').content)`;
    expect(await page.evaluate(labels)).toEqual(
      ['Recipient', 'State', 'Attempts', 'Reason', 'Last failure', 'Next attempt', 'Action'].map((label) => `"${label}: " / ""`),
    );
    await page.setViewportSize({ width: 1280, height: 844 });
    await page.getByLabel('Kind').selectOption('Text message');
    await expect.poll(() => rowsOf(page, table).count()).toBe(1);
    await page.getByLabel('State').selectOption('Will be retried');
    await page.getByText('No message matches. Remove a filter.').waitFor();
    await page.getByLabel('Kind').selectOption('Any kind');
    await page.getByLabel('State').selectOption('Not sent');
    await expect.poll(() => rowsOf(page, table).count()).toBe(4);

    const name = 'Retry Your tournament starts soon to club-1.example';
    await button(page, name).focus();
    await page.keyboard.press('Enter');
    await notice(page, 'Your tournament starts soon to club-1.example: queued again.').waitFor();
    await expect.poll(() => rowsOf(page, table).count()).toBe(3);
    await button(page, 'Retry all…').click();
    await expectAccessible(browserPage);
    await button(page, 'Retry all').click();
    await notice(page, 'Queued again: 3.').waitFor();
    await page.getByText('No message matches. Remove a filter.').waitFor();
    await page.getByLabel('State').selectOption('Any state');
    await page.getByText('There are no failed messages.').waitFor();
    await expect.poll(async () => (await mailbox(app, '+15125550100')).length, { timeout: 20_000 }).toBe(1);
    expect(consoleErrors).toEqual([]);
  });

  test('a message that somebody else has retried is reported', async () => {
    await app.sql.rows(
      `insert into jobs.job (name, data, source_name, output) values ('dead', '{"kind": "mail", "to": "ana@late.example", "subject": "Late"}', 'mail', '{"reason": "x"}')`,
    );
    const { page } = await openConsole(app, admin, '/operations/messages', { hasFakeClock: true });
    await button(page, 'Retry Late to late.example').waitFor();
    await page.route('**/graphql', async (route) => {
      if (route.request().postData()?.includes('ConsoleRetryMessage'))
        await app.sql.rows(`delete from jobs.job where name = 'dead'`);
      await route.continue();
    });
    await button(page, 'Retry Late to late.example').click();
    await page
      .getByRole('alert')
      .getByText('This message is no longer in the list. Somebody else has already retried it.')
      .waitFor();
    await page.getByText('There are no failed messages.').waitFor();
    await page.unroute('**/graphql');
    await app.sql.rows(
      `insert into jobs.job (name, data, source_name, output) values ('dead', '{"kind": "mail", "to": "ana@late.example", "subject": "Next"}', 'mail', '{"reason": "x"}')`,
    );
    await advanceTime(page, 5);
    await button(page, 'Retry Next to late.example').waitFor();
    await button(page, 'Retry all…').click();
    await button(page, 'Retry all').click();
    await notice(page, 'Queued again: 1.').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  test('failed jobs are retried one by one or all at once', async () => {
    const queues = ['chore-forget-usage', 'chore-forget-audit'];
    await app.sql.rows(`select jobs.create_queue(name, '{"policy": "standard"}') from unnest($1::text[]) name`, [queues]);
    await app.sql.rows(
      `insert into jobs.job (name, state, completed_on, output)
       select name, 'failed', now(), '{"reason": "lock timeout"}' from unnest($1::text[]) name`,
      [queues],
    );
    const browserPage = await openConsole(app, admin, '/operations/jobs');
    const { page } = browserPage;
    await button(page, 'Retry chore-forget-usage').first().waitFor();
    await expectAccessible(browserPage);
    await button(page, 'Retry chore-forget-usage').first().click();
    await notice(page, 'chore-forget-usage: queued again.').waitFor();
    await button(page, 'Retry all…').click();
    await button(page, 'Retry all').click();
    await page.getByText('No job has failed.').waitFor();
  });

  test('the audit trail is filtered by record, person, time, action and origin, and links to the record', async () => {
    const browserPage = await openConsole(app, superAdmin, '/operations/audit');
    const { page, consoleErrors } = browserPage;
    const rows = rowsOf(page, 'Audit entries');
    await expect.poll(() => rows.count()).toBe(50);
    await expectAccessible(browserPage);
    await button(page, 'Load more').click();
    await expect.poll(() => rows.count()).toBe(100);
    await page.getByLabel('Origin').selectOption('Request');
    await page.getByLabel('Person').fill('Robin Whitfield');
    await page.getByLabel('Record type').fill('user');
    await page.getByText('13 entries').waitFor();
    await expectAccessible(browserPage);
    await page.getByLabel('Action').selectOption('Exported');
    await page.getByText('1 entry').waitFor();
    expect({
      record: await rows.getByRole('link', { name: 'demo-user' }).getAttribute('href'),
      person: await rows.getByRole('link', { name: /Robin Whitfield/ }).getAttribute('href'),
      filters: Object.fromEntries(new URL(page.url()).searchParams),
    }).toEqual({
      record: '/console/data/User/demo-user',
      person: '/console/users/demo-admin',
      filters: { source: 'REQUEST', person: 'Robin Whitfield', type: 'user', action: 'EXPORTED' },
    });
    await button(page, 'Remove all filters').click();
    await page.getByLabel('Person').fill('admin@courtside.test');
    await page.getByText('21 entries').waitFor();
    await page.getByLabel('Person').fill('zzzzqqqq');
    await page.getByText('No entry matches. Remove a filter.').waitFor();
    await page.getByLabel('Person').fill('');
    await page.getByLabel('Record ID').fill('demo-user');
    await page.getByLabel('Action').selectOption('Sign-in blocked');
    await page.getByText('1 entry').waitFor();
    await page.getByLabel('From').fill('2090-01-01T00:00');
    await page.getByText('No entry matches. Remove a filter.').waitFor();
    await page.getByLabel('From').fill('2020-01-01T00:00');
    await page.getByLabel('Until').fill('2090-01-01T00:00');
    await page.getByText('1 entry').waitFor();
    expect(consoleErrors).toEqual([]);
  }, 60_000);

  test('the person filter includes all users with that name', async () => {
    await app.sql.rows(`insert into app_user (id, first_name) select 'twin-' || n, 'Quillon' from generate_series(1, 120) n`);
    await app.sql.rows(
      `insert into audit_entry (id, created_at, record_type, record_key, action, source, user_id)
       select 'twin-entry-' || n, now(), 'Team', 'x', 'CHANGED', 'COMMAND', 'twin-' || n from generate_series(1, 120) n`,
    );
    const { page } = await openConsole(app, admin, '/operations/audit?person=quillon&type=Team');
    await page.getByText('120 entries').waitFor();
  });

  test('the time filter includes the whole last minute', async () => {
    await app.sql.rows(
      `insert into audit_entry (id, created_at, record_type, record_key, action, source)
       values ('timed-entry', '2020-03-04T12:30:45Z', 'Team', 'timed', 'CHANGED', 'COMMAND')`,
    );
    const { page } = await openConsole(app, admin, '/operations/audit?record=timed');
    const time = rowsOf(page, 'Audit entries').locator('th time');
    const localMinute = await time.evaluate((element) => {
      const date = new Date(element.getAttribute('datetime') ?? '');
      return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
    });
    await page.getByLabel('From').fill(localMinute);
    await page.getByLabel('Until').fill(localMinute);
    await expect.poll(() => new URL(page.url()).searchParams.get('until')).toBe(localMinute);
    await page.getByRole('status').getByText('1 entry').waitFor();
    expect(await time.textContent()).toMatch(/:30:45\s[AP]M$/);
  });

  test('only records that the viewer can open have links', async () => {
    const { page } = await openConsole(app, admin, '/operations/audit?record=demo-webhook');
    await rowsOf(page, 'Audit entries').first().getByText('Webhook demo-webhook').waitFor();
    expect(await rowsOf(page, 'Audit entries').getByRole('link', { name: 'demo-webhook' }).count()).toBe(0);
    await page.getByLabel('Record ID').fill('demo-user');
    await rowsOf(page, 'Audit entries').first().getByRole('link', { name: 'demo-user' }).waitFor();
  });

  test('entries are sorted by time in both directions', async () => {
    const { page } = await openConsole(app, admin, '/operations/audit?source=REQUEST');
    const times = () =>
      rowsOf(page, 'Audit entries')
        .locator('th time')
        .evaluateAll((all) => all.map((time) => time.getAttribute('datetime')));
    await expect.poll(async () => (await times()).length).toBeGreaterThan(20);
    const newestFirst = await times();
    await button(page, 'Time').click();
    await expect.poll(times).toEqual(newestFirst.toSorted());
  });

  test('new entries appear without a reload', async () => {
    const { page } = await openConsole(app, admin, '/operations/audit?type=Webhook', { hasFakeClock: true });
    await rowsOf(page, 'Audit entries').first().waitFor();
    await app.sql.rows(`update webhook set events = '{game.deleted}' where id = 'demo-webhook'`);
    await advanceTime(page, 10);
    await page.getByText('["game.deleted"]').waitFor();
  }, 60_000);

  test('if the state cannot be read, an error with a retry is shown', async () => {
    const { page } = await openConsole(app, admin, '/operations/jobs', { hasFakeClock: true });
    await page.getByRole('heading', headingOf('Failed jobs')).waitFor();
    await page.context().setOffline(true);
    await page.getByRole('navigation', { name: 'Operations' }).getByRole('link', { name: 'Health' }).click();
    await advanceTimeUntilVisible(page.getByRole('alert'), 10);
    await page.context().setOffline(false);
    await page.getByRole('alert').waitFor({ state: 'detached', timeout: 20_000 });
    await page.getByText('Release', { exact: true }).waitFor();
    await page.context().setOffline(true);
    await advanceTimeUntilVisible(page.getByRole('alert'), 15);
    expect(await page.getByRole('alert').count()).toBe(1);
  }, 60_000);

  test('the error of an action disappears when the connection is back', async () => {
    await app.sql.rows(
      `insert into jobs.job (name, data, source_name, output) values ('dead', '{"kind": "mail", "to": "ana@late.example", "subject": "Lost"}', 'mail', '{"reason": "x"}')`,
    );
    const { page } = await openConsole(app, admin, '/operations/messages');
    const retry = button(page, 'Retry Lost to late.example');
    await retry.waitFor();
    await page.context().setOffline(true);
    await retry.click();
    await page.getByRole('alert').first().waitFor({ timeout: 20_000 });
    await page.context().setOffline(false);
    await expect.poll(() => page.getByRole('alert').count(), { timeout: 20_000 }).toBe(0);
  }, 60_000);

  test('responses that take longer than the interval between two reads are shown', async () => {
    const { page } = await openConsole(app, admin, '/operations/jobs', { hasFakeClock: true });
    await page.route('**/graphql', async (route) => {
      const response = await route.fetch();
      await advanceTime(page, 5.5);
      await route.fulfill({ response });
    });
    await page.getByRole('navigation', { name: 'Operations' }).getByRole('link', { name: 'Health' }).click();
    await page.getByText('Release', { exact: true }).waitFor({ timeout: 15_000 });
  }, 60_000);

  test.each([
    ['fails', (page: Page) => page.context().setOffline(true), (page: Page) => page.context().setOffline(false)],
    ['has no response', (page: Page) => page.route('**/graphql', () => undefined), (page: Page) => page.unroute('**/graphql')],
  ])(
    'if the request for the state %s, the page shows the time of the values, and does not claim that there are no problems',
    async (_, stop, start) => {
      await app.sql.rows(`update jobs.job set state = 'cancelled' where state = 'failed' or name = 'dead'`);
      await app.sql.rows(`update webhook set pause_reason = 'REQUESTED' where paused_at is not null`);
      const { page } = await openConsole(app, admin, '/operations', { hasFakeClock: true });
      const good = page.getByText('No problems', { exact: true });
      await good.waitFor();
      await stop(page);
      const message = page.getByText(/^The current state is unknown\. The values below are from .*:\d\d:\d\d\s[AP]M\.$/);
      await advanceTimeUntilVisible(message, 20);
      expect(await good.count()).toBe(0);
      await start(page);
      await advanceTimeUntilVisible(good, 20);
      expect(await message.count()).toBe(0);
    },
    60_000,
  );

  test('users without the role ADMIN do not see the task', async () => {
    const moderator = await consoleUser(app, { roles: ['CONTENT_CONFIRMER'] });
    const { page } = await openConsole(app, moderator, '/operations');
    await page.getByRole('heading', headingOf('Page not found')).waitFor();
    expect(await page.getByRole('navigation', { name: 'Tasks' }).getByRole('link', { name: 'Operations' }).count()).toBe(0);
  });
});
