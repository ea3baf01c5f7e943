import type { ServerResponse } from 'node:http';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Receiver, startWebhookReceiver } from '../../modules/live/webhooks/receiver.js';
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
import { button, createWebhook, notice } from './webhook-form.js';

let app: TestApp;
let admin: ConsoleUser;
beforeAll(async () => {
  app = await startConsole({ WEBHOOK_NETWORKS: '127.0.0.0/8' });
  admin = await consoleUser(app, { firstName: 'Ada', isSuperAdmin: true });
}, 120_000);
afterAll(() => app.close());

const headingOf = (name: string) => ({ name, level: 1 });
const rowsOf = (page: Page, table: string) => page.getByRole('region', { name: table }).getByRole('row');

describe('in a browser', requires(missingBrowser), () => {
  let hooks: Receiver;
  let isDown = false;
  // With `Retry-After`, the service does not retry during the test.
  const refuse = (response: ServerResponse) => void response.writeHead(500, { 'retry-after': '3600' }).end('not now');
  beforeAll(async () => {
    hooks = await startWebhookReceiver(() => (isDown ? refuse : 200));
  });
  afterAll(() => hooks.close());

  test('the list is filtered by URL, platform and state, is sorted, and shows a message if nothing matches', async () => {
    const { page, consoleErrors, foreignRequests } = await openConsole(app, admin, '/webhooks');
    const urls = () => rowsOf(page, 'Webhooks').locator('th a').allTextContents();
    await expect.poll(urls).toHaveLength(2);
    await expectAccessible({ page });
    await page.getByLabel('Search').fill('calendar');
    await expect.poll(urls).toEqual(['https://courtside.test/hooks/calendar']);
    await page.getByLabel('State').selectOption('Active');
    await page.getByText('No webhook matches. Remove a filter.').waitFor();
    expect(new URL(page.url()).search).toBe('?search=calendar&state=ACTIVE');
    await page.getByLabel('Search').fill('');
    await page.getByLabel('State').selectOption('Paused');
    await page.getByLabel('Platform').selectOption('Courtside Demo');
    await button(page, 'URL').click();
    await expect.poll(urls).toEqual(['https://courtside.test/hooks/calendar', 'https://courtside.test/hooks/results']);
    expect({ consoleErrors, foreignRequests }).toEqual({ consoleErrors: [], foreignRequests: [] });
  });

  test('a webhook is created, invalid values are reported at their fields, and its secret is shown once', async () => {
    const { page, consoleErrors, foreignRequests } = await openConsole(app, admin, '/webhooks');
    await button(page, 'Create webhook').click();
    const dialog = page.getByRole('dialog');
    await expectAccessible({ page });
    await dialog.getByLabel('Platform').selectOption('Courtside Demo');
    await dialog.getByLabel('URL').fill('http://10.0.0.1/');
    await dialog.getByText('Records with events').click();
    await dialog.getByText('team, teamInvitation, tierLevel').waitFor();
    await dialog.getByLabel('Events').fill('team.renamed\nteam.moved');
    await dialog.getByLabel('Contact').fill('nobody@localhost');
    await dialog.getByRole('button', { name: 'Create webhook' }).click();
    await dialog.getByRole('alert').waitFor();
    expect(
      await dialog.locator('[aria-invalid]').evaluateAll((fields) => fields.map((field) => field.getAttribute('name'))),
    ).toEqual(expect.arrayContaining(['url', 'events']));
    const message = await dialog.getByRole('alert').textContent();
    expect(message?.match(/such as team\.changed, instead of team\.renamed, team\.moved/g)).toHaveLength(1);
    expect({
      startsWithLabel: message?.startsWith('URL: expected '),
      records: await dialog.getByText('teamInvitation', { exact: false }).count(),
    }).toEqual({
      startsWithLabel: true,
      // The names occur in the message at the field, and in the list of records with events.
      records: 2,
    });
    await expectAccessible({ page });
    page.once('dialog', (question) => void question.accept());
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    const secret = await createWebhook(page, `${hooks.url}/created`, 'team.changed\nteam.deleted');
    await page.getByRole('heading', headingOf(`Webhook 127.0.0.1:${hooks.port}/hooks/created`)).waitFor();
    expect({ secret, isShownAgain: (await page.content()).includes(secret) }).toEqual({
      secret: expect.stringMatching(/^whsec_/),
      isShownAgain: false,
    });
    await page.getByText('team.changed, team.deleted').waitFor();
    expect({ consoleErrors, foreignRequests }).toEqual({ consoleErrors: [], foreignRequests: [] });
  });

  test('a test event is delivered, and a failed delivery is sent again', async () => {
    const { page } = await openConsole(app, admin, '/webhooks', { hasFakeClock: true });
    await createWebhook(page, `${hooks.url}/ping`, 'team.changed');
    isDown = true;
    await button(page, 'Send test event').click();
    await notice(page, 'Test event queued.').waitFor();
    await advanceTimeUntilVisible(rowsOf(page, 'Deliveries, newest first').getByText('Failed, waiting to retry'), 20);
    await page.getByRole('link', { name: 'webhook.ping' }).click();
    await page.getByRole('heading', headingOf('Delivery of webhook.ping')).waitFor();
    await expectAccessible({ page });
    await page.locator('dd', { hasText: /^responded with 500/ }).waitFor();
    isDown = false;
    await button(page, 'Send again').click();
    await advanceTimeUntilVisible(page.locator('dd', { hasText: /^Delivered$/ }), 20);
    await page.getByText('Attempts since it was last queued', { exact: true }).waitFor();
    const attempts = rowsOf(page, 'Last 10 attempts, newest first').locator('td');
    await expect
      .poll(async () => (await attempts.allTextContents()).filter((_, index) => index % 4 > 0))
      .toEqual([...['200', '–', '–'], ...['500', 'not now', 'responded with 500: not now']]);
    expect(JSON.parse((await page.locator('pre').textContent()) ?? '')).toMatchObject({ type: 'webhook.ping' });
    await expectAccessible({ page });
    expect(hooks.deliveries.map(({ path, type }) => ({ path, type }))).toContainEqual({
      path: '/hooks/ping',
      type: 'webhook.ping',
    });
    await page.getByRole('link', { name: /^Webhook 127/ }).click();
    await rowsOf(page, 'Deliveries, newest first').getByText('Delivered').waitFor();
  }, 60_000);

  test('a webhook is paused, edited and resumed, the pause can be undone, and the secret is rotated', async () => {
    const { page } = await openConsole(app, admin, '/webhooks');
    const secret = await createWebhook(page, `${hooks.url}/pause`, 'team.changed');
    const state = page.locator('.facts dd').first();
    await button(page, 'Pause').click();
    await expect.poll(() => state.textContent()).toBe('Paused on request');
    await button(page, 'Undo').click();
    await expect.poll(() => state.textContent()).toBe('Active');
    await button(page, 'Pause').click();
    await button(page, 'Edit…').click();
    await page.getByRole('dialog').getByLabel('Events').fill('game.*');
    await button(page, 'Save').click();
    await notice(page, 'Webhook saved.').waitFor();
    await page.getByText('game.*', { exact: true }).waitFor();
    await button(page, 'Resume…').click();
    await expectAccessible({ page });
    await page.getByLabel('Deliveries that failed before').selectOption('Skip');
    await button(page, 'Resume').click();
    await expect.poll(() => state.textContent()).toBe('Active');
    await button(page, 'Rotate secret…').click();
    await page.getByLabel('Hours until the previous secret expires').fill('200');
    await button(page, 'Rotate secret').click();
    await page.getByText('Expected: 0 to 168').waitFor();
    await page.getByLabel('Hours until the previous secret expires').fill('48');
    await button(page, 'Rotate secret').click();
    const newSecret = await page.getByLabel('Secret', { exact: true }).inputValue();
    await expectAccessible({ page });
    await button(page, 'I have stored it').click();
    expect(newSecret).not.toBe(secret);
    await button(page, 'End previous secret…').click();
    await expectAccessible({ page });
    await button(page, 'End previous secret').click();
    await notice(page, 'The previous secret is no longer valid.').waitFor();
    await button(page, 'End previous secret…').waitFor({ state: 'detached' });
  });

  test('the number of waiting deliveries in the list updates by itself', async () => {
    const { page } = await openConsole(app, admin, '/webhooks?state=PAUSED&search=calendar', { hasFakeClock: true });
    const count = rowsOf(page, 'Webhooks').nth(1).locator('td[data-title="Waiting deliveries"]');
    const before = Number(await count.textContent());
    const [webhook] = await app.sql.rows(`select id from webhook where url like '%/calendar'`);
    await app.graphql(`mutation { pingWebhook(id: "${webhook?.id}") { id } }`);
    await advanceTime(page, 10);
    await expect.poll(() => count.textContent(), { timeout: 15_000 }).toBe(String(before + 1));
  });

  test('the contact is confirmed with the code in the email to it', async () => {
    const { page } = await openConsole(app, admin, '/webhooks');
    await createWebhook(page, `${hooks.url}/contact`, 'team.changed');
    await button(page, 'Edit…').click();
    await page.getByRole('dialog').getByLabel('Contact').fill('ops@club.example');
    await button(page, 'Save').click();
    await button(page, 'Confirm contact…').click();
    await page.getByLabel('Code').fill('wrong');
    await button(page, 'Confirm contact').click();
    await page.getByText(/^Expected: the code/).waitFor();
    const [mail] = await mailbox(app, 'ops@club.example');
    await page.getByLabel('Code').fill(/(?<=: )[\w-]{22}/.exec(mail?.text ?? '')?.[0] ?? '');
    await button(page, 'Confirm contact').click();
    await page.getByText('ops@club.example (confirmed)').waitFor();
  });

  test('a webhook is deleted after its name is typed', async () => {
    const { page } = await openConsole(app, admin, '/webhooks');
    await createWebhook(page, `${hooks.url}/deleted`, 'team.changed');
    await button(page, 'Delete…').click();
    const remove = button(page, 'Delete webhook');
    expect(await remove.isDisabled()).toBe(true);
    await expectAccessible({ page });
    await page.getByLabel(/^To confirm, type/).fill(`127.0.0.1:${hooks.port}/hooks/deleted`);
    await remove.click();
    await notice(page, 'Webhook deleted.').waitFor();
    await page.getByRole('heading', headingOf('Webhooks')).waitFor();
    await expect.poll(() => page.getByRole('link', { name: `${hooks.url}/deleted` }).count()).toBe(0);
  });

  test('a webhook that another client changes is shown at once', async () => {
    const { page } = await openConsole(app, admin, '/webhooks');
    await page.getByRole('link', { name: 'https://courtside.test/hooks/calendar' }).click();
    await page.getByText('Paused on request').waitFor();
    const [row] = await app.sql.rows(`select id from webhook where url like '%/calendar'`);
    await app.graphql(`mutation { updateWebhook(id: "${row?.id}", events: ["game.changed"]) { id } }`);
    await page.getByText('game.changed', { exact: true }).waitFor();
  });

  test('the deliveries of the season are filtered by event and status', async () => {
    const { page } = await openConsole(app, admin, '/webhooks/demo-webhook');
    await page.getByText('51 deliveries').waitFor();
    await expectAccessible({ page });
    await documentScreenshot(page, 'webhooks');
    await button(page, 'Load more').click();
    await expect.poll(() => rowsOf(page, 'Deliveries, newest first').count()).toBe(41);
    await page.getByLabel('Status').selectOption('Skipped');
    await page.getByText('3 deliveries').waitFor();
    await page.getByLabel('Event', { exact: true }).fill('ping');
    await page.getByText('No delivery matches. Remove a filter.').waitFor();
    await page.getByLabel('Event', { exact: true }).fill('');
    await page.getByLabel('Status').selectOption('Failed, waiting to retry');
    const states = rowsOf(page, 'Deliveries, newest first').locator('td[data-title="Status"]');
    await expect.poll(async () => [...new Set(await states.allTextContents())]).toEqual(['Failed, waiting to retry']);
  });

  test('the page of an unknown delivery links to its webhook', async () => {
    const { page } = await openConsole(app, admin, '/webhooks/demo-webhook/unknown');
    await page.getByText('No delivery has this ID.').waitFor();
    await page.getByRole('link', { name: 'Webhook', exact: true }).click();
    await page.getByText('51 deliveries').waitFor();
  });

  test('users who are not super admins do not see the task', async () => {
    const moderator = await consoleUser(app, { roles: ['ADMIN'] });
    const { page } = await openConsole(app, moderator, '/webhooks');
    await page.getByRole('heading', headingOf('Page not found')).waitFor();
    expect(await page.getByRole('navigation', { name: 'Tasks' }).getByRole('link', { name: 'Webhooks' }).count()).toBe(0);
  });
});
