import { afterAll, beforeAll, expect, test } from 'vitest';
import { findRecord } from '../../../src/kernel/declare/meta.js';
import { type DictionaryTable, dictionary } from '../../../src/transfer/dictionary/dictionary.js';
import { importedColumnsOf } from '../../../src/transfer/records/column-parser.js';
import { importRecords } from '../../../src/transfer/records/import-records.js';
import { recordTables } from '../../../src/transfer/tables.js';
import { bcryptHash, directoryWith } from '../../support/fixtures/record-files.js';
import { type Database, freshDatabase } from '../../support/servers/test-database.js';

let database: Database;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database?.drop());

/** Values of all types and formats. Each column accepts some of them. */
const valuesOf = (number: number): unknown[] => [
  ...[`text ${number}`, `ana${number}@example.com`, `https://example.com/${number}`, 'Europe/Berlin', '12.50', '+12025550123'],
  ...[bcryptHash, String(number).repeat(64), '2027-05-01T10:11:12.345678Z', '2027-05-02', ''],
  ...[number, 0, 0.5, true, false, ['item'], [], {}],
];

const rowCount = 8;

/** Returns rows with values of all columns of a table. Values of unique columns differ. References refer to rows of the import. */
function rowsOf({ record, columns }: DictionaryTable): object[] {
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

test('a repeated import of arbitrary values of all columns of all tables writes nothing', async () => {
  const files = Object.fromEntries(dictionary().map((table) => [`${table.table}.ndjson`, rowsOf(table)]));
  const importAll = async () => {
    const results = await importRecords(database.url, await directoryWith(files), { acceptsMissingReferences: true });
    return results.map(({ table, writtenRows, equalRows }) => `${table}: ${writtenRows} written, ${equalRows} equal`).sort();
  };
  const resultsWith = (counts: string) => recordTables.map((table) => `${table}: ${counts}`).sort();
  expect({ first: await importAll(), repeated: await importAll() }).toEqual({
    first: resultsWith(`${rowCount} written, 0 equal`),
    repeated: resultsWith(`0 written, ${rowCount} equal`),
  });
});
