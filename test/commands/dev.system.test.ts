import { readFileSync, statSync, utimesSync } from 'node:fs';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { freePort } from '../../src/process/port.js';
import { type Command, startCommand } from '../support/servers/command-process.js';
import { scratchDirectory } from '../support/servers/service-process.js';

// Long enough for three builds and starts in a row, because restoring the modification time also counts as a change.
const timeout = 60_000;
vi.setConfig({ testTimeout: 2 * timeout, hookTimeout: 3 * timeout });

let command: Command;
let origin: string;
const startCount = () => command.output().split('Courtside is up').length - 1;

beforeAll(async () => {
  const port = String(await freePort());
  origin = `http://127.0.0.1:${port}`;
  command = await startCommand(
    'dev',
    [],
    { DATA_DIR: await scratchDirectory(), PORT: port, PATH: process.env.PATH ?? '' },
    'development',
  );
  await vi.waitUntil(() => startCount() === 1, { timeout: 2 * timeout });
});
afterAll(async () => {
  command.signal('SIGINT');
  await command.exit;
});

test('npm run dev serves the demo season, the pages and caught emails', async () => {
  const headers = { 'PB-API-TOKEN': 'demo-platform-token', accept: 'text/html, application/json' };
  const status = async (path: string) => (await fetch(`${origin}${path}`, { headers })).status;
  expect({
    teams: await status('/v1/data/teams?page_size=1'),
    reference: await status('/reference'),
    graphiql: await status('/graphql'),
    mails: await status('/dev/mail.json'),
  }).toEqual({ teams: 200, reference: 200, graphiql: 200, mails: 200 });
});

/** Sets the modification time of a file to now while a function runs, and restores it afterwards, because builds compare it. */
async function withTouched(file: string, work: () => Promise<unknown>): Promise<void> {
  const { atime, mtime } = statSync(file);
  const now = new Date();
  utimesSync(file, now, now);
  try {
    await work();
  } finally {
    utimesSync(file, atime, mtime);
  }
}

test('npm run dev restarts the service on the same data when a source file changes', async () => {
  const league = { query: 'mutation { createLeague(input: { id: "kept" }) { id } }' };
  const headers = { 'content-type': 'application/json', 'PB-API-TOKEN': 'demo-platform-token' };
  const send = async (body: object) =>
    (await fetch(`${origin}/graphql`, { method: 'POST', headers, body: JSON.stringify(body) })).json();
  await send(league);
  const before = startCount();
  await withTouched('src/process/port.ts', () => expect.poll(startCount, { timeout }).toBeGreaterThan(before));
  await expect
    .poll(() => send({ query: '{ league(id: "kept") { id } }' }).catch(() => null))
    .toMatchObject({ data: { league: { id: 'kept' } } });
});

test('npm run dev restarts the service when a page asset changes', async () => {
  const before = startCount();
  await withTouched('src/pages/assets/page.css', () => expect.poll(startCount, { timeout }).toBeGreaterThan(before));
});

test('npm run dev rebuilds the console when its source changes', async () => {
  // Earlier changes can still restart the service.
  const pageText = () =>
    fetch(`${origin}/console`).then(
      (response) => response.text(),
      () => '',
    );
  const builtAt = async () => {
    const [file] = /console-[^"]+\.js/.exec(await pageText()) ?? [];
    return file === undefined ? undefined : statSync(`.dev/console/${file}`, { throwIfNoEntry: false })?.mtimeMs;
  };
  await expect.poll(builtAt, { timeout }).toBeDefined();
  const before = (await builtAt()) ?? 0;
  await withTouched('src/console/main.tsx', () => expect.poll(builtAt, { timeout }).toBeGreaterThan(before));
});

test('npm run dev writes source maps that point to the TypeScript sources', () => {
  const { sources, sourcesContent } = JSON.parse(readFileSync('.dev/src/main.js.map', 'utf8'));
  const index = sources.findIndex((source: string) => source.endsWith('src/main.ts'));
  expect({ index: index >= 0, content: sourcesContent[index] }).toEqual({
    index: true,
    content: readFileSync('src/main.ts', 'utf8'),
  });
});
