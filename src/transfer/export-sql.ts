import type { Client } from 'pg';
import { readExecutedMigrations } from '../database/migration-history-sql.js';
import { columnsOfTables, existingSequences, selectListOf } from './catalog-sql.js';
import type { SequenceState } from './manifest.js';
import { appendOnlyTables } from './tables.js';

/** Number of rows in the first batch of a table, and maximum number of rows in later batches. */
const [firstBatchSize, maxBatchSize] = [100, 5_000];
/** Approximate size of a batch in characters. */
const batchLength = 1024 * 1024;

/** The rows and sequences of a database at one point in time. */
export interface Snapshot {
  readonly migrations: readonly string[];
  /** Names of the columns, keyed by table. */
  readonly columns: ReadonlyMap<string, readonly string[]>;
  readonly sequences: readonly SequenceState[];
  /**
   * Reads the rows of a table in batches. Each row is a JSON object without line breaks. With `since`, omits rows that have not changed since
   * then.
   */
  readRows(table: string, since?: Date | null): AsyncGenerator<readonly string[]>;
}

/**
 * Opens a read-only transaction that sees the database at one point in time. The settings make the text format independent of the server
 * configuration and disable the timeouts.
 */
export async function openSnapshot(client: Client, tables: readonly string[]): Promise<Snapshot> {
  await client.query(`
    begin isolation level repeatable read read only;
    set local timezone = 'UTC';
    set local datestyle = 'ISO';
    set local bytea_output = 'hex';
    set local extra_float_digits = 1;
    set local synchronize_seqscans = off;
    set local statement_timeout = 0;
    set local idle_in_transaction_session_timeout = 0`);
  const executed = await readExecutedMigrations(async (text) => (await client.query(text)).rows);
  const columns = await columnsOfTables(client, tables);
  return {
    migrations: [...(executed?.keys() ?? [])],
    columns,
    sequences: await readSequences(client),
    readRows: (table, since = null) => readRows(client, table, since, since ? timeColumnsOf(table, columns.get(table)) : []),
  };
}

/** Reads the sequences. Their values are not part of the snapshot, but are at least as high as the values in the rows of the snapshot. */
async function readSequences(client: Client): Promise<SequenceState[]> {
  const states: SequenceState[] = [];
  for (const name of await existingSequences(client)) {
    const { rows } = await client.query(`select last_value::text as "lastValue", is_called as "isCalled" from ${name}`);
    states.push({ name, ...rows[0] });
  }
  return states;
}

/** Returns the columns with the times at which a row was created and last changed. Empty if the table does not record all changes. */
function timeColumnsOf(table: string, columns: readonly string[] = []): readonly string[] {
  if (columns.includes('updated_at')) return ['created_at', 'updated_at'];
  return appendOnlyTables.has(table) ? ['created_at'] : [];
}

/** Reads the rows of a table. If there are time columns, reads only rows in which at least one of them is `since` or later. */
async function* readRows(
  client: Client,
  table: string,
  since: Date | null,
  timeColumns: readonly string[],
): AsyncGenerator<readonly string[]> {
  const columns = await selectListOf(client, table);
  const conditions = timeColumns.map((column) => `${column} >= $1`);
  const where = conditions.length > 0 ? `where ${conditions.join(' or ')}` : '';
  await client.query(
    `declare rows_of_table no scroll cursor for select row_to_json(r)::text from (select ${columns} from ${table} ${where}) r`,
    conditions.length > 0 ? [since] : [],
  );
  for (let size = firstBatchSize; ; ) {
    const { rows } = await client.query({ text: `fetch ${size} from rows_of_table`, rowMode: 'array' });
    const batch = rows.map(([row]): string => row);
    if (batch.length > 0) yield batch;
    if (batch.length < size) break;
    const length = batch.reduce((sum, row) => sum + row.length, 0);
    size = Math.max(1, Math.min(maxBatchSize, Math.floor((batchLength * batch.length) / length)));
  }
  await client.query('close rows_of_table');
}
