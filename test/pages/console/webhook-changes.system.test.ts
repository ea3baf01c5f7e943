import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { missingBrowser } from '../../support/clients/browser.js';
import { requires } from '../../support/prerequisites.js';
import type { TestApp } from '../../support/servers/app.js';
import { type ConsoleUser, consoleUser, expectAccessible, loseConnection, openConsole, startConsole } from './console-page.js';
import { button, createWebhook, notice } from './webhook-form.js';

/** URL without a receiver. The tests send no events. */
const hooks = 'http://127.0.0.1:40999/hooks';

let app: TestApp;
let admin: ConsoleUser;
beforeAll(async () => {
  app = await startConsole({ WEBHOOK_NETWORKS: '127.0.0.0/8' });
  admin = await consoleUser(app, { firstName: 'Ada', isSuperAdmin: true });
}, 120_000);
afterAll(() => app.close());

/** Collects the questions that the browser asks. Dismisses them until `acceptQuestions` is called. */
function dismissQuestions(page: Page): { readonly questions: readonly string[]; acceptQuestions(): void } {
  const questions: string[] = [];
  let isAccepting = false;
  page.on('dialog', (dialog) => {
    questions.push(dialog.message());
    void (isAccepting ? dialog.accept() : dialog.dismiss());
  });
  return {
    questions,
    acceptQuestions() {
      isAccepting = true;
    },
  };
}

