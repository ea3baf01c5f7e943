import type { Client } from 'pg';
import { findRecord } from '../../kernel/declare/meta.js';
import { profileSlugOf } from '../../modules/accounts/users/user-rules.js';
import { referenceRowsOf } from '../../modules/reference/data.js';
import { StartProblem } from '../../process/start-problem.js';
import { type DictionaryTable, dictionary } from '../dictionary/dictionary.js';
import { refuseLookupChanges, refuseMissingReferences, refuseRepeatedKeys } from './checks-sql.js';
import { readCsv } from './read-csv.js';
import { readNdjson } from './read-ndjson.js';
import type { RecordFile } from './record-files.js';
import { type FileRow, RecordParser } from './record-parser.js';
import { type RefusedRow, storeRefused } from './refused-sql.js';
import { copyRows, createStagedTable, finishChecks, finishStagedTable, type StagedFile, stagedFiles } from './staging-sql.js';
import { addSlugColumns, deriveSlugs, slugColumns } from './user-slugs-sql.js';

/** Number of refused rows per statement. */
const refusedBatch = 1000;

/** The two connections of an import, which run statements concurrently. */
export type ImportClients = readonly [Client, Client];

/** Returns the table with this name from the dictionary. */
export function dictionaryTable(name: string): DictionaryTable {
  const table = dictionary().find((each) => each.table === name);
  if (!table) throw new Error(`${name} is not in the dictionary`);
  return table;
}

export function parserFor(table: string): RecordParser {
  const cls = findRecord(dictionaryTable(table).record);
  if (!cls) throw new Error(`no record has the table ${table}`);
  return new RecordParser(cls);
}

/** Returns the slug of the name in the text format of COPY, if the user has no slug. Otherwise, returns null in this format. */
async function nameSlugText({ slug, first_name: firstName, last_name: lastName }: FileRow): Promise<string> {
  return (!slug && (await profileSlugOf(firstName, lastName))) || '\\N';
}

/** Reads a file into its staged table. Stores rows with invalid values as refused rows, through the other connection. */
async function stageFile(
  [client, other]: ImportClients,
  { table, file, path, isCsv }: RecordFile,
  parser: RecordParser,
): Promise<void> {
  const isUsers = table === 'app_user';
  let readRows = 0;
  let refused: RefusedRow[] = [];
  const storeAll = async () => {
    const rows = refused;
    refused = [];
    await storeRefused(other, rows);
  };
  async function* rows(): AsyncGenerator<string> {
    for await (const lines of isCsv ? readCsv(path, parser.columns) : readNdjson(path)) {
      let text = '';
      for (const { line, row, problem } of lines) {
        readRows++;
        const result = row ? parser.parse(row) : problem ? [problem] : [];
        if (typeof result === 'string') text += `${line}${result}${isUsers ? `\t${await nameSlugText(row ?? {})}` : ''}\n`;
        else {
          const id = typeof row?.id === 'string' || typeof row?.id === 'number' ? String(row.id).replaceAll('\0', '') : null;
          refused.push(...result.map(({ column, expected }) => ({ table, file, line, id, column, expected })));
        }
      }
      if (refused.length >= refusedBatch) await storeAll();
      if (text) yield text;
    }
  }
  await createStagedTable(client, table);
  if (isUsers) await addSlugColumns(client);
  const names = parser.columns.map(({ name }) => name);
  await copyRows(client, table, isUsers ? [...names, slugColumns.name] : names, rows());
  await storeAll();
  // The import derives slugs even if the file contains no slugs.
  if (isUsers) parser.presentColumns.add('slug');
  const columns = names.filter((name) => parser.presentColumns.has(name));
  const partialColumns = columns.filter((name) => parser.omittedColumns.has(name));
  await finishStagedTable(client, { table, file, readRows, acceptedRows: 0, columns, partialColumns });
}

/** Maximum number of unknown columns of a file to list in the message. */
const maxNames = 10;

/** Lists names. Quotes names that are empty or contain characters other than letters, digits and underscores. */
function listOf(names: ReadonlySet<string>): string {
  const texts = [...names].sort().map((name) => (/^\w+$/.test(name) ? name : JSON.stringify(name)));
  return `${texts.slice(0, maxNames).join(', ')}${texts.length > maxNames ? ', …' : ''}`;
}

/** Reads all files into staged tables. Throws a StartProblem if a file has unknown columns. */
async function stageAll(clients: ImportClients, files: readonly RecordFile[]): Promise<void> {
  const problems: string[] = [];
  for (const file of files) {
    const parser = parserFor(file.table);
    await stageFile(clients, file, parser);
    if (parser.unknownColumns.size > 0) problems.push(`${file.file} (${listOf(parser.unknownColumns)})`);
  }
  if (problems.length > 0)
    throw new StartProblem(
      `Some files have columns that are not in the data dictionary: ${problems.join('; ')}. To list the columns, run "courtside import --dictionary".`,
    );
}

/** Refuses rows that change lookup data, violate unique keys or refer to missing rows, until all remaining rows pass. */
async function checkAll(client: Client, files: readonly StagedFile[], acceptsMissingReferences: boolean): Promise<void> {
  const stagedTables = new Set(files.map(({ table }) => table));
  for (const file of files) {
    const ids = (await referenceRowsOf(file.table)).map(({ id }) => id);
    if (ids.length > 0) await refuseLookupChanges(client, file, parserFor(file.table).columns, ids);
  }
  for (const { table, columns } of files) await refuseRepeatedKeys(client, dictionaryTable(table), columns);
  if (acceptsMissingReferences) return;
  for (let refusedCount = 1; refusedCount > 0; ) {
    refusedCount = 0;
    for (const { table, columns } of files)
      refusedCount += await refuseMissingReferences(client, dictionaryTable(table), columns, stagedTables);
  }
}

/** Reads and checks all files. Writes nothing outside the staging schema. */
export async function stageFiles(
  clients: ImportClients,
  files: readonly RecordFile[],
  { acceptsMissingReferences }: { readonly acceptsMissingReferences: boolean },
): Promise<void> {
  const [client] = clients;
  await stageAll(clients, files);
  await checkAll(client, await stagedFiles(client), acceptsMissingReferences);
  if (files.some(({ table }) => table === 'app_user')) await deriveSlugs(client);
  await finishChecks(
    client,
    files.map(({ table }) => table),
  );
}
