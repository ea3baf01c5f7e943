import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { loadDemo } from '../../src/demo/index.js';
import { freePort } from '../../src/port.js';
import { startApp, type TestApp } from '../support/app.js';
import { browserOrNone } from '../support/browser.js';
import { builtSdk } from '../support/sdk.js';
import { secondProcess } from '../support/second-process.js';

let app: TestApp;
beforeAll(async () => {
  [app] = await Promise.all([startApp(), builtSdk()]);
  await app.sql.rows('delete from platform');
  await loadDemo(app.sql, () => undefined);
}, 120_000);
afterAll(() => app.close());

test('the script signs in, finds what is near, enters an event and sees that the teams are more', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['examples/enter.js', app.origin]);
  const [, found = '', before = '', after = ''] =
    /^signed in as Maya\n(\d+) tournaments within 50 km .*\nentered [^\n]+\nteams: (\d+), now (\d+)\n$/s.exec(stdout) ?? [];
  expect(Number(found)).toBeGreaterThan(20);
  expect(Number(after) - Number(before)).toBe(1);
});

test('who follows a tournament hears of everything once, also of what happened while the service was restarted', async () => {
  const port = await freePort();
  const pass = async (origin: string) => {
    const passing = createServer((socket) => {
      const behind = connect(Number(new URL(origin).port), '127.0.0.1');
      socket.pipe(behind).pipe(socket);
      socket.on('error', () => undefined).on('close', () => behind.destroy());
      behind.on('error', () => undefined).on('close', () => socket.destroy());
      sockets.push(socket);
    }).listen(port, '127.0.0.1');
    await once(passing, 'listening');
    return passing;
  };
  const sockets: Socket[] = [];
  const lastNames = ['Before', 'Meanwhile', 'Then', 'After'];
  for (const name of lastNames)
    await app.sql.rows('insert into app_user (id, last_name, email) values ($1, $2, $3)', [
      `u-${name}`,
      name,
      `${name}@example.com`,
    ]);
  const assign = (name: string) =>
    app.sql.rows('insert into tournament_referee (id, tournament_id, user_id) values ($1, $2, $3)', [
      `r-${name}`,
      'demo-tournament',
      `u-${name}`,
    ]);

  const first = await pass(app.origin);
  const child = spawn(process.execPath, ['examples/follow.js', `http://127.0.0.1:${port}`]);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const said = () => output;
  await expect.poll(said, { timeout: 20_000 }).toMatch(/^Austin Open: 25 teams, \d+ referees\n/);
  await assign('Before');
  await expect.poll(said, { timeout: 20_000 }).toContain('Before');

  first.close();
  for (const socket of sockets) socket.destroy();
  await assign('Meanwhile');
  await assign('Then');
  // Another process, which knows nothing of those who were connected to the first.
  const restarted = await secondProcess(app);
  const second = await pass(restarted.origin);
  onTestFinished(() => {
    child.kill();
    second.close();
    for (const socket of sockets) socket.destroy();
    return restarted.close();
  });
  await expect.poll(said, { timeout: 20_000 }).toContain('Then');
  await assign('After');
  await expect.poll(said, { timeout: 20_000 }).toContain('After');
  expect([...output.matchAll(/^CREATED: (\w+)$/gm)].map(([, name]) => name)).toEqual(lastNames);
  expect(output).toMatch(/^(?:demo-match: |game \d of demo-match: )/m);

  const closed = once(child, 'close');
  child.kill('SIGINT');
  expect(await closed).toEqual([0, null]);
}, 60_000);

describe('the page', () => {
  let browser: Browser | null = null;
  let page: Page;
  let stop: () => void = () => undefined;
  const complaints: string[] = [];
  const strangers: string[] = [];
  beforeAll(async () => {
    browser = await browserOrNone();
    if (!browser) return;
    const server = spawn(process.execPath, ['examples/serve.js'], { env: { PORT: '0' } });
    stop = () => server.kill();
    const [said] = await once(server.stdout, 'data');
    const [address = ''] = /http:\S+/.exec(String(said)) ?? [];
    page = await browser.newPage({ viewport: { width: 390, height: 800 } });
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('request', (request) => {
      if (![address, app.origin].some((known) => request.url().startsWith(known))) strangers.push(request.url());
    });
    await page.goto(`${address}/?service=${app.origin}`);
  });
  afterAll(async () => {
    stop();
    await browser?.close();
  });

  const said = () => page.getByRole('status').last().textContent();
  const teams = async () => Number(/(\d+) teams have/.exec((await page.locator('#counts').textContent()) ?? '')?.[1]);

  test('counts, searches, asks to sign in, enters, and counts one more', async ({ skip }) => {
    if (!browser) skip('there is no Chromium here, in which the page could be seen');
    await expect.poll(teams).toBeGreaterThan(7000);
    await page.getByRole('button', { name: 'Search' }).click();
    await expect.poll(said).toMatch(/^\d+ tournaments take registrations here\.$/);
    expect(await page.getByRole('list', { name: 'Tournaments' }).locator('> li').count()).toBe(5);

    // Maya plays in events for women and for pairs of both.
    const doubles = page
      .getByRole('listitem')
      .filter({ hasText: /^(Mixed|Women's) Doubles \d/ })
      .first();
    const enter = async () => {
      await doubles.getByLabel('E-mail address of your partner').fill('friend@example.com');
      await doubles.getByRole('button').click();
    };
    await enter();
    await expect.poll(said).toBe('Please sign in first.');

    await page.getByLabel('Password').fill('not this one');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expect.poll(said).toBe('This is not the right password.');
    await page.getByLabel('Password').fill('courtside-demo');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('You are signed in as Maya.').waitFor();
    await expect.poll(said).toMatch(/take registrations here/);

    const before = await teams();
    await enter();
    await expect.poll(said).toMatch(/^You play .+\.$/);
    await expect.poll(teams).toBe(before + 1);
    expect([complaints, strangers]).toEqual([[], []]);
  });
});

test('the server of the page gives files of the page and of the SDK, and nothing else', async () => {
  const server = spawn(process.execPath, ['examples/serve.js'], { env: { PORT: '0' } });
  onTestFinished(() => void server.kill());
  const [said] = await once(server.stdout, 'data');
  const [address = ''] = /http:\S+/.exec(String(said)) ?? [];
  const paths = ['/', '/page.js', '/sdk/index.js', '/serve.js', '/%', '/..%2fserve.js', '/sdk/package.json', '//'];
  const statuses = await Promise.all(paths.map(async (path) => (await fetch(address + path)).status));
  expect(statuses).toEqual([200, 200, 200, 404, 404, 404, 404, 200]);
});

test('examples/README.md names the files and commands that are there', () => {
  const text = readFileSync('examples/README.md', 'utf8');
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
  const files = [...text.matchAll(/(?:node |`)(examples\/[\w/.]+|\w+\.js|page\/[\w.]*)/g)].map(([, name = '']) =>
    name.replace(/^examples\//, ''),
  );
  expect(files.length).toBeGreaterThan(3);
  expect(files.filter((name) => !existsSync(`examples/${name}`))).toEqual([]);
  const named = [...text.matchAll(/npm run ([a-z]+)/g)].map(([, name = '']) => name);
  expect(named.filter((name) => !(name in scripts))).toEqual([]);
});