describe('in a browser', { ...requires(missingBrowser), timeout: 60_000 }, () => {
  test('an edit sends only changed values, so that concurrent changes by others are kept', async () => {
    const { page } = await openConsole(app, admin, '/webhooks');
    await createWebhook(page, `${hooks}/shared`, 'team.changed');
    await button(page, 'Edit…').click();
    await page.getByRole('dialog').getByLabel('URL').fill(`${hooks}/moved`);
    const id = new URL(page.url()).pathname.split('/').at(-1);
    await app.sql.rows(`update webhook set events = '{game.changed}' where id = $1`, [id]);
    await page.getByText('game.changed', { exact: true }).waitFor({ state: 'attached' });
    await button(page, 'Save').click();
    await notice(page, 'Webhook saved.').waitFor();
    expect(await app.sql.rows('select url, events from webhook where id = $1', [id])).toEqual([
      { url: `${hooks}/moved`, events: ['game.changed'] },
    ]);
  });

  test('the form of a webhook shows values that somebody else has saved in the meantime', async () => {
    const browserPage = await openConsole(app, admin, '/webhooks');
    const { page } = browserPage;
    await createWebhook(page, `${hooks}/disputed`, 'team.changed');
    const id = new URL(page.url()).pathname.split('/').at(-1);
    await button(page, 'Edit…').click();
    const dialog = page.getByRole('dialog');
    const events = dialog.getByLabel('Events');
    await events.fill('game.changed');
    await app.sql.rows(`update webhook set url = $2, events = '{game.deleted}' where id = $1`, [id, `${hooks}/by-others`]);
    const alert = dialog.getByRole('alert').filter({ hasText: 'Somebody else has changed these fields.' });
    await alert.getByText('game.deleted').waitFor();
    expect({ alert: await alert.textContent(), url: await dialog.getByLabel('URL').inputValue() }).toEqual({
      alert: expect.not.stringContaining('by-others'),
      url: `${hooks}/by-others`,
    });
    await expectAccessible(browserPage);
    await button(page, 'Discard my changes').click();
    expect({ events: await events.inputValue(), alerts: await alert.count() }).toEqual({ events: 'game.deleted', alerts: 0 });
    await events.fill('team.changed');
    await button(page, 'Save').click();
    await notice(page, 'Webhook saved.').waitFor();
    await button(page, 'Undo').click();
    await notice(page, 'Webhook restored.').waitFor();
    expect(await app.sql.rows('select url, events from webhook where id = $1', [id])).toEqual([
      { url: `${hooks}/by-others`, events: ['game.deleted'] },
    ]);
  });

  test('an edit is undone, unless somebody else has changed the webhook since', async () => {
    const { page } = await openConsole(app, admin, '/webhooks');
    await createWebhook(page, `${hooks}/undo`, 'team.changed');
    const id = new URL(page.url()).pathname.split('/').at(-1);
    const events = async () => (await app.sql.rows('select events from webhook where id = $1', [id]))[0]?.events;
    const edit = async (text: string) => {
      await button(page, 'Edit…').click();
      await page.getByRole('dialog').getByLabel('Events').fill(text);
      await button(page, 'Save').click();
      await notice(page, 'Webhook saved.').waitFor();
    };
    await edit('game.changed');
    await button(page, 'Undo').click();
    await notice(page, 'Webhook restored.').waitFor();
    expect(await events()).toEqual(['team.changed']);
    await edit('game.changed');
    await app.sql.rows(`update webhook set events = '{game.deleted}' where id = $1`, [id]);
    await button(page, 'Undo').click();
    await notice(page, 'Not restored: somebody else has changed the webhook since.').waitFor();
    expect(await events()).toEqual(['game.deleted']);
  });

  test('an undo of Pause is refused if somebody else has paused the webhook again since', async () => {
    const { page } = await openConsole(app, admin, '/webhooks');
    await createWebhook(page, `${hooks}/paused-again`, 'team.changed');
    const id = new URL(page.url()).pathname.split('/').at(-1);
    await button(page, 'Pause').click();
    await notice(page, 'Webhook paused.').waitFor();
    await app.graphql(`mutation { resumeWebhook(id: "${id}") { id } }`);
    await app.graphql(`mutation { pauseWebhook(id: "${id}") { id } }`);
    await button(page, 'Undo').click();
    await notice(page, 'Not restored: somebody else has changed the webhook since.').waitFor();
    expect(await app.sql.rows('select paused_at is not null as "isPaused" from webhook where id = $1', [id])).toEqual([
      { isPaused: true },
    ]);
  });

  test.each([
    [
      'Edit',
      'Webhook restored.',
      async (page: Page) => {
        await button(page, 'Edit…').click();
        await page.getByRole('dialog').getByLabel('Events').fill('game.changed');
        await button(page, 'Save').click();
        await notice(page, 'Webhook saved.').waitFor();
      },
    ],
    [
      'Pause',
      'Webhook resumed.',
      async (page: Page) => {
        await button(page, 'Pause').click();
        await notice(page, 'Webhook paused.').waitFor();
      },
    ],
  ])('without a connection, an undo of %s waits until the connection is restored', async (name, result, change) => {
    const { page } = await openConsole(app, admin, '/webhooks', { hasFakeClock: true });
    await createWebhook(page, `${hooks}/undo-offline-${name}`, 'team.changed');
    const id = new URL(page.url()).pathname.split('/').at(-1);
    await change(page);
    const restore = await loseConnection(page, 'query ConsoleWebhook(');
    await button(page, 'Undo').click();
    await button(page, 'Undo').click({ force: true });
    await restore();
    await notice(page, result).waitFor();
    expect(await app.sql.rows('select events, paused_at from webhook where id = $1', [id])).toEqual([
      { events: ['team.changed'], paused_at: null },
    ]);
  });

  test('a form with unsaved changes stays open when somebody else deletes the webhook', async () => {
    const { page } = await openConsole(app, admin, '/webhooks');
    await createWebhook(page, `${hooks}/deleted-meanwhile`, 'team.changed');
    const id = new URL(page.url()).pathname.split('/').at(-1);
    await button(page, 'Edit…').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('URL').fill('https://typed.example');
    await app.graphql(`mutation { deleteWebhook(id: "${id}") { id } }`);
    await dialog.getByRole('alert').getByText('This webhook was deleted.').waitFor();
    expect({
      url: await dialog.getByLabel('URL').inputValue(),
      canSave: await button(page, 'Save').isEnabled(),
    }).toEqual({ url: 'https://typed.example', canSave: false });
    await expectAccessible({ page });
    page.once('dialog', (question) => void question.accept());
    await button(page, 'Cancel').click();
    await page.getByText('No webhook has this ID.').waitFor();
  });

  test.each([
    ['Escape', (page: Page) => page.keyboard.press('Escape')],
    ['Back', (page: Page) => page.goBack()],
  ])('the console asks before %s discards a new webhook', async (_, leave) => {
    const { page } = await openConsole(app, admin, '');
    await page.getByRole('navigation', { name: 'Tasks' }).getByRole('link', { name: 'Webhooks' }).click();
    const browser = dismissQuestions(page);
    const dialog = page.getByRole('dialog');
    await button(page, 'Create webhook').click();
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await button(page, 'Create webhook').click();
    await dialog.getByLabel('URL').fill('https://new.example');
    await leave(page);
    const question = 'Close this form? Your changes are not saved.';
    await expect.poll(() => browser.questions).toEqual([question]);
    expect(await dialog.getByLabel('URL').inputValue()).toBe('https://new.example');
    browser.acceptQuestions();
    await leave(page);
    await dialog.waitFor({ state: 'detached' });
    expect(browser.questions).toEqual([question, question]);
  });

  test('the console asks before Escape discards changes of a webhook', async () => {
    const { page } = await openConsole(app, admin, '/webhooks/demo-webhook');
    const browser = dismissQuestions(page);
    const dialog = page.getByRole('dialog');
    await button(page, 'Edit…').click();
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await button(page, 'Edit…').click();
    await dialog.getByLabel('URL').fill('https://changed.example');
    await page.keyboard.press('Escape');
    expect(await dialog.getByLabel('URL').inputValue()).toBe('https://changed.example');
    browser.acceptQuestions();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    const question = 'Close this form? Your changes are not saved.';
    expect(browser.questions).toEqual([question, question]);
  });
});
