import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { command } from '../../../src/commands/import.js';
import { exportDatabase } from '../../../src/transfer/export-database.js';
import { scratchDirectory } from '../../support/servers/service-process.js';
import { freshDatabase } from '../../support/servers/test-database.js';

afterEach(() => vi.restoreAllMocks());

async function directoryOfRecords(): Promise<string> {
  const directory = join(await scratchDirectory(), 'records');
  await mkdir(directory);
  await writeFile(join(directory, 'club.ndjson'), '{"id":"c1"}\n');
  return directory;
}

async function directoryOfExport(): Promise<string> {
  const source = await freshDatabase();
  const directory = join(await scratchDirectory(), 'export');
  await exportDatabase(source.url, directory);
  await source.drop();
  return directory;
}

test.each([
  ['records', directoryOfRecords],
  ['an export', directoryOfExport],
])('an import of %s prints that it waits for another import, and then runs', async (_, directoryOf) => {
  const [database, directory] = [await freshDatabase(), await directoryOf()];
  const other = new Client({ connectionString: database.url });
  await other.connect();
  onTestFinished(() => other.end().then(() => database.drop()));
  await other.query(`select pg_advisory_lock(hashtext('courtside import'))`);
  const lines: unknown[] = [];
  vi.spyOn(console, 'log').mockImplementation((line) => lines.push(line));
  const importing = command.run([directory, '--database-url', database.url]);
  await expect.poll(() => lines).toEqual(['Another import runs in this database. Waiting until it has finished.']);
  await other.query(`select pg_advisory_unlock(hashtext('courtside import'))`);
  expect({ code: await importing, result: lines.at(-1) }).toEqual({
    code: 0,
    result: expect.stringMatching(/^Imported \d+ rows? /),
  });
});
