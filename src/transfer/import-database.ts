import { join } from 'node:path';
import type { Client } from 'pg';
import { databaseClientOf } from '../database/checks/database-server.js';
import { migrate } from '../database/migrate.js';
import { openOrm } from '../database/orm.js';
import { quantity } from '../process/quantity.js';
import { StartProblem } from '../process/start-problem.js';
import { columnsOfTables } from './catalog-sql.js';
import type { ReportTable } from './export-database.js';
import type { OnWait } from './import-lock-sql.js';
import { countRows, deleteRows, finishImport, insertRows, setSequences, startImport } from './import-sql.js';
import { type ExportedTable, type ExportManifest, readManifest } from './manifest.js';
import { hashFile, readBlocks } from './row-files.js';
import { initialTables, transferredTables } from './tables.js';

/** Reads the manifest of an export. Throws a StartProblem if the manifest is invalid, or if a file is missing or has been changed. */
export async function checkExport(directory: string): Promise<ExportManifest> {
  const manifest = await readManifest(directory);
  await checkFiles(directory, manifest);
  return manifest;
}

/**
 * Imports an export of this release into an empty database. Creates the tables if necessary. Imports all rows or none. Returns the number
 * of rows.
 */
export async function importDatabase(
  url: string,
  directory: string,
  report: ReportTable = () => undefined,
  onWait: OnWait = () => undefined,
): Promise<number> {
  const manifest = await checkExport(directory);
  const orm = openOrm({ url, pool: 2, isLazy: true });
  await migrate(orm).finally(() => orm.close());
  const { client } = databaseClientOf(url, null);
  await client.connect();
  try {
    await checkColumns(client, manifest);
    await startImport(client, transferredTables, onWait);
    await clear(client);
    for (const table of manifest.tables) {
      await insertFile(client, directory, table);
      report(table.table, table.rows);
    }
    await setSequences(client, manifest.sequences);
    await finishImport(client, transferredTables);
    return manifest.tables.reduce((sum, { rows }) => sum + rows, 0);
  } finally {
    // Without a commit, the server rolls the transaction back.
    await client.end();
  }
}

/** Throws a StartProblem if a file is missing or differs from the manifest. */
async function checkFiles(directory: string, { tables }: ExportManifest): Promise<void> {
  for (const { file, sha256 } of tables) {
    const path = join(directory, file);
    const actualHash = await hashFile(path).catch(() => null);
    if (actualHash === null) throw new StartProblem(`${path} cannot be read, but the manifest lists it.`);
    if (actualHash !== sha256)
      throw new StartProblem(
        `${path} was changed after the export: its SHA-256 is ${actualHash}, but the manifest has ${sha256}.`,
      );
  }
}

/** Throws a StartProblem if the tables or columns of the export and the database differ, because values would be lost. */
async function checkColumns(client: Client, { tables }: ExportManifest): Promise<void> {
  const columns = await columnsOfTables(client, transferredTables);
  const exported = new Map(tables.map((table) => [table.table, table.columns]));
  const differing = [...new Set([...transferredTables, ...exported.keys()])].filter(
    (table) => [...(columns.get(table) ?? [])].sort().join() !== [...(exported.get(table) ?? [])].sort().join(),
  );
  if (differing.length > 0)
    throw new StartProblem(
      `The export and the database have different tables or columns (${differing.join(', ')}): import with the version of the service that wrote the export.`,
    );
}

/**
 * Deletes the rows that migrations and the first start of the service insert. Throws a StartProblem if the database contains other rows.
 */
async function clear(client: Client): Promise<void> {
  for (const table of transferredTables) {
    if (initialTables.has(table)) continue;
    const count = await countRows(client, table);
    if (count > 0)
      throw new StartProblem(
        `The database is not empty: the table ${table} has ${quantity(count, 'row')}. Set DATABASE_URL or DATA_DIR to a new database.`,
      );
  }
  for (const table of transferredTables.toReversed()) if (initialTables.has(table)) await deleteRows(client, table);
}

async function insertFile(client: Client, directory: string, { table, file, rows }: ExportedTable): Promise<void> {
  try {
    for await (const block of readBlocks(join(directory, file)))
      await insertRows(client, table, `[${block.toString().trimEnd().replaceAll('\n', ',')}]`);
  } catch (error) {
    if (error instanceof Error) error.message = `${file}: ${error.message}`;
    throw error;
  }
  const count = await countRows(client, table);
  if (count !== rows)
    throw new StartProblem(`${table} has ${quantity(count, 'row')} after the import, but the manifest has ${rows}.`);
}
