import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { readableRoutes } from '../../../compat/import/readable-routes.js';
import { graphOfModules } from '../../../src/graphql/graph.js';
import { downloadRecords } from '../../../src/transfer/download/download.js';
import { exportDatabase } from '../../../src/transfer/export-database.js';
import { type ImportedFile, importRecords } from '../../../src/transfer/records/import-records.js';
import { startApp, type TestApp } from '../../support/servers/app.js';
import { runCommand } from '../../support/servers/command-process.js';
import { startTrimmedSeason } from '../../support/servers/season.js';
import { scratchDirectory } from '../../support/servers/service-process.js';
import { freshDatabase } from '../../support/servers/test-database.js';

let old: TestApp;
let target: TestApp;
let files: ImportedFile[];
let directory: string;
beforeAll(async () => {
  old = await startTrimmedSeason();
  target = await startApp();
  directory = await mkdtemp(join(tmpdir(), 'import-from-'));
  await downloadRecords({ url: `${old.origin}/v1`, token: old.platform.platform }, directory);
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

test('the lists of the new server equal those of the old server', async () => {
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

test('the command reads the old server with the token in a file, and imports the records', async () => {
  const database = await freshDatabase();
  const [scratch, client] = [await scratchDirectory(), new Client({ connectionString: database.url })];
  await client.connect();
  onTestFinished(() => client.end().then(() => database.drop()));
  const [records, token] = [join(scratch, 'records'), join(scratch, 'token')];
  await writeFile(token, `${old.platform.platform}\n`);
  const importFrom = (origin: string, variables: Record<string, string>) =>
    runCommand('import', [records, '--from', `${origin}/v1/`, '--database-url', database.url], variables);
  const results = {
    withoutToken: await importFrom(old.origin, {}),
    first: await importFrom(old.origin, { IMPORT_TOKEN_FILE: token }),
    repeated: await importFrom(old.origin, { IMPORT_TOKEN_FILE: token }),
    otherServer: await importFrom('http://127.0.0.1:9', { IMPORT_TOKEN_FILE: token }),
  };
  const readRows = / into \S+records\.\n(?: +\d+ {2}\/\S+\n)+Read \d{4} rows of \d\d tables\./.source;
  const noRows = / into \S+records\.\nRead \d{4} rows of \d\d tables\./.source;
  const counts = /.*\n +read +written +equal +refused +file\n(?: +\d+ +\d+ +\d+ +0 {2}\w+\.ndjson\n)+/.source;
  const importedRows = `${counts}${/Imported \d{4} rows from \S+ in \S+ s\.(?: Skipped \d+ equal rows\.)?\n$/.source}`;
  const equalRows = `${counts}${/Imported 0 rows from \S+ in \S+ s\. Skipped \d{4} equal rows\.\n$/.source}`;
  expect(results).toEqual({
    withoutToken: {
      code: 1,
      output: 'IMPORT_TOKEN or IMPORT_TOKEN_FILE must be set: expected a platform token of the old server.\n',
    },
    first: { code: 0, output: expect.stringMatching(`^Reading ${old.origin}/v1${readRows}${importedRows}`) },
    repeated: { code: 0, output: expect.stringMatching(`^Reading ${old.origin}/v1${noRows}${equalRows}`) },
    otherServer: {
      code: 1,
      output: expect.stringContaining(
        `${records} contains data from ${old.origin}/v1: use another directory for http://127.0.0.1:9/v1.`,
      ),
    },
  });
  const { rows } = await client.query('select count(*)::int as tournaments from tournament');
  expect(rows).toEqual(await old.sql.rows('select count(*)::int as tournaments from tournament'));
}, 120_000);

test('a download keeps the values of existing rows that the old interface does not return, and a repeated download writes nothing', async () => {
  const database = await freshDatabase();
  const client = new Client({ connectionString: database.url });
  await client.connect();
  onTestFinished(() => client.end().then(() => database.drop()));
  const [records, again] = [await scratchDirectory(), await mkdtemp(join(tmpdir(), 'import-again-'))];
  await exportDatabase(old.databaseUrl, records, { records: { since: null } });
  await downloadRecords({ url: `${old.origin}/v1`, token: old.platform.platform }, again);
  const importInto = async (url: string, path: string) =>
    (await importRecords(url, path, { acceptsMissingReferences: true })).filter(({ writtenRows }) => writtenRows > 0);
  const rowsOf = async (table: string) =>
    (await client.query(`select id, to_jsonb(t) as row from ${table} t order by id`)).rows as unknown[];
  const readTables = async () => {
    const contents = new Map<string, unknown[]>();
    for (const { table } of files) contents.set(table, await rowsOf(table));
    return contents;
  };
  await importInto(database.url, records);
  const before = await readTables();
  const written = {
    afterFiles: await importInto(database.url, again),
    repeated: await importInto(target.databaseUrl, again),
  };
  const differing: Record<string, unknown> = {};
  for (const [table, rows] of await readTables()) differing[table] = differenceOf(before.get(table), rows);
  expect({ written, differing }).toEqual({
    written: { afterFiles: [], repeated: [] },
    differing: Object.fromEntries(files.map(({ table }) => [table, null])),
  });
}, 120_000);

/** Describes the first difference between two values. Null if the values are equal. */
function differenceOf(before: unknown, after: unknown, path = ''): string | null {
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length)
    return before.map((item, index) => differenceOf(item, after[index], `${path}[]`)).find((text) => text !== null) ?? null;
  if (isObject(before) && isObject(after)) {
    const differences = Object.keys({ ...before, ...after }).map((key) =>
      differenceOf(before[key], after[key], `${path}.${key}`),
    );
    return differences.find((text) => text !== null) ?? null;
  }
  const texts = [before, after].map((value) => JSON.stringify(value) ?? '');
  const [text = '', otherText = ''] = texts;
  if (text === otherText) return null;
  const start = Math.max(0, [...text].findIndex((character, index) => character !== otherText[index]) - 50);
  return `${path}: ${texts.map((json) => json.slice(start, start + 100)).join(' ≠ ')}`;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
