import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { promisify } from 'node:util';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { loadDemo } from '../../src/demo/index.js';
import { freePort } from '../../src/process/port.js';
import { missingBrowser, newContext } from '../support/clients/browser.js';
import { builtSdk } from '../support/clients/sdk-package.js';
import { requires } from '../support/prerequisites.js';
import { startApp, type TestApp } from '../support/servers/app.js';
import { secondProcess } from '../support/servers/second-app.js';

let app: TestApp;
beforeAll(async () => {
  [app] = await Promise.all([startApp(), builtSdk()]);
  await app.sql.rows('delete from platform');
  await loadDemo(app.sql, () => undefined);
}, 120_000);
afterAll(() => app.close());

test('examples/enter.js signs in, searches nearby tournaments and registers one team', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['examples/enter.js', app.origin]);
  const [, tournaments = '', teamsBefore = '', teamsAfter = ''] =
    /^signed in as Maya\n(\d+) tournaments within 50 km .*\nregistered for [^\n]+\nteams: (\d+), now (\d+)\n$/s.exec(stdout) ??
    [];
  expect(Number(tournaments)).toBeGreaterThan(20);
  expect(Number(teamsAfter) - Number(teamsBefore)).toBe(1);
});

/** Forwards TCP connections from a port to a service. */
async function startForwarding(port: number, origin: string) {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    const upstream = connect(Number(new URL(origin).port), '127.0.0.1');
    socket.pipe(upstream).pipe(socket);
    socket.on('error', () => undefined).on('close', () => upstream.destroy());
    upstream.on('error', () => undefined).on('close', () => socket.destroy());
    sockets.push(socket);
  }).listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    stop() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

test('examples/follow.js prints each change once, including those during a restart of the service', async () => {
  const port = await freePort();
  const lastNames = ['Before', 'Meanwhile', 'Then', 'After'];
  for (const name of lastNames)
    await app.sql.rows('insert into app_user (id, last_name, email) values ($1, $2, $3)', [
      `u-${name}`,
      name,
      `${name}@example.com`,
    ]);
  const assignReferee = (name: string) =>
    app.sql.rows('insert into tournament_referee (id, tournament_id, user_id) values ($1, $2, $3)', [
      `r-${name}`,
      'demo-tournament',
      `u-${name}`,
    ]);

  const beforeRestart = await startForwarding(port, app.origin);
  const child = spawn(process.execPath, ['examples/follow.js', `http://127.0.0.1:${port}`]);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const printed = () => output;
  await expect.poll(printed, { timeout: 20_000 }).toMatch(/^Austin Open: 25 teams, \d+ referees\n/);
  await assignReferee('Before');
  await expect.poll(printed, { timeout: 20_000 }).toContain('Before');

  beforeRestart.stop();
  await assignReferee('Meanwhile');
  await assignReferee('Then');
  // The new process has no state of the subscriptions that the first process served.
  const restarted = await secondProcess(app);
  const afterRestart = await startForwarding(port, restarted.origin);
  onTestFinished(() => {
    child.kill();
    afterRestart.stop();
    return restarted.close();
  });
  await expect.poll(printed, { timeout: 20_000 }).toContain('Then');
  await assignReferee('After');
  await expect.poll(printed, { timeout: 20_000 }).toContain('After');
  expect([...output.matchAll(/^CREATED: (\w+)$/gm)].map(([, name]) => name)).toEqual(lastNames);
  expect(output).toMatch(/^(?:demo-match: |game \d of demo-match: )/m);

  const closed = once(child, 'close');
  child.kill('SIGINT');
  const [exitCode, signal] = await closed;
  expect({ exitCode, signal }).toEqual({ exitCode: 0, signal: null });
}, 60_000);

/** Starts `examples/serve.js` and returns its URL. */
async function startPageServer() {
  const server = spawn(process.execPath, ['examples/serve.js'], { env: { PORT: '0' } });
  const [output] = await once(server.stdout, 'data');
  const [url = ''] = /http:\S+/.exec(String(output)) ?? [];
  return { server, url };
}

