import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { MikroORM } from '@mikro-orm/postgresql';
import type { Client } from 'pg';
import { databaseClientOf } from '../../database/checks/database-server.js';
import { runExclusively } from '../../database/exclusive-sql.js';
import { migrate, pendingMigrations } from '../../database/migrate.js';
import { openOrm } from '../../database/orm.js';
import { Pools, Session } from '../../kernel/session.js';
import { hasReference, loadReference } from '../../modules/reference/load-sql.js';
import { quantity } from '../../process/quantity.js';
import { release } from '../../process/release.js';
import { StartProblem } from '../../process/start-problem.js';
import { downloadStartOf } from '../download/progress.js';
import { lockImports, type OnWait } from '../import-lock-sql.js';
import { countUnverifiedUsers } from './count-unverified-users-sql.js';
import { insertDeletedRecords, readDeletedRecords } from './deleted-records-sql.js';
import { checkWritable, findRecordFiles, type RecordFile, refusedFile } from './record-files.js';
import { countRefused, readRefused } from './refused-sql.js';
import { type ImportClients, stageFiles } from './stage-files.js';
import {
  canContinueImport,
  createStaging,
  dropStaging,
  hasInterruptedImport,
  stagedFiles,
  staging,
  startSession,
} from './staging-sql.js';
import { writeFile } from './write-batches.js';
import { raiseSequences, setPendingListSize } from './write-sql.js';

export interface RecordImportOptions {
  /** Whether to check the files without writing rows. */
  readonly isDryRun?: boolean;
  /** Whether to import rows that refer to missing rows, as `/v1` does (decision 8). */
  readonly acceptsMissingReferences?: boolean;
}

/** Row counts of an imported file. */
export interface ImportedFile {
  readonly table: string;
  readonly file: string;
  readonly readRows: number;
  readonly writtenRows: number;
  /** Number of rows that equal existing rows. In a continued import, this includes the rows that were written before the interruption. */
  readonly equalRows: number;
  readonly refusedRows: number;
}

export interface ImportReport {
  readonly onWait?: OnWait;
  /** Called if an interrupted import continues. */
  readonly onContinue?: () => void;
  /** Called after the import with the number of users in the files who cannot sign in, because their email address is not verified. */
  readonly onUnverifiedUsers?: (count: number) => void;
}

/**
 * Imports files with records into a database, which can already contain rows. The service can run during the import. To continue after an
 * interruption, repeat the call. Writes refused rows to the directory.
 */
export async function importRecords(
  url: string,
  directory: string,
  options: RecordImportOptions = {},
  report: ImportReport = {},
): Promise<ImportedFile[]> {
  const files = await findRecordFiles(directory);
  const deletedRecords = await readDeletedRecords(directory);
  await checkWritable(directory);
  const clients: ImportClients = [databaseClientOf(url, null).client, databaseClientOf(url, null).client];
  const [client] = clients;
  try {
    for (const each of clients) {
      await each.connect();
      await startSession(each);
    }
    await lockImports(client, 'session', () => report.onWait?.());
    await prepareDatabase(url, options.isDryRun);
    // An earlier import may have been killed before it reset the size.
    await setPendingListSize(client, 'migrated');
    await stageOrContinue(clients, files, options, report);
    const written = new Map<string, number>();
    const downloadedAt = await downloadStartOf(directory);
    if (!options.isDryRun) {
      await setPendingListSize(client, 'importing');
      try {
        for (const file of await stagedFiles(client)) written.set(file.table, await writeFile(clients, file, downloadedAt));
      } catch (error) {
        // If the connection is lost, this statement also fails.
        await setPendingListSize(client, 'migrated').catch(() => undefined);
        throw error;
      }
      await setPendingListSize(client, 'migrated');
      await insertDeletedRecords(client, deletedRecords);
      await raiseSequences(client);
    }
    const results = await resultsOf(client, written);
    await writeRefused(client, join(directory, refusedFile), results);
    // Downloaded users are not counted, because `/v1` returns neither passwords nor verification times.
    const unverifiedCount = downloadedAt === null && written.has('app_user') ? await countUnverifiedUsers(client) : 0;
    if (unverifiedCount > 0) report.onUnverifiedUsers?.(unverifiedCount);
    await dropStaging(client);
    if (!options.isDryRun) await client.query(`analyze ${files.map(({ table }) => table).join(', ')}`);
    return results;
  } finally {
    for (const each of clients) await each.end();
  }
}

/** Creates the tables and the lookup data, to which records refer. A dry run only checks that they exist. */
async function prepareDatabase(url: string, isDryRun = false): Promise<void> {
  const orm = openOrm({ url, pool: 2, isLazy: true });
  try {
    if (isDryRun) return await checkPrepared(orm);
    await migrate(orm);
    await runExclusively(orm, 'filling', () => loadReference(new Session(new Pools(orm), 'write')));
  } finally {
    await orm.close();
  }
}

/** Throws a StartProblem if migrations or the lookup data are missing. */
async function checkPrepared(orm: MikroORM): Promise<void> {
  const pending = (await pendingMigrations(orm)).length;
  const missing =
    pending > 0
      ? `${quantity(pending, 'migration')}, and --dry-run does not run them`
      : (await hasReference(new Session(new Pools(orm), 'write')))
        ? null
        : 'the lookup data, and --dry-run does not load it';
  if (missing) throw new StartProblem(`The database lacks ${missing}: run "courtside migrate" first.`);
}

async function stageOrContinue(
  clients: ImportClients,
  files: readonly RecordFile[],
  { isDryRun = false, acceptsMissingReferences = false }: RecordImportOptions,
  { onContinue }: ImportReport,
): Promise<void> {
  const [client] = clients;
  const versions = files.map(({ path, version }) => ({ path, version }));
  const identity = JSON.stringify({ release, isDryRun, acceptsMissingReferences, versions });
  if (await canContinueImport(client, identity)) return onContinue?.();
  if (isDryRun && (await hasInterruptedImport(client)))
    throw new StartProblem(
      `The database contains an interrupted import, which a dry run would discard: continue it with the same command without --dry-run, or run "drop schema ${staging} cascade" in the database.`,
    );
  try {
    await createStaging(client, identity, isDryRun);
    await stageFiles(clients, files, { acceptsMissingReferences });
  } catch (error) {
    await dropStaging(client).catch(() => undefined);
    throw error;
  }
}

async function resultsOf(client: Client, written: ReadonlyMap<string, number>): Promise<ImportedFile[]> {
  const refused = await countRefused(client);
  return (await stagedFiles(client)).map(({ table, file, readRows }) => {
    const writtenRows = written.get(table);
    const refusedRows = refused.get(table) ?? 0;
    const equalRows = writtenRows === undefined ? 0 : readRows - writtenRows - refusedRows;
    return { table, file, readRows, writtenRows: writtenRows ?? 0, equalRows, refusedRows };
  });
}

/** Writes the refused rows to a file that only its owner can read. If no rows were refused, deletes the file of an earlier import. */
async function writeRefused(client: Client, path: string, results: readonly ImportedFile[]): Promise<void> {
  await rm(path, { force: true });
  if (results.every(({ refusedRows }) => refusedRows === 0)) return;
  const file = await open(path, 'wx', 0o600);
  try {
    for await (const rows of readRefused(client))
      await file.writeFile(rows.map((row) => `${JSON.stringify({ ...row, table: undefined })}\n`).join(''));
  } finally {
    await file.close();
  }
}
