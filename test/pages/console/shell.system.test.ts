import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { demo } from '../../../src/demo/tokens.js';
import { hashOf } from '../../../src/modules/accounts/tokens/secrets.js';
import { missingBrowser } from '../../support/clients/browser.js';
import { requires } from '../../support/prerequisites.js';
import type { TestApp } from '../../support/servers/app.js';
import { startService } from '../../support/servers/service-process.js';
import { focusOrder, newBrowserPage } from '../browser-page.js';
import { type ConsoleUser, consoleUser, expectAccessible, openConsole, signIn, startConsole } from './console-page.js';

let app: TestApp;
let moderator: ConsoleUser;
beforeAll(async () => {
  app = await startConsole();
  moderator = await consoleUser(app, { firstName: 'Mo', roles: ['CONTENT_CONFIRMER'] });
}, 120_000);
afterAll(() => app.close());

const headingOf = (name: string) => ({ name, level: 1 });

test('the page has a strict policy, and its files are cached forever', async () => {
  const { headers } = await fetch(`${app.origin}/console/approvals`);
  const page = await (await fetch(`${app.origin}/console`)).text();
  const [script = ''] = /\/console\/assets\/console-[^"]+\.js/.exec(page) ?? [];
  const file = await fetch(app.origin + script);
  expect({
    policy: headers.get('Content-Security-Policy')?.split('; '),
    scriptStatus: file.status,
    scriptCache: file.headers.get('Cache-Control'),
    unknownFile: (await fetch(`${app.origin}/console/assets/unknown.js`)).status,
  }).toEqual({
    policy: [
      "default-src 'none'",
      "base-uri 'none'",
      "form-action 'self'",
      "frame-ancestors 'none'",
      "style-src 'self'",
      "img-src 'self' https: data:",
      "script-src 'self'",
      "connect-src 'self'",
    ],
    scriptStatus: 200,
    scriptCache: 'public, max-age=31536000, immutable',
    unknownFile: 404,
  });
});

test('the built service serves the console', async () => {
  const service = await startService({ DATABASE_URL: app.databaseUrl, CONSOLE_KEY: 'pk_of-the-console' });
  const page = await (await fetch(`${service.origin}/console`)).text();
  const [script = ''] = /\/console\/assets\/console-[^"]+\.js/.exec(page) ?? [];
  const { status } = await fetch(service.origin + script);
  service.signal('SIGTERM');
  await service.exit;
  expect({ status, key: /data-publishable-key="([^"]*)"/.exec(page)?.[1] }).toEqual({ status: 200, key: 'pk_of-the-console' });
}, 60_000);

describe('in a browser', requires(missingBrowser), () => {
  test('a wrong password is reported, and the demo admin can be filled in', async () => {
    const { page, consoleErrors, foreignRequests } = await newBrowserPage(app.origin);
    await page.goto(`${app.origin}/console`);
    await page.getByRole('heading', headingOf('Sign in to the console')).waitFor();
    await expectAccessible({ page });
    await signIn(page, moderator, 'wrong');
    expect(await page.getByRole('alert').textContent()).toMatch(/Incorrect/);
    await page.getByRole('button', { name: 'Fill in' }).click();
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', headingOf('Overview')).waitFor();
    await expectAccessible({ page });
    expect({ consoleErrors, foreignRequests }).toEqual({ consoleErrors: [], foreignRequests: [] });
  });

  test('after too many wrong passwords, the form says when the user can try again', async () => {
    const { page } = await newBrowserPage(app.origin);
    await page.goto(`${app.origin}/console`);
    const user = await consoleUser(app);
    const alert = page.getByRole('alert');
    const wait = alert.getByText(/wait before the next one. Try again in \d+ minutes.$/);
    for (let tries = 0; tries < 12 && !(await wait.isVisible()); tries += 1) {
      await signIn(page, user, `wrong ${tries}`);
      await alert.waitFor();
    }
    await wait.waitFor();
  });

  test('the token is never in the URL or in storage, and the first view is below 150 kB', async () => {
    const { page } = await newBrowserPage(app.origin);
    const tokens: string[] = [];
    const urls: string[] = [];
    page.on('request', (request) => {
      urls.push(request.url());
      const token = request.headers()['pb-user-token'] ?? request.headers().authorization;
      if (token) tokens.push(token);
    });
    await page.goto(`${app.origin}/console/approvals`);
    await signIn(page, moderator);
    await page.getByRole('heading', headingOf('Approvals')).waitFor();
    await page.locator('.queue .items a').nth(20).waitFor();
    const [token = ''] = tokens;
    const { stored, bytes } = await page.evaluate<{ stored: string; bytes: number }>(`({
      stored: JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, history.state]),
      bytes: performance.getEntries().reduce((sum, { encodedBodySize = 0 }) => sum + encodedBodySize, 0),
    })`);
    expect({ stored, hasToken: token.length > 20, urlsWithToken: urls.filter((url) => url.includes(token)) }).toEqual({
      stored: '[{},{},"",null]',
      hasToken: true,
      urlsWithToken: [],
    });
    expect(bytes).toBeGreaterThan(20_000);
    expect(bytes).toBeLessThan(150_000);
  });

  test('the files of all tasks together are below 150 kB', async () => {
    const { page } = await openConsole(app, { email: demo.adminEmail }, '', { typedPassword: demo.adminPassword });
    const tasks = await page.getByRole('navigation', { name: 'Tasks' }).getByRole('link').count();
    // The console loads the tasks in advance.
    const files = () =>
      page.evaluate<[name: string, bytes: number][]>(
        `performance.getEntriesByType('resource').filter(({ name }) => /\\.(js|css|svg)$/.test(name))
          .map(({ name, encodedBodySize }) => [name, encodedBodySize])`,
      );
    await expect
      .poll(
        async () =>
          (await files()).filter(([name]) => /(approvals|users|platforms|webhooks|records|operations)-/.test(name)).length,
      )
      .toBe(tasks);
    const sizes = (await files()).map(([, bytes]) => bytes);
    expect(Math.min(...sizes)).toBeGreaterThan(0);
    expect(sizes.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThan(150_000);
  });

  test('a user without a task sees a page that says so', async () => {
    const player = await consoleUser(app);
    const browserPage = await openConsole(app, player, '/approvals');
    const { page, consoleErrors } = browserPage;
    await page.getByRole('heading', headingOf('No tasks')).waitFor();
    await expectAccessible(browserPage);
    expect({ tasks: await page.getByRole('navigation', { name: 'Tasks' }).count(), consoleErrors }).toEqual({
      tasks: 0,
      consoleErrors: [],
    });
  });

  test('roles that are granted and revoked during a session change the tasks', async () => {
    const user = await consoleUser(app);
    const { page } = await openConsole(app, user, '/approvals');
    await page.getByRole('heading', headingOf('No tasks')).waitFor();
    const setRoles = async (titles: string[]) => {
      await app.sql.rows('update app_user set role_ids = array(select id from role where title = any($2)) where id = $1', [
        user.id,
        titles,
      ]);
      app.resources.services.authenticator.clearCaches();
      // The roles are read again when the page becomes visible.
      await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
    };
    await setRoles(['CONTENT_CONFIRMER']);
    await page.getByRole('heading', headingOf('Approvals')).waitFor();
    await setRoles([]);
    await page.getByRole('heading', headingOf('No tasks')).waitFor();
  });

  test('navigation sets the title, moves the focus to the heading, and works with the browser history', async () => {
    const { page } = await openConsole(app, moderator, '/unknown');
    const state = async () => ({
      title: await page.title(),
      focus: await page.evaluate('document.activeElement.textContent'),
      path: new URL(page.url()).pathname,
    });
    const overview = { title: 'Overview – Courtside console', focus: 'Overview', path: '/console' };
    await page.getByRole('link', { name: 'Go to the overview' }).click();
    await expect.poll(state).toEqual(overview);
    await page.getByRole('navigation', { name: 'Tasks' }).getByRole('link', { name: 'Approvals' }).click();
    await expect.poll(state).toEqual({ title: 'Approvals – Courtside console', focus: 'Approvals', path: '/console/approvals' });
    expect(await page.locator('nav [aria-current=page]').textContent()).toBe('Approvals');
    await page.goBack();
    await expect.poll(state).toEqual(overview);
  });

  test('a path without a page is reported in every task, with a link back', async () => {
    const { page } = await openConsole(app, { email: demo.adminEmail }, '', { typedPassword: demo.adminPassword });
    const taskLinks = page.getByRole('navigation', { name: 'Tasks' }).getByRole('link');
    const tasks = await taskLinks.evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
    const backLinks = {
      '/console/unknown/page': '/console',
      '/console/approvals/unknown': '/console/approvals',
      '/console/users/demo-user/unknown': '/console/users',
      '/console/platforms/unknown': '/console/platforms',
      '/console/platforms/details': '/console/platforms',
      '/console/platforms/details/demo-club-sites/unknown': '/console/platforms',
      '/console/platforms/usage/unknown': '/console/platforms',
      '/console/platforms/routes/unknown': '/console/platforms',
      '/console/webhooks/id/delivery/unknown': '/console/webhooks',
      '/console/data/Unknown': '/console/data',
      '/console/data/Tournament/demo-tournament/unknown': '/console/data/Tournament/demo-tournament',
      '/console/data/Tournament/demo-tournament/teams/unknown': '/console/data/Tournament/demo-tournament',
      '/console/operations/unknown': '/console/operations',
      '/console/operations/audit/unknown': '/console/operations',
    };
    const found: Record<string, string | null> = {};
    for (const path of Object.keys(backLinks)) {
      await page.evaluate(`history.pushState(null, '', '${path}'); dispatchEvent(new Event('popstate'))`);
      await page.getByRole('heading', headingOf('Page not found')).waitFor();
      const back = page.getByRole('main').getByRole('link');
      found[path] = await back.getAttribute('href');
      await back.click();
      await page.getByRole('heading', headingOf('Page not found')).waitFor({ state: 'detached' });
    }
    const withoutPath = tasks.filter((task) => !Object.keys(found).some((path) => path.startsWith(`${task}/`)));
    expect({ found, withoutPath }).toEqual({ found: backLinks, withoutPath: [] });
  });

  test('the Tab key follows the order of the page, and shows a focus ring', async () => {
    const { page } = await openConsole(app, moderator, '/approvals');
    await page.locator('.queue .items a').first().waitFor();
    await page.locator('.skip').focus();
    const focused = await focusOrder(page, 12);
    expect({
      names: focused.slice(0, 3).map(({ name }) => name),
      withoutFocusRing: focused.filter(({ hasFocusRing }) => !hasFocusRing),
      outOfOrder: focused.filter(({ isInDocumentOrder }) => !isInDocumentOrder),
    }).toEqual({
      names: ['Courtside console, overview', 'Sign out', 'Approvals'],
      withoutFocusRing: [],
      outOfOrder: [],
    });
  });

  test('after the token is revoked, the user signs in again and continues on the same page', async () => {
    const user = await consoleUser(app, { roles: ['CONTENT_CONFIRMER'] });
    const { page } = await openConsole(app, user);
    await app.sql.rows('delete from user_token where user_id = $1', [user.id]);
    app.resources.services.authenticator.clearCaches();
    await page.getByRole('navigation', { name: 'Tasks' }).getByRole('link', { name: 'Approvals' }).click();
    await page.getByText('Your session has ended.').waitFor();
    await signIn(page, user);
    await page.getByRole('heading', headingOf('Approvals')).waitFor();
  });

  test('signing out revokes the token', async () => {
    const user = await consoleUser(app, { roles: ['CONTENT_CONFIRMER'] });
    const { page } = await openConsole(app, user);
    const openSessions = 'select from user_token where user_id = $1 and device is not null and revoked_at is null';
    const sessions = () => app.sql.rows(openSessions, [user.id]);
    expect(await sessions()).toHaveLength(1);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('You have signed out.').waitFor();
    await expect.poll(async () => (await sessions()).length).toBe(0);
  });

  test('a banner says that the connection is lost, and disappears when the connection is back', async () => {
    const { page } = await openConsole(app, moderator);
    const banner = page.getByText('The connection to the service is lost.');
    await page.context().setOffline(true);
    await banner.waitFor();
    await page.context().setOffline(false);
    await banner.waitFor({ state: 'detached' });
  });

  test('an error in the code of a task is reported, and other tasks still work', async () => {
    const { page } = await openConsole(app, await consoleUser(app, { roles: ['ADMIN'] }));
    await page.route('**/graphql', async (route) => {
      const response = await route.fetch();
      const json = await response.json();
      if (json.data?.users) json.data.users.nodes = [null];
      await route.fulfill({ response, json });
    });
    const tasks = page.getByRole('navigation', { name: 'Tasks' });
    await tasks.getByRole('link', { name: 'Users' }).click();
    await page.getByRole('alert').getByText('This page cannot be shown').waitFor();
    await page.unroute('**/graphql');
    await tasks.getByRole('link', { name: 'Data' }).click();
    await page.getByRole('heading', headingOf('Data')).waitFor();
    await page.getByRole('link', { name: 'Tournaments', exact: true }).waitFor();
  });

  test('without a configured key, the form asks for one', async () => {
    const { page } = await newBrowserPage(app.origin);
    await page.route('**/console', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: (await response.text()).replace(/data-publishable-key="[^"]*"/, '') });
    });
    await page.goto(`${app.origin}/console`);
    await page.getByLabel('Publishable key').fill('pk_wrong');
    await signIn(page, moderator);
    await page.getByRole('alert').waitFor();
    await expectAccessible({ page });
    await page.getByLabel('Publishable key').fill(app.demoKey);
    await signIn(page, moderator);
    await page.getByRole('heading', headingOf('Overview')).waitFor();
  });
});

test('the season has the key and the admin that the console offers', async () => {
  const keys = await app.sql.rows('select from publishable_key where key_hash = $1', [hashOf(app.demoKey)]);
  const admins = await app.sql.rows('select from app_user where email = $1', [demo.adminEmail]);
  expect({ keys: keys.length, admins: admins.length }).toEqual({ keys: 1, admins: 1 });
});
