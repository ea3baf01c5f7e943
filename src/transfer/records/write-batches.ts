import type { Client } from 'pg';
import { errorCode } from '../../kernel/database-errors.js';
import { creationOrderOf } from '../download/row.js';
import { type RefusedRow, storeRefused } from './refused-sql.js';
import { type ImportClients, parserFor } from './stage-files.js';
import type { StagedFile } from './staging-sql.js';
import {
  areRowsChangedByTriggers,
  type Batch,
  batchLines,
  orderedTime,
  pendingBatches,
  storeProgress,
  type WriteStatements,
  writeBatch,
  writeStatements,
} from './write-sql.js';

/** Error codes of deadlocks and serialization failures, after which a transaction can be repeated. */
const repeatableErrors: ReadonlySet<unknown> = new Set(['40P01', '40001']);

/** SQLSTATE classes of errors that the data of a row causes: invalid values, violated constraints, and values that exceed a limit of PostgreSQL. */
const rowErrors = /^(?:21|22|23|54)/;

/** SQLSTATE class of errors for rows that exceed a limit. */
const limitErrors = /^54/;

/** Whether the data of a row caused an error. Includes errors that triggers raise with `raise exception`. */
const isRowError = (error: unknown): boolean =>
  rowErrors.test(String(errorCode(error))) || Object(error).routine === 'exec_stmt_raise';

/** Describes the row that the database expects. Messages of the database are omitted, because they can contain values. */
function expectedBy(error: unknown): string {
  const { constraint, column } = Object(error);
  const code = errorCode(error);
  if (limitErrors.test(code))
    return `a row within the limits of PostgreSQL, such as the length of an indexed value (error ${code})`;
  if (constraint) return `a row that satisfies the constraint ${constraint}`;
  if (column) return `a value in ${column}`;
  return `a row that the database accepts (error ${code})`;
}

async function writeRepeatedly(client: Client, batch: Batch, isWhole: boolean): Promise<number> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await writeBatch(client, batch, isWhole);
    } catch (error) {
      if (!repeatableErrors.has(errorCode(error)) || attempt === 10) throw error;
    }
  }
}

/** Splits a failed batch into halves until it finds the rows that cause the error. Refuses these rows and writes all other rows. */
async function writeHalves(
  client: Client,
  batch: Batch,
  error: unknown,
  refuse: (line: number, expected: string) => Promise<void>,
): Promise<number> {
  if (!isRowError(error)) throw error;
  const { first, last } = batch;
  if (first === last) {
    await refuse(first, expectedBy(error));
    return 0;
  }
  const middle = Math.floor((first + last) / 2);
  let count = 0;
  for (const half of [
    { ...batch, last: middle },
    { ...batch, first: middle + 1 },
  ]) {
    try {
      count += await writeRepeatedly(client, half, false);
    } catch (halfError) {
      count += await writeHalves(client, half, halfError, refuse);
    }
  }
  return count;
}

/**
 * Returns the statements for a file. In a download, new rows without a creation time get a creation time that preserves the order of the
 * lists.
 */
function statementsFor(staged: StagedFile, downloadedAt: Date | null): WriteStatements {
  const imported = parserFor(staged.table).columns;
  const order = downloadedAt && creationOrderOf(staged.table);
  if (!order) return writeStatements(staged, imported, downloadedAt !== null);
  const defaultSql = orderedTime(downloadedAt, order);
  const withDefault = imported.map((column) => (column.name === 'created_at' ? { ...column, defaultSql } : column));
  return writeStatements({ ...staged, columns: [...new Set([...staged.columns, 'created_at'])] }, withDefault, true);
}

/**
 * Writes the staged rows of a file through both connections. Skips batches that an interrupted import has written. `downloadedAt` is the start of the
 * download that wrote the file. Returns the number of written rows.
 */
export async function writeFile(clients: ImportClients, staged: StagedFile, downloadedAt: Date | null): Promise<number> {
  const { table, file } = staged;
  const statements = statementsFor(staged, downloadedAt);
  const pending = await pendingBatches(clients[0], table);
  const isChangedByTriggers = await areRowsChangedByTriggers(clients[0], table);
  let count = 0;
  const work = async (client: Client): Promise<void> => {
    for (let first = pending.shift(); first !== undefined; first = pending.shift()) {
      const batch = { table, statements, first, last: first + batchLines - 1, isChangedByTriggers };
      const refuse = (line: number, expected: string) => {
        const row: RefusedRow = { table, file, line, id: null, column: '', expected };
        return storeRefused(client, [row]);
      };
      // The other connection also increases `count` during this write. `count += await …` would lose that increase.
      const written = await writeRepeatedly(client, batch, true).catch(async (error: unknown) => {
        const writtenInParts = await writeHalves(client, batch, error, refuse);
        await storeProgress(client, batch);
        return writtenInParts;
      });
      count += written;
    }
  };
  // After an error, the other connection finishes its batch and stops.
  const results = await Promise.allSettled(
    clients.map((client) =>
      work(client).catch((error: unknown) => {
        pending.length = 0;
        throw error;
      }),
    ),
  );
  for (const result of results) if (result.status === 'rejected') throw result.reason;
  return count;
}
