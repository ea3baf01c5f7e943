import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { importRecords } from '../../../src/transfer/records/import-records.js';
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

/** Imports lines of a file. Returns the result, the IDs of the written rows, and the refused rows. */
async function importLines(table: string, extension: 'ndjson' | 'csv', lines: readonly string[]) {
  const directory = join(await scratchDirectory(), 'records');
  await mkdir(directory);
  await writeFile(join(directory, `${table}.${extension}`), lines.join('\n'));
  const [result] = await importRecords(database.url, directory);
  const refused = (await readFile(join(directory, 'refused.ndjson'), 'utf8')).trimEnd().split('\n');
  const { rows } = await client.query(`select id from ${table} where id like '${extension}-%' order by id`);
  return { result, written: rows.map(({ id }) => id), refused: refused.map((line) => JSON.parse(line)) };
}

test('an import refuses a value that is too long for an index, and writes the other rows', async () => {
  // PostgreSQL reports a different error for index entries of more than 8,191 bytes.
  const titles = ['Short', randomBytes(2500).toString('hex'), 'Other', randomBytes(5000).toString('hex')];
  const lines = titles.map((title, index) => JSON.stringify({ id: `ndjson-${index}`, title }));
  expect(await importLines('platform', 'ndjson', lines)).toEqual({
    result: expect.objectContaining({ readRows: 4, writtenRows: 2, refusedRows: 2 }),
    written: ['ndjson-0', 'ndjson-2'],
    refused: [2, 4].map((line) => ({
      file: 'platform.ndjson',
      line,
      id: null,
      column: '',
      expected: 'a row within the limits of PostgreSQL, such as the length of an indexed value (error 54000)',
    })),
  });
});

const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
const entry = {
  record_type: 'User',
  record_key: 'ana',
  action: 'CREATED',
  source: 'SERVICE',
  created_at: '2020-01-01T00:00:00Z',
};

test.each(['ndjson', 'csv'] as const)(
  'an import of %s refuses JSON with too many levels, and writes the other rows',
  async (extension) => {
    const lines = [3, 100, 103, 100_000].map((levels, index) => {
      const changes = `[{"field":"a","before":${nested(levels - 2)}}]`;
      const id = `${extension}-${index}`;
      return extension === 'csv'
        ? `${id},${Object.values(entry).join()},"${changes.replaceAll('"', '""')}"`
        : `${JSON.stringify({ id, ...entry }).slice(0, -1)},"changes":${changes}}`;
    });
    if (extension === 'csv') lines.unshift(['id', ...Object.keys(entry), 'changes'].join());
    const firstLine = extension === 'csv' ? 2 : 1;
    const refusedRow = (index: number) => ({
      file: `audit_entry.${extension}`,
      line: firstLine + index,
      id: `${extension}-${index}`,
      column: 'changes',
      expected: 'in `before`: a JSON value with at most 100 nesting levels',
    });
    expect(await importLines('audit_entry', extension, lines)).toEqual({
      result: expect.objectContaining({ readRows: 4, writtenRows: 2, refusedRows: 2 }),
      written: [`${extension}-0`, `${extension}-1`],
      refused: [refusedRow(2), refusedRow(3)],
    });
  },
);
