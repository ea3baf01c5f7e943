import { existsSync } from 'node:fs';
import { loadConfig } from '../config/index.js';
import { checkDatabase } from '../database/check-database.js';
import { startEmbedded } from '../database/embedded.js';
import { runningEmbedded } from '../database/embedded-server.js';
import { parseArguments, UsageError } from '../process/command.js';
import { StartProblem } from '../process/start-problem.js';
import type { ReportTable } from './export-database.js';

/** Transfers the rows between a database and a directory. Returns the number of rows. */
type Transfer = (url: string, directory: string, report: ReportTable) => Promise<number>;

interface TransferResult {
  readonly directory: string;
  readonly rows: number;
  readonly seconds: number;
}

interface OpenDatabase {
  readonly url: string;
  close(): Promise<void>;
}

/** Opens the configured database. Starts the embedded database, unless it is running and only read. */
async function openDatabase(kind: 'export' | 'import', url: string | undefined): Promise<OpenDatabase> {
  const { databaseUrl, dataDir } = loadConfig(url ? { DATABASE_URL: url } : undefined);
  if (databaseUrl !== null) {
    await checkDatabase(databaseUrl);
    return { url: databaseUrl, close: async () => undefined };
  }
  if (kind === 'export') {
    const runningUrl = await runningEmbedded(dataDir);
    if (runningUrl !== null) return { url: runningUrl, close: async () => undefined };
    if (!existsSync(dataDir))
      throw new StartProblem(`There is no database in ${dataDir}: set DATA_DIR or DATABASE_URL to the database to export.`);
  }
  const server = await startEmbedded(dataDir);
  return { url: server.url, close: server.stop };
}

/** Runs the command `export` or `import`, and prints the number of rows of each table. */
export async function runTransfer(kind: 'export' | 'import', args: string[], transfer: Transfer): Promise<TransferResult> {
  const options = { 'database-url': { type: 'string' } } as const;
  const { values, positionals } = parseArguments({ args, options, allowPositionals: true });
  const [directory, ...others] = positionals;
  if (directory === undefined || others.length > 0)
    throw new UsageError(`Expected one directory, but got ${positionals.length}.`);
  const database = await openDatabase(kind, values['database-url']);
  const startedAt = performance.now();
  try {
    const rows = await transfer(database.url, directory, (table, count) => {
      if (count > 0) console.log(`${String(count).padStart(10)}  ${table}`);
    });
    return { directory, rows, seconds: (performance.now() - startedAt) / 1000 };
  } finally {
    await database.close();
  }
}
