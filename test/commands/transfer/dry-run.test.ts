import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { command } from '../../../src/commands/import.js';
import { importRecords } from '../../../src/transfer/records/import-records.js';
import { contentOf } from '../../support/checks/database-content.js';
import { scratchDirectory } from '../../support/servers/service-process.js';
import { type Database, emptyDatabase, freshDatabase } from '../../support/servers/test-database.js';

let database: Database;
let client: Client;
let directory: string;
beforeAll(async () => {
  database = await freshDatabase();
  client = new Client({ connectionString: database.url });
  await client.connect();
  directory = join(await scratchDirectory(), 'records');
  await mkdir(directory);
  await writeFile(join(directory, 'club.ndjson'), '{"id":"c1"}\n{"id":"c2","title":1}\n');
});
afterEach(() => vi.unstubAllEnvs());
afterAll(async () => {
  await client?.end();
  await database?.drop();
});

const checkIn = ({ url }: Database) => importRecords(url, directory, { isDryRun: true });

/** Returns the names of the schemas and tables of a database. */
async function objectsOf({ url }: Database): Promise<unknown[]> {
  const other = new Client({ connectionString: url });
  await other.connect();
  const { rows } = await other.query(
    `select nspname as name from pg_namespace union all select relname from pg_class order by 1`,
  );
  await other.end();
  return rows;
}

test('a dry run in a database without migrations is rejected, and creates nothing', async () => {
  const empty = await emptyDatabase();
  const before = await objectsOf(empty);
  await expect(checkIn(empty)).rejects.toThrow(
    /^The database lacks \d+ migrations, and --dry-run does not run them: run "courtside migrate" first\.$/,
  );
  expect(await objectsOf(empty)).toEqual(before);
  await empty.drop();
});

test('a dry run in a database without lookup data is rejected, and loads none', async () => {
  const migrated = await freshDatabase();
  const owner = new Client({ connectionString: migrated.url });
  await owner.connect();
  await owner.query('truncate country cascade');
  await owner.end();
  const before = await contentOf(migrated.url);
  await expect(checkIn(migrated)).rejects.toThrow(
    'The database lacks the lookup data, and --dry-run does not load it: run "courtside migrate" first.',
  );
  expect(await contentOf(migrated.url)).toEqual(before);
  await migrated.drop();
});

test('a dry run leaves all rows and objects unchanged', async () => {
  const state = async () => ({ content: await contentOf(database.url), objects: await objectsOf(database) });
  const before = await state();
  const [result] = await checkIn(database);
  expect({ result, state: await state() }).toEqual({
    result: expect.objectContaining({ readRows: 2, refusedRows: 1 }),
    state: before,
  });
});

test('a dry run does not discard an interrupted import', async () => {
  await client.query(
    `create function interrupt() returns trigger language plpgsql as $$ begin perform pg_terminate_backend(pg_backend_pid()); end $$`,
  );
  await client.query('create trigger interrupt before insert on club execute function interrupt()');
  await expect(importRecords(database.url, directory)).rejects.toThrow();
  await client.query('drop function interrupt cascade');
  await expect(checkIn(database)).rejects.toThrow(
    'The database contains an interrupted import, which a dry run would discard: continue it with the same command without --dry-run, or run "drop schema courtside_import cascade" in the database.',
  );
  let isContinued = false;
  const [result] = await importRecords(database.url, directory, {}, { onContinue: () => (isContinued = true) });
  expect({ isContinued, result }).toEqual({
    isContinued: true,
    result: expect.objectContaining({ writtenRows: 1, refusedRows: 1 }),
  });
});

test('a dry run does not create an embedded database', async () => {
  const dataDir = join(await scratchDirectory(), 'data');
  vi.stubEnv('DATA_DIR', dataDir);
  vi.stubEnv('DATABASE_URL', '');
  await expect(command.run([directory, '--dry-run'])).rejects.toThrow(
    `There is no database in ${dataDir}: set DATA_DIR or DATABASE_URL to the database to import into, and run "courtside migrate" first.`,
  );
  expect(existsSync(dataDir)).toBe(false);
});
