import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readableRoutes } from '../../../compat/import/readable-routes.js';
import { graphOfModules } from '../../../src/graphql/graph.js';
import { download } from '../../../src/transfer/download/download.js';
import { type ImportedFile, importRecords } from '../../../src/transfer/records/import-records.js';
import { startApp, type TestApp } from '../../support/servers/app.js';
import { startTrimmedSeason } from '../../support/servers/season.js';

let old: TestApp;
let target: TestApp;
let files: ImportedFile[];
let directory: string;
beforeAll(async () => {
  old = await startTrimmedSeason();
  target = await startApp();
  directory = await mkdtemp(join(tmpdir(), 'import-from-'));
  await download({ url: `${old.origin}/v1`, token: old.platform.platform }, directory);
  files = await importRecords(target.databaseUrl, directory, { acceptsMissingReferences: true });
}, 120_000);
afterAll(async () => {
  await old.close();
  await target.close();
});

const read = async (app: TestApp, path: string) => (await app.rest('GET', path, app.platform)).body;

test('the import refuses no row', async () => {
  const refused = files.filter(({ refusedRows }) => refusedRows > 0).map(({ file }) => file);
  expect(refused.length ? await readFile(join(directory, 'refused.ndjson'), 'utf8') : '').toBe('');
});

test('the lists of the new server equal those of the old one', async () => {
  const differing: Record<string, unknown> = {};
  for (const { path } of readableRoutes(graphOfModules()).lists) {
    const query = `/v1${path}?page_size=1000`;
    const [before, after] = [await read(old, query), await read(target, query)];
    differing[path] = differenceOf(before, after);
  }
  expect(Object.fromEntries(Object.entries(differing).filter(([, difference]) => difference !== null))).toEqual({
    // The old interface returns neither the waiting lists of games nor complete tokens.
    '/data/game_scheduler': expect.stringContaining('waitlistCount'),
    '/data/lookup_platforms': expect.stringContaining('"apiKey"'),
  });
});

/** Describes the first difference between two values. Null if they are equal. */
function differenceOf(before: unknown, after: unknown, path = ''): string | null {
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length)
    return before.map((item, index) => differenceOf(item, after[index], `${path}[]`)).find((text) => text !== null) ?? null;
  if (isObject(before) && isObject(after)) {
    const differences = Object.keys({ ...before, ...after }).map((key) =>
      differenceOf(before[key], after[key], `${path}.${key}`),
    );
    return differences.find((text) => text !== null) ?? null;
  }
  const texts = [before, after].map((value) => JSON.stringify(value)?.slice(0, 100));
  return texts[0] === texts[1] ? null : `${path}: ${texts.join(' ≠ ')}`;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
