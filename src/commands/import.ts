import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { checkDatabaseOption } from '../database/checks/command-database.js';
import { ConnectionLoss } from '../database/checks/database-problem.js';
import { type Command, parseArguments, UsageError } from '../process/command.js';
import { quantity } from '../process/quantity.js';
import { StartProblem } from '../process/start-problem.js';
import { dictionaryJson } from '../transfer/dictionary/write-dictionary.js';
import { checkExport, importDatabase } from '../transfer/import-database.js';
import { manifestFile } from '../transfer/manifest.js';
import { type ImportedFile, importRecords, type RecordImportOptions } from '../transfer/records/import-records.js';
import { findRecordFiles, refusedFile } from '../transfer/records/record-files.js';
import { directoryIn, printRows, type TransferKind, withDatabase } from '../transfer/run-transfer.js';

/** Exit code if rows were refused. The other rows are imported. */
const refusedCode = 3;

const usage = `Usage: courtside import <directory> [options]
       courtside import <directory> --from <url> [options]
       courtside import --dictionary

Imports a directory into a database and creates its tables if necessary.

- With manifest.json: a complete export of this release. The database must be empty. Imports all rows or none.
- Otherwise: records of another system, in files named <table>.ndjson or <table>.csv. The database can have other rows, and the service can run.
  New rows are inserted, changed rows are updated, and equal rows are skipped. Refused rows are listed in ${refusedFile} in the directory. To
  continue after an interruption, repeat the command.
- With --from: reads the records from the old interface of another server into the directory, page by page, and imports them. Set IMPORT_TOKEN to a
  platform token of that server, or IMPORT_TOKEN_FILE to a file that contains the token. To continue after an interruption, repeat the command.
  The old interface does not return passwords or tokens.

The database is DATABASE_URL, or else the embedded database. The embedded database must not be running, except with --dry-run.

Options:
  --database-url <url>        Database to import into. Default: DATABASE_URL, or else the embedded database in DATA_DIR.
  --from <url>                URL of the old interface, such as https://old.example/v1. Implies --allow-missing-references.
  --dry-run                   Check the records, and write only ${refusedFile}. Needs a database that "courtside migrate" has prepared.
  --allow-missing-references  Also import records that refer to missing records. The references become valid when the missing records are imported.
  --dictionary                Print the tables and columns of records as JSON, without an import.
  --help                      Show this help.

Examples:
  courtside import courtside-export --database-url postgresql://courtside:letters@db.example.com/courtside
  courtside import records --dry-run
  IMPORT_TOKEN_FILE=old-token courtside import old-data --from https://old.example/v1
  courtside import --dictionary > dictionary.json

Exit codes: 0 for success, 1 for an error, 2 for invalid arguments, 3 if records were refused.`;

const flag = { type: 'boolean', default: false } as const;
const options = {
  'database-url': { type: 'string' },
  from: { type: 'string' },
  'dry-run': flag,
  'allow-missing-references': flag,
  dictionary: flag,
} as const;

const printWait = () => console.log('Another import runs in this database. Waiting until it has finished.');

/** Restores a complete export. */
async function restore(directory: string, databaseUrl: string | undefined): Promise<number> {
  // Reports problems with the directory before the embedded database is created or started.
  await checkExport(directory);
  const { result: rows, seconds } = await withDatabase('import', databaseUrl, (url) =>
    importDatabase(url, directory, printRows, printWait),
  );
  console.log(`Imported ${rows} rows from ${directory} in ${seconds.toFixed(1)} s.`);
  return 0;
}

const sum = (files: readonly ImportedFile[], count: (file: ImportedFile) => number): number =>
  files.reduce((total, file) => total + count(file), 0);

/** Adds the next step to the message about a lost connection. */
function throwContinuable(error: unknown): never {
  if (!(error instanceof ConnectionLoss)) throw error;
  throw new StartProblem(`${error.message} To continue the import, run the same command again.`);
}

const kindOf = ({ isDryRun }: RecordImportOptions): TransferKind => (isDryRun ? 'dry run' : 'import');

