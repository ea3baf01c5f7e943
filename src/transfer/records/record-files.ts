import { existsSync } from 'node:fs';
import { access, constants, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StartProblem } from '../../process/start-problem.js';
import { dictionary } from '../dictionary/dictionary.js';
import { dictionaryFile } from '../dictionary/write-dictionary.js';
import { incompleteMarkerFile } from '../manifest.js';
import { deletedRecordTables, recordTables } from '../tables.js';
import { deletedRecordsFile } from './deleted-records-sql.js';
import { sortedByReferences } from './import-order.js';

/** File with rows of a table. */
export interface RecordFile {
  readonly table: string;
  /** Name of the file. */
  readonly file: string;
  readonly path: string;
  readonly isCsv: boolean;
  /** Size and modification time. An interrupted import continues only if they are unchanged. */
  readonly version: string;
}

/** Name of the file with the refused rows. */
export const refusedFile = 'refused.ndjson';

const otherFiles: ReadonlySet<string> = new Set([
  dictionaryFile,
  refusedFile,
  ...deletedRecordTables.keys().map(deletedRecordsFile),
]);

/** Whether a file in the directory is ignored, because it contains no records to import. */
export const isIgnored = (name: string): boolean => name.startsWith('.') || otherFiles.has(name);

/** Returns the version of a file. Throws a StartProblem if it cannot be read. */
async function versionOf(path: string, table: string): Promise<string> {
  const stats = await access(path, constants.R_OK).then(
    () => stat(path),
    () => null,
  );
  if (stats?.isDirectory()) throw new StartProblem(`${path} is a directory: expected a file with rows of the table ${table}.`);
  if (!existsSync(path)) throw new StartProblem(`${path} is a symbolic link to a file that does not exist.`);
  if (!stats?.isFile()) throw new StartProblem(`${path} cannot be read: expected a file that you have permission to read.`);
  return `${stats.size} ${stats.mtimeMs}`;
}

/** Throws a StartProblem if the file with the refused rows cannot be created in a directory. */
export async function checkWritable(directory: string): Promise<void> {
  const probe = join(directory, `.${refusedFile}`);
  try {
    await writeFile(probe, '');
    await rm(probe);
  } catch {
    throw new StartProblem(`${directory} is not writable: expected a directory in which ${refusedFile} can be created.`);
  }
}

/** Returns the record files in a directory. Throws a StartProblem for files that do not belong to a table of the dictionary. */
export async function findRecordFiles(directory: string): Promise<RecordFile[]> {
  const names = await readdir(directory).catch(() => null);
  if (names === null) throw new StartProblem(`${directory} cannot be read: expected a directory with files to import.`);
  if (names.includes(incompleteMarkerFile))
    throw new StartProblem(`${directory} contains an incomplete export: delete it, and run "courtside export" again.`);
  const files: RecordFile[] = [];
  const unknown: string[] = [];
  for (const name of names.sort()) {
    if (isIgnored(name)) continue;
    const [, table = '', extension] = /^(\w+)\.(ndjson|csv)$/.exec(name) ?? [];
    if (!recordTables.includes(table)) {
      unknown.push(name);
      continue;
    }
    const path = join(directory, name);
    files.push({ table, file: name, path, isCsv: extension === 'csv', version: await versionOf(path, table) });
  }
  if (unknown.length > 0)
    throw new StartProblem(
      `${directory} contains files that are not in the data dictionary: ${unknown.join(', ')}. Expected <table>.ndjson or <table>.csv. To list the tables, run "courtside import --dictionary".`,
    );
  if (files.length === 0)
    throw new StartProblem(
      `${directory} contains no files to import: expected the manifest.json of an export, or files named <table>.ndjson or <table>.csv.`,
    );
  const tables = files.map(({ table }) => table);
  const duplicate = tables.find((table, index) => tables.indexOf(table) !== index);
  if (duplicate)
    throw new StartProblem(
      `${directory} contains both ${duplicate}.ndjson and ${duplicate}.csv: expected one file for each table.`,
    );
  return sortedByReferences(dictionary()).flatMap(({ table }) => files.filter((each) => each.table === table));
}
