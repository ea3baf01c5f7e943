import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { exportDatabase } from '../../../src/transfer/export-database.js';
import { importRecords } from '../../../src/transfer/records/import-records.js';
import { deletedRecordTables, recordTables } from '../../../src/transfer/tables.js';
import { directoryWith, importedUsers } from '../../support/fixtures/record-files.js';
import { scratchDirectory } from '../../support/servers/service-process.js';
import { type Database, freshDatabase } from '../../support/servers/test-database.js';

let database: Database;
let client: Client;
beforeAll(async () => {
  database = await freshDatabase();
  client = new Client({ connectionString: database.url });
  await client.connect();
  await importRecords(database.url, await directoryWith({ 'app_user.ndjson': importedUsers }));
}, 60_000);
afterAll(async () => {
  await client?.end();
  await database?.drop();
});

test('an export of records contains no manifest or internal tables, and can be imported again without a change', async () => {
  const directory = join(await scratchDirectory(), 'exported');
  await exportDatabase(database.url, directory, { records: { since: null } });
  const files = await readdir(directory);
  expect(files.sort()).toEqual(
    ['dictionary.json', ...[...recordTables, ...deletedRecordTables.keys()].map((table) => `${table}.ndjson`)].sort(),
  );
  const results = await importRecords(database.url, directory, { acceptsMissingReferences: true });
  expect(results.filter(({ writtenRows, refusedRows }) => writtenRows + refusedRows > 0)).toEqual([]);
});

test('an export of changes contains the records that were created or changed since a time', async () => {
  await importRecords(
    database.url,
    await directoryWith({
      'club.ndjson': [
        { id: 'old', title: 'Old', created_at: '2020-01-01', updated_at: '2020-01-02' },
        { id: 'created', title: 'Created', created_at: '2040-01-02' },
        { id: 'changed', title: 'Changed', created_at: '2020-01-01', updated_at: '2040-01-02' },
      ],
    }),
  );
  const directory = join(await scratchDirectory(), 'changed');
  await exportDatabase(database.url, directory, { records: { since: new Date('2040-01-01') } });
  const lines = (await readFile(join(directory, 'club.ndjson'), 'utf8')).trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line).id).sort()).toEqual(['changed', 'created']);
  expect(await readFile(join(directory, 'app_user.ndjson'), 'utf8')).toBe('');
  expect(await readdir(directory)).not.toContain('country.ndjson');
});

test('an export of changes contains all rows of tables that do not record the time of a change', async () => {
  await importRecords(
    database.url,
    await directoryWith({
      'app_user.ndjson': [{ id: 'reader', created_at: '2020-01-01', updated_at: '2020-01-01' }],
      'notification.ndjson': [
        { id: 'read-later', user_id: 'reader', event: 'LEAGUE_MESSAGE', content: 'Hi', created_at: '2020-01-01' },
      ],
      'muted_notification.ndjson': [{ user_id: 'reader', type_id: '4' }],
    }),
  );
  const directory = join(await scratchDirectory(), 'changed-without-time');
  await exportDatabase(database.url, directory, { records: { since: new Date('2040-01-01') } });
  const rowsOf = async (table: string) => (await readFile(join(directory, `${table}.ndjson`), 'utf8')).trim().split('\n');
  expect({
    notifications: (await rowsOf('notification')).map((line) => JSON.parse(line).id),
    muted: (await rowsOf('muted_notification')).length,
  }).toEqual({ notifications: ['read-later'], muted: 1 });
});

test('an export of changes contains only the audit entries that were created since a time', async () => {
  await client.query(`
    insert into audit_entry (id, created_at, record_type, record_key, action, source)
    values ('earlier', '2039-12-31', 'Club', 'old', 'CHANGED', 'REQUEST'), ('later', '2040-01-02', 'Club', 'old', 'CHANGED', 'REQUEST')`);
  const directory = join(await scratchDirectory(), 'changed-audit');
  await exportDatabase(database.url, directory, { records: { since: new Date('2040-01-01') } });
  const lines = (await readFile(join(directory, 'audit_entry.ndjson'), 'utf8')).trim().split('\n');
  expect(lines.map((line) => JSON.parse(line).id)).toEqual(['later']);
});
