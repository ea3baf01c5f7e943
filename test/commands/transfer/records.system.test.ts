import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { exportDatabase } from '../../../src/transfer/export-database.js';
import { importRecords } from '../../../src/transfer/records/import-records.js';
import { recordTables } from '../../../src/transfer/tables.js';
import { demoResponses } from '../../support/checks/restored-service.js';
import type { TestApp } from '../../support/servers/app.js';
import { runCommand, startCommand } from '../../support/servers/command-process.js';
import { ownedDatabase } from '../../support/servers/owned-database.js';
import { startDemo } from '../../support/servers/season.js';
import { secondProcess } from '../../support/servers/second-app.js';
import { scratchDirectory } from '../../support/servers/service-process.js';
import { type Database, freshDatabase } from '../../support/servers/test-database.js';

let original: TestApp;
let directory: string;
/** Hashes of the rows of each table before the import. */
let content: Record<string, string>;
const targets: Database[] = [];
beforeAll(async () => {
  original = await startDemo();
  const [exported, scratch] = [join(await scratchDirectory(), 'export'), await scratchDirectory()];
  await exportDatabase(original.databaseUrl, exported);
  directory = join(scratch, 'records');
  await mkdir(directory);
  for (const table of recordTables) await copyFile(join(exported, `${table}.ndjson`), join(directory, `${table}.ndjson`));
  content = await recordsOf(original.databaseUrl);
}, 120_000);
afterAll(async () => {
  await original?.close();
  for (const target of targets) await target.drop();
});

async function newTarget(): Promise<Database> {
  const target = await ownedDatabase();
  targets.push(target);
  return target;
}

/** Returns a hash of the rows of each record. Excludes entries of the audit trail that an import and the first start add. */
async function recordsOf(url: string): Promise<Record<string, string>> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const hashes: Record<string, string> = {};
  for (const table of recordTables) {
    const condition = table === 'audit_entry' ? `where source <> 'COMMAND' and record_type <> 'Role'` : '';
    const { rows } = await client.query(
      `select count(*) || ' ' || coalesce(md5(string_agg(t::text, ' ' order by t::text)), '') as hash from ${table} t ${condition}`,
    );
    hashes[table] = rows[0]?.hash;
  }
  await client.end();
  return hashes;
}

test('exported records, imported as if they came from another system, have the same rows and responses', async () => {
  const target = await newTarget();
  const results = await importRecords(target.url, directory);
  expect(results.filter(({ refusedRows }) => refusedRows > 0)).toEqual([]);
  const teams = { table: 'team', file: 'team.ndjson', readRows: 8000, writtenRows: 8000, equalRows: 0, refusedRows: 0 };
  expect(results.find(({ table }) => table === 'team')).toEqual(teams);
  expect(await recordsOf(target.url)).toEqual(content);
  const repeated = await importRecords(target.url, directory);
  expect(repeated.filter(({ writtenRows }) => writtenRows > 0)).toEqual([]);
  const imported = await secondProcess({ databaseUrl: target.url });
  const responses = async (origin: string) =>
    Object.fromEntries(Object.entries(await demoResponses({ origin })).filter(([name]) => !name.includes('auditEntries')));
  expect(await responses(imported.origin)).toEqual(await responses(original.origin));
  await imported.close();
}, 240_000);

test('a killed import continues with the same command and has the same result', async () => {
  const target = await newTarget();
  const killed = await startCommand('import', [directory, '--database-url', target.url]);
  const client = new Client({ connectionString: target.url });
  await client.connect();
  const writtenBatches = async () => {
    const { rows } = await client.query(`select to_regclass('courtside_import.written') is not null as exists`);
    if (!rows[0]?.exists) return 0;
    const { rows: counts } = await client.query('select count(*)::int as count from courtside_import.written');
    return counts[0]?.count;
  };
  await expect.poll(writtenBatches, { timeout: 120_000, interval: 20 }).toBeGreaterThan(20);
  killed.signal('SIGKILL');
  const signal = await killed.exit;
  await client.end();
  const continued = await runCommand('import', [directory, '--database-url', target.url]);
  expect({ signal, code: continued.code, output: continued.output }).toEqual({
    signal: 'SIGKILL',
    code: 0,
    output: expect.stringMatching(
      /^Continuing the interrupted import\.\n[\s\S]*Imported \d{5} rows from \S+ in \d+\.\d s\. Skipped \d+ equal rows\.\n$/,
    ),
  });
  expect(await recordsOf(target.url)).toEqual(content);
}, 240_000);

test('the command prints the counts of each file and the dictionary, and exits with 3 if rows are refused', async () => {
  const target = await freshDatabase();
  targets.push(target);
  const records = await scratchDirectory();
  await copyFile(join(directory, 'team.ndjson'), join(records, 'team.ndjson'));
  const [refused, printed] = await Promise.all([
    runCommand('import', [records, '--dry-run', '--database-url', target.url]),
    runCommand('import', ['--dictionary']),
  ]);
  expect({ refused, tables: JSON.parse(printed.output).tables.length }).toEqual({
    refused: {
      code: 3,
      output: expect.stringMatching(
        / {6}read {3}written {5}equal {3}refused {2}file\n +8000 +0 +0 +8000 {2}team\.ndjson\nChecked 8000 rows from \S+ in \d+\.\d s\.\n8000 rows refused: see \S+refused\.ndjson\.\n$/,
      ),
    },
    tables: recordTables.length,
  });
}, 120_000);
