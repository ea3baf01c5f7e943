import { loadConfig } from '../config/index.js';
import { checkDatabaseOption, withCheckedDatabase } from '../database/checks/command-database.js';
import type { DatabaseVariable } from '../database/checks/database-server.js';
import { startEmbedded } from '../database/embedded.js';
import { hasEmbeddedData, runningEmbeddedUrl } from '../database/embedded-server.js';
import { UsageError } from '../process/command.js';
import { StartProblem } from '../process/start-problem.js';
import type { ReportTable } from './export-database.js';

interface OpenDatabase {
  readonly url: string;
  /** Variable or option with the URL. Null for the embedded database. */
  readonly variable: DatabaseVariable | null;
  close(): Promise<void>;
}

/** Kind of work that a command does. Only an import creates the embedded database if it does not exist. */
export type TransferKind = 'export' | 'import' | 'dry run';

const missingRemedies: Readonly<Record<Exclude<TransferKind, 'import'>, string>> = {
  export: 'set DATA_DIR or DATABASE_URL to the database to export.',
  'dry run': 'set DATA_DIR or DATABASE_URL to the database to import into, and run "courtside migrate" first.',
};

/**
 * Opens the configured database. Starts the embedded database if it is configured, unless it is already running and the work is an export
 * or a dry run.
 */
async function openDatabase(kind: TransferKind, url: string | undefined): Promise<OpenDatabase> {
  checkDatabaseOption(url);
  const { databaseUrl, dataDir } = loadConfig(url === undefined ? undefined : { DATABASE_URL: url });
  const close = async () => undefined;
  if (databaseUrl !== null) return { url: databaseUrl, variable: url === undefined ? 'DATABASE_URL' : '--database-url', close };
  if (kind !== 'import') {
    const runningUrl = await runningEmbeddedUrl(dataDir);
    if (runningUrl !== null) return { url: runningUrl, variable: null, close };
    if (!(await hasEmbeddedData(dataDir))) throw new StartProblem(`There is no database in ${dataDir}: ${missingRemedies[kind]}`);
  }
  const server = await startEmbedded(dataDir);
  return { url: server.url, variable: null, close: server.stop };
}

/** Returns the only positional argument. Throws a `UsageError` if there is not exactly one argument, or if it is empty. */
export function directoryIn(positionals: readonly string[]): string {
  const [directory, ...others] = positionals;
  if (directory === undefined || others.length > 0)
    throw new UsageError(`Expected one directory, but got ${positionals.length}.`);
  if (directory === '') throw new UsageError('Expected a directory, but the argument is empty.');
  return directory;
}

/** Prints the number of rows in a table, unless the table is empty. */
export const printRows: ReportTable = (table, rows) => {
  if (rows > 0) console.log(`${String(rows).padStart(10)}  ${table}`);
};

/**
 * Opens the database of `--database-url` or of the configuration, calls `work` with its URL, and closes it. Also returns the elapsed time
 * in seconds.
 */
export async function withDatabase<T>(
  kind: TransferKind,
  url: string | undefined,
  work: (url: string) => Promise<T>,
): Promise<{ readonly result: T; readonly seconds: number }> {
  const database = await openDatabase(kind, url);
  const { url: databaseUrl, variable } = database;
  const startedAt = performance.now();
  try {
    const result = await withCheckedDatabase(databaseUrl, variable, () => work(databaseUrl));
    return { result, seconds: (performance.now() - startedAt) / 1000 };
  } finally {
    await database.close();
  }
}
