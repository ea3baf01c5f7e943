import { copyFile, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { exportToDirectory } from '../../../src/commands/export.js';
import { exportDatabase } from '../../../src/transfer/export-database.js';
import { importDatabase } from '../../../src/transfer/import-database.js';
import type { ExportManifest } from '../../../src/transfer/manifest.js';
import { hashFile } from '../../../src/transfer/row-files.js';
import { transferredTables } from '../../../src/transfer/tables.js';
import { contentOf } from '../../support/checks/database-content.js';
import { ownedDatabase } from '../../support/servers/owned-database.js';
import { scratchDirectory } from '../../support/servers/service-process.js';
import { type Database, freshDatabase } from '../../support/servers/test-database.js';

/** Rows with values that a conversion could change. */
const rows = `
  insert into tournament (id, title, registration_fee, starts_at)
    select 't' || n, 'Cup ' || n, n * 1.50, timestamptz '2026-05-01 12:00:00.123456+02' from generate_series(1, 700) n;
  insert into tournament (id, title, registration_fee, starts_at) values
    ('special', E'"quoted" \\\\ back\\nslash\\r\\t\\u2028 \\U0001F3BE \\u0001', 12345678901234567890.10, '-infinity'),
    ('empty', '', 0.00, null);
  insert into app_user (id, email, role_ids) values ('ana', 'Ana@example.com', array['null', '', 'a,b', '"', E'\\\\']);
  insert into payment (id, amount) values ('p1', 12.50);
  insert into webhook_position (webhook_id, log, position) values ('w1', 'abcdefgh', 9007199254740993);
  insert into idempotent_response (id, fingerprint, attempt_id, leased_until, response)
    values ('\\x00ff0a', '\\x', gen_random_uuid(), now(), decode(repeat('0a5c22', 700000), 'hex'));
  insert into jobs.job (name, data) values ('mail', '{"to": "ana@example.com", "size": 1.10, "id": 12345678901234567890}');
  select setval('change_position', 12345)`;

let source: Database;
let client: Client;
let directory: string;
const openDatabases: Database[] = [];
beforeAll(async () => {
  source = await freshDatabase();
  client = new Client({ connectionString: source.url });
  await client.connect();
  await client.query(rows);
  directory = join(await scratchDirectory(), 'export');
  await exportDatabase(source.url, directory);
});
afterAll(async () => {
  await client?.end();
  for (const database of [source, ...openDatabases]) await database?.drop();
});

const newDatabase = async (): Promise<Database> => {
  const database = await ownedDatabase();
  openDatabases.push(database);
  return database;
};

interface Copy {
  readonly directory: string;
  readonly manifest: ExportManifest;
}

/** Copies the export, applies a change, and returns the directory of the copy. */
async function copyOfExport(change: (copy: Copy) => unknown): Promise<string> {
  const copy = await scratchDirectory();
  for (const name of await readdir(directory)) await copyFile(join(directory, name), join(copy, name));
  const manifest: ExportManifest = JSON.parse(await readFile(join(copy, 'manifest.json'), 'utf8'));
  await change({ directory: copy, manifest });
  await writeFile(join(copy, 'manifest.json'), JSON.stringify(manifest));
  return copy;
}

const entryOf = ({ manifest }: Copy, table: string) =>
  manifest.tables.find((each) => each.table === table) ?? expect.fail(`${table} is not in the manifest`);

test('a transfer contains all tables, except migration tables and the tables for statistics and unused features of pg-boss', async () => {
  const { rows } = await client.query(
    `select oid::regclass::text as name from pg_class
     where relkind in ('r', 'p') and not relispartition and relnamespace in ('public'::regnamespace, 'jobs'::regnamespace)`,
  );
  expect(
    rows
      .map(({ name }) => name)
      .filter((name) => !transferredTables.includes(name))
      .sort(),
  ).toEqual([
    'executed_migration',
    'jobs.bam',
    'jobs.job_dependency',
    'jobs.queue_stats',
    'jobs.subscription',
    'jobs.version',
    'jobs.warning',
    'mikro_orm_migrations',
  ]);
});

test('only the owner can read an export', async () => {
  const modeOf = async (path: string) => (await stat(path)).mode & 0o777;
  const fileModes = await Promise.all((await readdir(directory)).map((name) => modeOf(join(directory, name))));
  expect({ directory: await modeOf(directory), files: [...new Set(fileModes)] }).toEqual({ directory: 0o700, files: [0o600] });
});

test('an unprivileged owner imports all rows, sequences and settings of triggers unchanged', async () => {
  const target = await newDatabase();
  const reported = new Map<string, number>();
  const count = await importDatabase(target.url, directory, (table, rows) => reported.set(table, rows));
  expect(await contentOf(target.url)).toEqual(await contentOf(source.url));
  expect({ tournaments: reported.get('tournament'), jobs: reported.get('jobs.job'), hasAll: count > 700 }).toEqual({
    tournaments: 702,
    jobs: 1,
    hasAll: true,
  });
}, 60_000);

test('an import replaces the lookup data of a first start', async () => {
  const started = await freshDatabase();
  openDatabases.push(started);
  await importDatabase(started.url, directory);
  expect(await contentOf(started.url)).toEqual(await contentOf(source.url));
}, 60_000);

test('an import rejects a database with other rows, and changes nothing', async () => {
  const before = await contentOf(source.url);
  await expect(importDatabase(source.url, directory)).rejects.toThrow(
    'The database is not empty: the table app_user has 1 row. Set DATABASE_URL or DATA_DIR to a new database.',
  );
  expect(await contentOf(source.url)).toEqual(before);
});

test.each<[name: string, change: (copy: Copy) => unknown, message: RegExp]>([
  [
    'another release',
    ({ manifest }) => Object.assign(manifest, { release: '0.0.9' }),
    /^Release 0\.0\.9 wrote the export in .*, but this is release \d+\.\d+\.\d+: import it with release 0\.0\.9, and upgrade the database afterwards\.$/,
  ],
  [
    'an invalid manifest',
    ({ manifest }) => Object.assign(manifest, { sequences: 1 }),
    /manifest\.json is invalid: .* expected array, received number/,
  ],
  [
    'a changed file',
    (copy) => writeFile(join(copy.directory, 'payment.ndjson'), '{}\n'),
    /payment\.ndjson was changed after the export: its SHA-256 is \w{64}, but the manifest has \w{64}\.$/,
  ],
  [
    'a missing file',
    (copy) => rm(join(copy.directory, 'payment.ndjson')),
    /payment\.ndjson cannot be read, but the manifest lists it\.$/,
  ],
  [
    'other columns',
    (copy) => entryOf(copy, 'payment').columns.pop(),
    /^The export and the database have different tables or columns \(payment\): import with the version of the service that wrote the export\.$/,
  ],
  [
    'an invalid row',
    async (copy) => {
      const path = join(copy.directory, 'webhook_position.ndjson');
      await writeFile(path, '{"webhook_id":"w1","log":null,"position":1}\n');
      Object.assign(entryOf(copy, 'webhook_position'), { sha256: await hashFile(path) });
    },
    /^webhook_position\.ndjson: null value in column "log"/,
  ],
  [
    'a wrong number of rows',
    (copy) => Object.assign(entryOf(copy, 'jobs.job'), { rows: 2 }),
    /^jobs\.job has 1 row after the import, but the manifest has 2\.$/,
  ],
])('an import rejects an export with %s, and changes nothing', async (_, change, message) => {
  const target = await freshDatabase();
  openDatabases.push(target);
  const before = await contentOf(target.url);
  await expect(importDatabase(target.url, await copyOfExport(change))).rejects.toThrow(message);
  expect(await contentOf(target.url)).toEqual(before);
});

test('an import rejects a directory without a manifest, which an interrupted export leaves', async () => {
  const incomplete = await scratchDirectory();
  await expect(importDatabase(source.url, incomplete)).rejects.toThrow(
    `${incomplete}/manifest.json cannot be read: expected a directory with a complete export.`,
  );
});

test('an export rejects a directory with files, and keeps them', async () => {
  const names = await readdir(directory);
  await expect(exportDatabase(source.url, directory)).rejects.toThrow(
    `${directory} is not empty: expected a directory that is empty or does not exist.`,
  );
  expect(await readdir(directory)).toEqual(names);
});

test('an export rejects a database that a newer release has migrated, and deletes its files', async () => {
  const newer = await freshDatabase();
  openDatabases.push(newer);
  const administrator = new Client({ connectionString: newer.url });
  await administrator.connect();
  await administrator.query(`insert into executed_migration (name, oldest_release) values ('Migration9999Later', '0.1.0')`);
  await administrator.end();
  const target = join(await scratchDirectory(), 'export');
  await expect(exportDatabase(newer.url, target)).rejects.toThrow(
    'A newer release has run the migrations Migration9999Later: export the database with that release.',
  );
  expect(await readdir(target)).toEqual([]);
});

test('an export of a database without migrations names a few missing ones, and deletes only directories that it has created', async () => {
  const [empty, existing] = [await newDatabase(), await scratchDirectory()];
  const message =
    /^The database lacks \d+ migrations and \d+ tables \(\w+, \w+, \w+, …\): start the service once to create them\.$/;
  for (const target of [existing, join(existing, 'new', 'export')])
    await expect(exportToDirectory(empty.url, target, {})).rejects.toThrow(message);
  expect(await readdir(existing)).toEqual([]);
});
