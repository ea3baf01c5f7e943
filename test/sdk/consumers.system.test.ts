import { execFile } from 'node:child_process';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { entriesOf as entriesOfRoutes } from '../../compat/engine/index.js';
import { legacyRoutes } from '../../compat/index.js';
import { operationName } from '../../compat/reference/names.js';
import { installSdk, linkPackages, typeErrorsIn } from '../support/clients/sdk-package.js';
import { missingTool, toolPath } from '../support/clients/tools.js';
import { entriesOf } from '../support/fixtures/event-registrations.js';
import { passwordHash } from '../support/fixtures/passwords.js';
import { newKey } from '../support/fixtures/publishable-keys.js';
import { requires } from '../support/prerequisites.js';
import { startApp, type TestApp } from '../support/servers/app.js';
import { scratchDirectory } from '../support/servers/service-process.js';

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
  await app.sql.rows('update app_user set password_hash = $2 where id = $1', [id, await passwordHash(password)]);
}, 120_000);
afterAll(() => app.close());

interface OperationWithSamples {
  operationId: string;
  'x-codeSamples': { lang: string; source: string }[];
}

/** Runs a program in the directory into which the SDK is installed. Returns the parsed JSON output. */
async function outputOf(file: string, args: readonly string[]) {
  const { stdout } = await promisify(execFile)(process.execPath, [join(directory, file), ...args], { cwd: directory });
  return JSON.parse(stdout);
}

describe('a frontend', () => {
  beforeAll(() => copyFileSync('test/sdk/consumers/frontend.ts', join(directory, 'frontend.ts')));

  test('compiles under --strict, and each line marked as wrong does not', () =>
    expect(typeErrorsIn(directory, 'frontend.ts', { dom: true })).toBe(''));

  test('searches, signs in, registers a team once, reads all pages and a partial result', async () => {
    const { key } = await newKey(app);
    expect(await outputOf('frontend.ts', [app.origin, key, 'maya@example.com', password, eventId])).toEqual({
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

  test('compiles under --strict, and each line marked as wrong does not', () =>
    expect(typeErrorsIn(directory, 'platform.ts', { dom: false })).toBe(''));

  test('calls /v1 by the operation IDs of the reference, gets errors, and reads and follows the same records in the graph', async () => {
    const { id } = await app.person({ email: 'ned@example.com' });
    expect(await outputOf('platform.ts', [app.origin, app.platform.platform, eventId, id])).toEqual({
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

test('the package has a method for each /v1 operation', async () => {
  const { createV1Client } = await import(join(directory, 'node_modules/courtside-sdk/v1.js'));
  expect(Object.keys(createV1Client({ origin: app.origin })).sort()).toEqual(
    entriesOfRoutes(legacyRoutes)
      .map(({ method, path }) => operationName(method, path))
      .sort(),
  );
});

test('the package has no dependencies', () => {
  const manifest = JSON.parse(readFileSync(join(directory, 'node_modules/courtside-sdk/package.json'), 'utf8'));
  expect(manifest.dependencies).toBeUndefined();
  expect(manifest.peerDependencies).toBeUndefined();
});

test('the README of the package has usage examples, and no link or command that works only in the repository', () => {
  const readme = readFileSync(join(directory, 'node_modules/courtside-sdk/README.md'), 'utf8');
  expect(readme).toContain("from 'courtside-sdk/v1'");
  expect(readme).not.toMatch(/npm run|\]\((?!https:|#)/);
});

test('the TypeScript samples of the reference compile', async () => {
  const { paths } = await (await fetch(`${app.origin}/openapi.json`)).json();
  const operations: OperationWithSamples[] = Object.values<Record<string, OperationWithSamples>>(paths).flatMap((methods) =>
    Object.values(methods),
  );
  const samples = operations.map(({ operationId, 'x-codeSamples': codeSamples }) => {
    const source = codeSamples.find(({ lang }) => lang === 'TypeScript')?.source ?? '';
    return `export async function ${operationId}() {\n${source.replace(/^import .*/, '')}\nreturn result;\n}`;
  });
  expect(samples.length).toBe(entriesOfRoutes(legacyRoutes).length);
  const header =
    'import { createV1Client } from "courtside-sdk/v1";\ndeclare const platformToken: string;\ndeclare const userToken: string;';
  writeFileSync(join(directory, 'samples.ts'), [header, ...samples].join('\n'));
  expect(typeErrorsIn(directory, 'samples.ts', { dom: false })).toBe('');
});

test('the programs of docs/sdk.md compile', requires(missingTool('relay-runtime')), () => {
  const blocks = [...readFileSync('docs/sdk.md', 'utf8').matchAll(/```ts\n(.*?)```/gs)].map(([, text = '']) => text);
  expect(blocks.length).toBe(6);
  const packages = ['@apollo/client', '@urql/core', '@urql/exchange-graphcache'].map((name) => join('node_modules', name));
  linkPackages(directory, [...packages, toolPath('relay-runtime', '')]);
  for (const [index, text] of blocks.entries()) {
    writeFileSync(join(directory, `docs-${index}.ts`), text);
    expect(typeErrorsIn(directory, `docs-${index}.ts`, { dom: true, skipLibCheck: text.includes('/caches') })).toBe('');
  }
});
