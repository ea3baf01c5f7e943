import { rm } from 'node:fs/promises';
import { type Command, parseArguments, UsageError } from '../process/command.js';
import { createDirectory } from '../process/create-directory.js';
import { checkExportTarget, type ExportOptions, exportDatabase } from '../transfer/export-database.js';
import { instantOrDayFormat, normalizeInstantOrDay } from '../transfer/instant-or-day.js';
import { directoryIn, printRows, withDatabase } from '../transfer/run-transfer.js';

const usage = `Usage: courtside export <directory> [options]

Writes all data of the service to a new directory, with one file per table, and the data dictionary. The service can run during the export. "import"
reads the directory into another database. The files contain secrets, such as password hashes and tokens. Only you can read them.

With --records, writes only the tables of the data dictionary and the IDs of some deleted records. "import" adds these records to a database
that can have other rows.

The database is DATABASE_URL, or else the embedded database.

Options:
  --database-url <url>  Database to export. Default: DATABASE_URL, or else the embedded database in DATA_DIR.
  --records             Write only the tables of the data dictionary.
  --since <time>        Omit records that have not changed since a time in the past, such as 2026-11-27T09:30:00Z, or a day in UTC, such as
                        2026-11-27. Implies --records. Tables that do not record the time of a change, such as approvals and tokens, are
                        complete. Deleted records are not in the files.
  --help                Show this help.

Examples:
  courtside export courtside-export
  courtside export changes --since 2026-11-27T09:30:00Z

Exit codes: 0 for success, 1 for an error, 2 for invalid arguments.`;

/** Exports a database. If the export fails, deletes the directories that it created. */
export async function exportToDirectory(url: string, directory: string, exportOptions: ExportOptions): Promise<number> {
  const createdDirectory = await createDirectory(directory, 0o700);
  try {
    return await exportDatabase(url, directory, exportOptions);
  } catch (error) {
    if (createdDirectory !== undefined) await rm(createdDirectory, { recursive: true, force: true });
    throw error;
  }
}

const options = {
  'database-url': { type: 'string' },
  records: { type: 'boolean', default: false },
  since: { type: 'string' },
} as const;

/** Parses the time of `--since`. Throws a `UsageError` if the text is not a time, or if the time is in the future. */
function timeOf(text: string): Date {
  const instant = normalizeInstantOrDay(text);
  if (instant === null) throw new UsageError(`--since: expected ${instantOrDayFormat}.`);
  const time = new Date(instant);
  if (time.getTime() > Date.now()) throw new UsageError(`--since: expected a time in the past, but ${text} is in the future.`);
  return time;
}

async function run(args: string[]): Promise<number> {
  const { values, positionals } = parseArguments({ args, options, allowPositionals: true });
  const directory = directoryIn(positionals);
  const since = values.since === undefined ? null : timeOf(values.since);
  const records = values.records || since ? { since } : null;
  await checkExportTarget(directory);
  const { result: rows, seconds } = await withDatabase('export', values['database-url'], (url) =>
    exportToDirectory(url, directory, { report: printRows, records }),
  );
  console.log(`Exported ${rows} rows to ${directory} in ${seconds.toFixed(1)} s. Protect the directory: it contains secrets.`);
  return 0;
}

export const command: Command = { usage, run };
