import { mkdir, rm } from 'node:fs/promises';
import { type Command, parseArguments } from '../process/command.js';
import { exportDatabase, type ReportTable } from '../transfer/export-database.js';
import { directoryIn, printRows, withDatabase } from '../transfer/run-transfer.js';

const usage = `Usage: courtside export <directory> [options]

Writes all data of the service to a new directory, with one file per table, and the data dictionary. The service can run in the meantime. "import"
reads the directory into another database. The files contain secrets, such as password hashes and tokens. Only you can read them.

The database is DATABASE_URL, or else the embedded database.

Options:
  --database-url <url>  Database to export. Default: DATABASE_URL, or else the embedded database in DATA_DIR.
  --help                Show this help.

Example:
  courtside export courtside-export

Exit codes: 0 for success, 1 for an error, 2 for invalid arguments.`;

/** Exports a database. If the export fails, deletes the directories that it created. */
export async function exportToDirectory(url: string, directory: string, report?: ReportTable): Promise<number> {
  const firstCreated = await mkdir(directory, { recursive: true, mode: 0o700 });
  try {
    return await exportDatabase(url, directory, report);
  } catch (error) {
    if (firstCreated !== undefined) await rm(firstCreated, { recursive: true, force: true });
    throw error;
  }
}

async function run(args: string[]): Promise<number> {
  const options = { 'database-url': { type: 'string' } } as const;
  const { values, positionals } = parseArguments({ args, options, allowPositionals: true });
  const directory = directoryIn(positionals);
  const { result: rows, seconds } = await withDatabase('export', values['database-url'], (url) =>
    exportToDirectory(url, directory, printRows),
  );
  console.log(`Exported ${rows} rows to ${directory} in ${seconds.toFixed(1)} s. Protect the directory: it contains secrets.`);
  return 0;
}

export const command: Command = { usage, run };