describe('the example page', requires(missingBrowser), () => {
  let context: BrowserContext;
  let page: Page;
  let stop: () => void = () => undefined;
  const consoleErrors: string[] = [];
  const foreignRequests: string[] = [];
  beforeAll(async () => {
    const { server, url: pageUrl } = await startPageServer();
    stop = () => server.kill();
    context = await newContext({ viewport: { width: 390, height: 800 } });
    page = await context.newPage();
    page.on('console', (message) => message.type() === 'error' && consoleErrors.push(message.text()));
    page.on('pageerror', (error) => consoleErrors.push(error.message));
    page.on('request', (request) => {
      if (![pageUrl, app.origin].some((origin) => request.url().startsWith(origin))) foreignRequests.push(request.url());
    });
    await page.goto(`${pageUrl}/?service=${app.origin}`);
  });
  afterAll(async () => {
    stop();
    await context.close();
  });

  const status = () => page.getByRole('status').last().textContent();
  const teams = async () => Number(/(\d+) teams\./.exec((await page.locator('#counts').textContent()) ?? '')?.[1]);

  test('searches, requires sign-in, registers a team and updates its counts', async () => {
    await expect.poll(teams).toBeGreaterThan(7000);
    await page.getByRole('button', { name: 'Search' }).click();
    await expect.poll(status).toMatch(/^\d+ tournaments with open registration\.$/);
    expect(await page.getByRole('list', { name: 'Tournaments' }).locator('> li').count()).toBe(5);

    // The demo player can enter women's and mixed events.
    const doubles = page
      .getByRole('listitem')
      .filter({ hasText: /^(Mixed|Women's) Doubles \d/ })
      .first();
    const enter = async () => {
      await doubles.getByLabel('Email address of your partner').fill('friend@example.com');
      await doubles.getByRole('button').click();
    };
    await enter();
    await expect.poll(status).toBe('Please sign in first.');

    await page.getByLabel('Password').fill('not this one');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expect.poll(status).toBe('The password is wrong.');
    await page.getByLabel('Password').fill('courtside-demo');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('You are signed in as Maya.').waitFor();
    await expect.poll(status).toMatch(/with open registration/);

    const teamsBefore = await teams();
    await enter();
    await expect.poll(status).toMatch(/^You are registered for .+\.$/);
    await expect.poll(teams).toBe(teamsBefore + 1);
    expect({ consoleErrors, foreignRequests }).toEqual({ consoleErrors: [], foreignRequests: [] });
  });
});

test('examples/serve.js serves only files of the page and of the SDK', async () => {
  const { server, url } = await startPageServer();
  onTestFinished(() => void server.kill());
  const statusOf = async (path: string) => (await fetch(url + path)).status;
  expect({
    '/': await statusOf('/'),
    '/page.js': await statusOf('/page.js'),
    '/sdk/index.js': await statusOf('/sdk/index.js'),
    '/serve.js': await statusOf('/serve.js'),
    '/%': await statusOf('/%'),
    '/..%2fserve.js': await statusOf('/..%2fserve.js'),
    '/sdk/package.json': await statusOf('/sdk/package.json'),
    '//': await statusOf('//'),
  }).toEqual({
    '/': 200,
    '/page.js': 200,
    '/sdk/index.js': 200,
    '/serve.js': 404,
    '/%': 404,
    '/..%2fserve.js': 404,
    '/sdk/package.json': 404,
    '//': 200,
  });
});

describe('examples/README.md', () => {
  const readme = readFileSync('examples/README.md', 'utf8');

  test('names only existing files', () => {
    const files = [...readme.matchAll(/(?:node |`)(examples\/[\w/.]+|\w+\.js|page\/[\w.]*)/g)].map(([, name = '']) =>
      name.replace(/^examples\//, ''),
    );
    expect(files.length).toBeGreaterThan(3);
    expect(files.filter((name) => !existsSync(`examples/${name}`))).toEqual([]);
  });

  test('names only existing npm scripts', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
    const names = [...readme.matchAll(/npm run ([a-z]+)/g)].map(([, name = '']) => name);
    expect(names.filter((name) => !(name in scripts))).toEqual([]);
  });
});
