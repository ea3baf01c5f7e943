import { chmod, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { migrations } from '../../migrations/index.js';
import { databaseClientOf } from '../database/checks/database-server.js';
import { errorCode } from '../kernel/database-errors.js';
import { createDirectory } from '../process/create-directory.js';
import { quantity } from '../process/quantity.js';
import { StartProblem } from '../process/start-problem.js';
import { writeDictionary } from './dictionary/write-dictionary.js';
import { openSnapshot, type Snapshot } from './export-sql.js';
import { type ExportedTable, incompleteMarkerFile, writeManifest } from './manifest.js';
import { writeRows } from './row-files.js';
import { deletedRecordTables, lookupTables, recordTables, transferredTables } from './tables.js';

/** Called after the rows of a table have been transferred. */
export type ReportTable = (table: string, rows: number) => void;

export interface ExportOptions {
  readonly report?: ReportTable;
  /**
   * If set, exports only the tables of the data dictionary and the IDs of deleted records, without a manifest. With `since`, omits lookup
   * data and rows that have not changed since then. If a table does not record when its rows changed, as for approvals and tokens, all of
   * its rows are exported.
   */
  readonly records?: { readonly since: Date | null } | null;
}

/**
 * Writes all rows of a database to a directory that does not exist or is empty: one file per table, and a manifest. All files reflect the
 * same point in time. The service can run during the export. Returns the number of rows. If the export fails, it deletes its files.
 */
export async function exportDatabase(
  url: string,
  directory: string,
  { report = () => undefined, records = null }: ExportOptions = {},
): Promise<number> {
  await prepareDirectory(directory);
  const { client } = databaseClientOf(url, null);
  try {
    await writeFile(join(directory, incompleteMarkerFile), '', { mode: 0o600 });
    await client.connect();
    const snapshot = await openSnapshot(client, transferredTables);
    checkTables(snapshot);
    const tables: ExportedTable[] = [];
    const since = records?.since ?? null;
    for (const table of records ? [...recordTables, ...deletedRecordTables.keys()] : transferredTables) {
      if (since && lookupTables.includes(table)) continue;
      const file = `${table}.ndjson`;
      const content = await writeRows(join(directory, file), snapshot.readRows(table, since));
      tables.push({ table, file, columns: [...(snapshot.columns.get(table) ?? [])], ...content });
      report(table, content.rows);
    }
    await writeDictionary(directory);
    const { migrations, sequences } = snapshot;
    const exportedAt = new Date().toISOString();
    if (!records) await writeManifest(directory, { exportedAt, migrations: [...migrations], tables, sequences: [...sequences] });
    await rm(join(directory, incompleteMarkerFile));
    return tables.reduce((sum, { rows }) => sum + rows, 0);
  } catch (error) {
    for (const name of await readdir(directory)) await rm(join(directory, name), { force: true });
    throw error;
  } finally {
    await client.end();
  }
}

function targetProblem(names: readonly string[] | string | null): string | null {
  if (names === 'ENOTDIR') return 'is not a directory';
  if (!Array.isArray(names) || names.length === 0) return null;
  return names.includes(incompleteMarkerFile) ? 'contains an incomplete export' : 'is not empty';
}

/** Throws a StartProblem if the target of an export contains files or is not a directory. */
export async function checkExportTarget(directory: string): Promise<void> {
  const problem = targetProblem(await readdir(directory).catch((error: unknown) => errorCode(error)));
  if (problem) throw new StartProblem(`${directory} ${problem}: expected a directory that is empty or does not exist.`);
}

async function prepareDirectory(directory: string): Promise<void> {
  await createDirectory(directory, 0o700);
  await checkExportTarget(directory);
  await chmod(directory, 0o700);
}

/** Maximum number of missing migrations and tables to list in the message. */
const maxExamples = 3;

/** Throws a StartProblem if another release created the tables, because the export could be incomplete. */
function checkTables({ migrations: executed, columns }: Snapshot): void {
  const names = migrations.map(({ name }) => name);
  const unknown = executed.filter((name) => !names.includes(name));
  if (unknown.length > 0)
    throw new StartProblem(
      `A newer release has run the migrations ${unknown.join(', ')}: export the database with that release.`,
    );
  const missingMigrations = names.filter((name) => !executed.includes(name));
  const missingTables = transferredTables.filter((table) => !columns.has(table));
  const missing = [...missingMigrations, ...missingTables];
  if (missing.length === 0) return;
  const counts = `${quantity(missingMigrations.length, 'migration')} and ${quantity(missingTables.length, 'table')}`;
  const examples = `${missing.slice(0, maxExamples).join(', ')}${missing.length > maxExamples ? ', …' : ''}`;
  throw new StartProblem(`The database lacks ${counts} (${examples}): start the service once to create them.`);
}
