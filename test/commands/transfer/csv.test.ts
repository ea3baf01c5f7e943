import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { importRecords } from '../../../src/transfer/records/import-records.js';
import { directoryWith, refusedIn } from '../../support/fixtures/record-files.js';
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

const rowsOf = async (query: string): Promise<unknown[]> => (await client.query(query)).rows;

test.each([
  ['semicolons', ';'],
  ['tabs', '\t'],
])('an import accepts CSV from a spreadsheet, with %s between the fields', async (name, delimiter) => {
  const lines = [
    ['id', '"title"', 'location_city'],
    [name, '"A, ""B""; C\td"', ''],
    [`${name}2`, 'Club, 2', '"x"'],
  ];
  const content = `\ufeff${lines.map((line) => line.join(delimiter)).join('\r\n')}\r\n`;
  const [result] = await importRecords(database.url, await directoryWith({ 'club.csv': content }));
  expect({
    result,
    rows: await rowsOf(`select title, location_city as city from club where id like '${name}%' order by id`),
  }).toEqual({
    result: expect.objectContaining({ writtenRows: 2, refusedRows: 0 }),
    rows: [
      { title: 'A, "B"; C\td', city: null },
      { title: 'Club, 2', city: 'x' },
    ],
  });
});

test('an import accepts times in the format that PostgreSQL writes to CSV', async () => {
  const times = ['2019-01-02 03:04:05+00', '2019-01-02 03:04:05.25-03', '2019-01-02 03:04:05+05:30', '2019-01-02 03:04:05'];
  const lines = times.map((time, index) => `time${index},${time}\n`);
  const directory = await directoryWith({ 'club.csv': `id,created_at\n${lines.join('')}` });
  await importRecords(database.url, directory);
  expect({
    rows: await rowsOf(`select created_at from club where id like 'time%' order by id`),
    refused: await refusedIn(directory),
  }).toEqual({
    rows: ['2019-01-02T03:04:05Z', '2019-01-02T06:04:05.25Z', '2019-01-01T21:34:05Z'].map((time) => ({
      created_at: new Date(time),
    })),
    refused: [expect.objectContaining({ id: 'time3', column: 'created_at' })],
  });
});

test('an import names the line in which a field without a closing quote starts', async () => {
  const directory = await directoryWith({ 'club.csv': 'id,title\nc1,"secret\nc2,"Two"\n' });
  await expect(importRecords(database.url, directory)).rejects.toThrow(
    /club\.csv is not valid CSV: line 3 has text after the closing quote of a field, which starts in line 2\. Double each quote in a field, and close each field with a quote\.$/,
  );
});
