import { execFile } from 'node:child_process';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { entriesOf as entriesOfRoutes } from '../../compat/engine/index.js';
import { legacyRoutes } from '../../compat/index.js';
import { operationName } from '../../compat/reference/names.js';
import { hashPassword } from '../../src/modules/accounts/password.js';
import { startApp, type TestApp } from '../support/app.js';
import { entriesOf } from '../support/entries.js';
import { newKey } from '../support/keys.js';
import { complaintsAbout, installSdk } from '../support/sdk.js';
import { scratchDirectory } from '../support/service.js';

let app: TestApp;
let directory: string;
let eventId: string;
const password = 'correct horse';
const entries = entriesOf(() => app);
beforeAll(async () => {
  [app, directory] = await Promise.all([startApp(), scratchDirectory()]);
  await installSdk(directory);
  writeFileSync(join(directory, 'package.json'), '{ "type": "module" }');
  const austin = { location: { city: 'Austin', latitude: 30.27, longitude: -97.74 } };
  eventId = await entries.open({}, austin);
  for (let count = 0; count < 4; count += 1) await entries.open();
  const { id } = await app.person({ email: 'maya@example.com', firstName: 'Maya' });
  await app.sql.rows('update app_user set password_hash = $2 where id = $1', [id, await hashPassword(password)]);
}, 120_000);
afterAll(() => app.close());

interface Sampled {
  operationId: string;
  'x-codeSamples': { lang: string; source: string }[];
}

/** What a program that uses the SDK prints, as Node runs it from its directory. */
async function printed(file: string, args: readonly string[]) {
  const { stdout } = await promisify(execFile)(process.execPath, [join(directory, file), ...args], { cwd: directory });
  return JSON.parse(stdout);
}

describe('a frontend', () => {
  beforeAll(() => copyFileSync('test/sdk/consumers/frontend.ts', join(directory, 'frontend.ts')));

  test('compiles under --strict, and what is wrong in it does not', () =>
    expect(complaintsAbout(directory, 'frontend.ts', { dom: true })).toBe(''));

  test('searches, signs in, enters an event once, turns pages and goes on with what was not refused', async () => {
    const { key } = await newKey(app);
    expect(await printed('frontend.ts', [app.origin, key, 'maya@example.com', password, eventId])).toEqual({
      found: { total: 1, city: 'Austin', near: true },
      refused: ['sign in first', 'wrong', expect.stringContaining('near.latitude')],
      name: 'Maya',
      entered: 'Doubles',
      same: true,
      twice: 'CONFLICT',
      pages: [2, 2, 1],
      partly: [5, null, []],
    });
  });
});

describe('a platform', () => {
  beforeAll(() => copyFileSync('test/sdk/consumers/platform.ts', join(directory, 'platform.ts')));

  test('compiles under --strict, and what is wrong in it does not', () =>
    expect(complaintsAbout(directory, 'platform.ts', { dom: false })).toBe(''));

  test('calls /v1 by the names of the reference, hears what is wrong, sees the same in the graph, and what becomes of it', async () => {
    const { id } = await app.person({ email: 'ned@example.com' });
    expect(await printed('platform.ts', [app.origin, app.platform.platform, eventId, id])).toEqual({
      team: [4, true],
      total: '2',
      changed: 2,
      refused: [
        '404: there is no such record',
        '400: page_size: expected a whole number of at least 0',
        '401: expected a token in the header PB-API-TOKEN or PB-USER-TOKEN',
      ],
      seen: { seed: 2, event: { title: 'Doubles' } },
      saved: 7,
      wrongValue: [{ field: 'first', expected: expect.any(String) }],
      live: [
        ['CHANGED', 8],
        ['CHANGED', 9],
      ],
      gone: {},
    });
  });
});

test('the package has a method for each operation, and depends on nothing', async () => {
  const { v1Client } = await import(join(directory, 'node_modules/courtside-sdk/v1.js'));
  expect(Object.keys(v1Client({ origin: app.origin })).sort()).toEqual(
    entriesOfRoutes(legacyRoutes)
      .map(({ method, path }) => operationName(method, path))
      .sort(),
  );
  const manifest = JSON.parse(readFileSync(join(directory, 'node_modules/courtside-sdk/package.json'), 'utf8'));
  expect([manifest.dependencies, manifest.peerDependencies]).toEqual([undefined, undefined]);
});

test('the page of the package says how it is used, and leads to nothing that is not in it', () => {
  const page = readFileSync(join(directory, 'node_modules/courtside-sdk/README.md'), 'utf8');
  expect(page).toContain("from 'courtside-sdk/v1'");
  expect(page).not.toMatch(/npm run|\]\((?!https:)/);
});

test('the TypeScript samples of the reference compile', async () => {
  const { paths } = await (await fetch(`${app.origin}/openapi.json`)).json();
  const operations: Sampled[] = Object.values<Record<string, Sampled>>(paths).flatMap((methods) => Object.values(methods));
  const samples = operations.map(({ operationId, ...each }) => {
    const source = each['x-codeSamples'].find(({ lang }) => lang === 'TypeScript')?.source ?? '';
    return `export async function ${operationId}() {\n${source.replace(/^import .*/, '')}\nreturn answer;\n}`;
  });
  expect(samples.length).toBe(entriesOfRoutes(legacyRoutes).length);
  const begin =
    'import { v1Client } from "courtside-sdk/v1";\ndeclare const platformToken: string;\ndeclare const userToken: string;';
  writeFileSync(join(directory, 'samples.ts'), [begin, ...samples].join('\n'));
  expect(complaintsAbout(directory, 'samples.ts', { dom: false })).toBe('');
});

test('the programs of docs/sdk.md compile', () => {
  const blocks = [...readFileSync('docs/sdk.md', 'utf8').matchAll(/```ts\n(.*?)```/gs)].map(([, text = '']) => text);
  expect(blocks.length).toBe(3);
  for (const [index, text] of blocks.entries()) {
    writeFileSync(join(directory, `docs-${index}.ts`), text);
    expect(complaintsAbout(directory, `docs-${index}.ts`, { dom: true })).toBe('');
  }
});
