import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { exportDatabase } from '../../../src/transfer/export-database.js';
import { importRecords } from '../../../src/transfer/records/import-records.js';
import { directoryWith, refusedIn } from '../../support/fixtures/record-files.js';
import { scratchDirectory } from '../../support/servers/service-process.js';
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

async function importFormats(...lines: readonly string[]) {
  const directory = await directoryWith({
    'format.csv': ['id,title,display_order,is_enabled,abbreviation,inserted_at', ...lines].join('\n'),
  });
  const [result] = await importRecords(database.url, directory);
  const refused = result?.refusedRows ? await refusedIn(directory) : [];
  const { rows } = await client.query(`select id, title from format where id in ('1', '2', 'own') order by id`);
  return { written: result?.writtenRows, equal: result?.equalRows, refused, formats: rows };
}

test('an import refuses changes to the lookup data of the release, and accepts rows with other IDs', async () => {
  const { rows } = await client.query(`select title, display_order, abbreviation from format where id = '2'`);
  const [{ title, display_order, abbreviation }] = rows;
  const stored = { id: '2', title };
  const { rows: before } = await client.query(`select id, title from format where id = '1'`);
  const lines = ['1,My Format,1,true,MF,', `2,${title},${display_order},true,${abbreviation},2020-01-01`];
  const refused = [
    {
      file: 'format.csv',
      line: 2,
      id: '1',
      column: 'title',
      expected: 'the value from the lookup data of this release (the service loads lookup data automatically)',
    },
  ];
  expect({
    first: await importFormats(...lines, 'own,Own Format,9,true,OF,'),
    repeated: await importFormats(...lines, 'own,Own Format,9,true,OF,'),
    changed: await importFormats('own,Renamed Format,9,true,OF,'),
  }).toEqual({
    first: { written: 2, equal: 0, refused, formats: [...before, stored, { id: 'own', title: 'Own Format' }] },
    repeated: { written: 0, equal: 2, refused, formats: [...before, stored, { id: 'own', title: 'Own Format' }] },
    changed: { written: 1, equal: 0, refused: [], formats: [...before, stored, { id: 'own', title: 'Renamed Format' }] },
  });
});

test('an import accepts the lookup data of an export of the same release', async () => {
  const source = await freshDatabase();
  const directory = join(await scratchDirectory(), 'export');
  await exportDatabase(source.url, directory, { records: { since: null } });
  await source.drop();
  const results = await importRecords(database.url, directory);
  expect(results.filter(({ refusedRows }) => refusedRows > 0)).toEqual([]);
});
