import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { importRecords } from '../../../src/transfer/records/import-records.js';
import { scratchDirectory } from '../../support/servers/service-process.js';
import { freshDatabase } from '../../support/servers/test-database.js';

/** User ID of `nobody`. Root could write to read-only directories. */
const nobody = 65_534;

test('an import from a read-only directory is rejected before rows are written', async () => {
  const database = await freshDatabase();
  // The socket is in a directory that `nobody` cannot enter.
  const url = Object.assign(new URL(database.url), { search: '' }).href;
  const client = new Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end().then(() => database.drop()));
  const directory = join(await scratchDirectory(), 'records');
  await mkdir(directory);
  await writeFile(join(directory, 'club.ndjson'), '{"id":"c1"}\n{"id":"c2","title":1}\n');
  await chmod(directory, 0o555);
  const isRoot = process.getuid?.() === 0;
  if (isRoot) process.seteuid?.(nobody);
  try {
    await expect(importRecords(url, directory)).rejects.toThrow(
      `${directory} is not writable: expected a directory in which refused.ndjson can be created.`,
    );
  } finally {
    if (isRoot) process.seteuid?.(0);
    await chmod(directory, 0o755);
  }
  expect((await client.query('select id from club')).rows).toEqual([]);
});