/** Imports records from another system and prints the counts of each file. */
async function importFiles(
  directory: string,
  databaseUrl: string | undefined,
  importOptions: RecordImportOptions,
): Promise<number> {
  // Reports problems with the directory before the embedded database is created or started.
  await findRecordFiles(directory);
  let unverifiedCount = 0;
  const { result: files, seconds } = await withDatabase(kindOf(importOptions), databaseUrl, (url) =>
    importRecords(url, directory, importOptions, {
      onWait: printWait,
      onContinue: () => console.log('Continuing the interrupted import.'),
      onUnverifiedUsers: (count) => {
        unverifiedCount = count;
      },
    }),
  ).catch(throwContinuable);
  const columns = ['read', 'written', 'equal', 'refused'].map((title) => title.padStart(10)).join('');
  console.log(`${columns}  file`);
  for (const { file, readRows, writtenRows, equalRows, refusedRows } of files)
    console.log(
      `${[readRows, writtenRows, equalRows, refusedRows].map((count) => String(count).padStart(10)).join('')}  ${file}`,
    );
  const refusedRows = sum(files, (file) => file.refusedRows);
  const equalRows = sum(files, (file) => file.equalRows);
  const done = importOptions.isDryRun
    ? `Checked ${quantity(
        sum(files, (file) => file.readRows),
        'row',
      )}`
    : `Imported ${quantity(
        sum(files, (file) => file.writtenRows),
        'row',
      )}`;
  const skipped = equalRows > 0 ? ` Skipped ${quantity(equalRows, 'equal row')}.` : '';
  console.log(`${done} from ${directory} in ${seconds.toFixed(1)} s.${skipped}`);
  if (unverifiedCount > 0)
    console.log(
      `${quantity(unverifiedCount, 'user')} in app_user cannot sign in until they reset their password or register again, because verified_at is null. If their email addresses are verified, add verified_at to the file, and import it again.`,
    );
  if (refusedRows === 0) return 0;
  console.error(`${quantity(refusedRows, 'row')} refused: see ${join(directory, refusedFile)}.`);
  return refusedCode;
}

/** Downloads records from the old interface of another server to a directory. Checks first whether the database for the import can be used. */
async function readServer(
  url: string,
  directory: string,
  databaseUrl: string | undefined,
  importOptions: RecordImportOptions,
): Promise<void> {
  if (existsSync(join(directory, manifestFile)))
    throw new UsageError(`${directory} contains ${manifestFile}: expected a new directory for --from.`);
  // This import is dynamic, because only the option `--from` needs the routes, which take a long time to load.
  const { runDownload } = await import('../transfer/download/run-download.js');
  await runDownload(url, directory, () => withDatabase(kindOf(importOptions), databaseUrl, async () => undefined));
}

async function run(args: string[]): Promise<number> {
  const { values, positionals } = parseArguments({ args, options, allowPositionals: true });
  if (values.dictionary) {
    if (positionals.length > 0) throw new UsageError('--dictionary takes no directory.');
    if (args.length > 1) throw new UsageError('--dictionary cannot be combined with other options.');
    process.stdout.write(dictionaryJson());
    return 0;
  }
  const directory = directoryIn(positionals);
  checkDatabaseOption(values['database-url']);
  const importOptions = {
    isDryRun: values['dry-run'],
    // The old interface also accepts references to missing records.
    acceptsMissingReferences: values['allow-missing-references'] || values.from !== undefined,
  };
  if (values.from !== undefined) await readServer(values.from, directory, values['database-url'], importOptions);
  if (!existsSync(join(directory, manifestFile))) return importFiles(directory, values['database-url'], importOptions);
  if (importOptions.isDryRun || importOptions.acceptsMissingReferences)
    throw new UsageError(
      `${directory} contains ${manifestFile}: --dry-run and --allow-missing-references apply only to directories without it.`,
    );
  return restore(directory, values['database-url']);
}

export const command: Command = { usage, run };
