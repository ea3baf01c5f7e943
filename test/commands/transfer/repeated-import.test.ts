import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findRecord } from '../../../src/kernel/declare/meta.js';
import { type DictionaryTable, dictionary } from '../../../src/transfer/dictionary/dictionary.js';
import { importedColumnsOf } from '../../../src/transfer/records/column-parser.js';
import { importRecords } from '../../../src/transfer/records/import-records.js';
import type { FileRow } from '../../../src/transfer/records/record-parser.js';
import { recordTables } from '../../../src/transfer/tables.js';
import { bcryptHash, directoryWith } from '../../support/fixtures/record-files.js';
import { type Database, freshDatabase } from '../../support/servers/test-database.js';

let database: Database;
let client: Client;
beforeAll(async () => {
  database = await freshDatabase();
  client = new Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await client?.end();
  await database?.drop();
});

/** Values of all types and formats. Each column accepts some of them. */
const valuesOf = (number: number): unknown[] => [
  ...[`text ${number}`, `ana${number}@example.com`, `https://example.com/${number}`, 'Europe/Berlin', '12.50', '+12025550123'],
  ...[bcryptHash, String(number).repeat(64), '2027-05-01T10:11:12.345678Z', '2027-05-02', ''],
  ...[number, 0, 0.5, true, false, ['item'], [], {}],
];

const rowCount = 8;

/** Returns rows with values of all columns of a table. Values of unique columns differ. References refer to rows of the import. */
function rowsOf({ record, columns }: DictionaryTable): FileRow[] {
  const cls = findRecord(record);
  const parsers = new Map(cls && importedColumnsOf(cls).map(({ name, parse }) => [name, parse]));
  return Array.from({ length: rowCount }, (_, index) =>
    Object.fromEntries(
      columns.map(({ name, values, unique, reference }) => {
        const accepted = [...valuesOf(index + 1), ...(values ?? [])].filter(
          (value) => typeof parsers.get(name)?.(value) === 'string',
        );
        return [name, accepted[unique || reference ? 0 : index % accepted.length]];
      }),
    ),
  );
}

const rowsOfTables = new Map(dictionary().map((entry) => [entry, rowsOf(entry)]));

/** Imports rows of all tables. Returns, for each table, the number of rows per result. */
async function importAll(rows: (entry: DictionaryTable, allRows: readonly FileRow[]) => readonly FileRow[]): Promise<string[]> {
  const files = Object.fromEntries([...rowsOfTables].map(([entry, allRows]) => [`${entry.table}.ndjson`, rows(entry, allRows)]));
  const results = await importRecords(database.url, await directoryWith(files), { acceptsMissingReferences: true });
  return results.map(({ table, writtenRows, equalRows }) => `${table}: ${writtenRows} written, ${equalRows} equal`).sort();
}

test('a repeated import of arbitrary values of all columns of all tables writes nothing, even if a row omits keys', async () => {
  const resultsWith = (counts: string) => recordTables.map((table) => `${table}: ${counts}`).sort();
  expect({
    first: await importAll((_, rows) => rows),
    repeated: await importAll((_, rows) => rows),
    withoutKeys: await importAll(({ columns }, [row = {}, ...others]) => {
      const required = columns.filter((column) => column.required).map(({ name }) => [name, row[name]]);
      return [Object.fromEntries(required), ...others];
    }),
  }).toEqual({
    first: resultsWith(`${rowCount} written, 0 equal`),
    repeated: resultsWith(`0 written, ${rowCount} equal`),
    withoutKeys: resultsWith(`0 written, ${rowCount} equal`),
  });
});

test('a key that a row omits keeps the existing value, and gets the default in a new row', async () => {
  const importUsers = async (...users: object[]) =>
    importRecords(database.url, await directoryWith({ 'app_user.ndjson': users }));
  await importUsers({ id: 'omits1', email: 'omits1@example.com', first_name: 'Ana', shows_place: true });
  await client.query(`update app_user set updated_at = '2020-01-01Z' where id = 'omits1'`);
  const other = { id: 'omits2', email: 'omits2@example.com', updated_at: '2021-01-01T00:00:00Z' };
  await importUsers({ id: 'omits1', city: 'Austin' }, { ...other, first_name: 'Bo', shows_place: true });
  const [repeated] = await importUsers({ id: 'omits1', first_name: null, city: 'Austin' }, other, { id: 'omits3' });
  expect({
    repeated,
    users: await client
      .query(
        `select id, email, first_name, city, shows_place, updated_at > now() - interval '1 hour' as is_new from app_user where id like 'omits_' order by id`,
      )
      .then(({ rows }) => rows),
  }).toEqual({
    repeated: expect.objectContaining({ writtenRows: 2, equalRows: 1 }),
    users: [
      { id: 'omits1', email: 'omits1@example.com', first_name: null, city: 'Austin', shows_place: true, is_new: true },
      { id: 'omits2', email: 'omits2@example.com', first_name: 'Bo', city: null, shows_place: true, is_new: false },
      { id: 'omits3', email: null, first_name: null, city: null, shows_place: false, is_new: true },
    ],
  });
});
