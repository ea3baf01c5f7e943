import { pipeline } from 'node:stream/promises';
import type { Client } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';

/**
 * Schema for the rows of an import until they are written. The schema is deleted at the end. After an interruption, a repeated import
 * continues with these rows. The tables with these rows are unlogged: a crash of the server empties them, and the import then starts again.
 */
export const staging = 'courtside_import';

/** A file after its rows have been staged and checked. */
export interface StagedFile {
  readonly table: string;
  readonly file: string;
  /** Number of rows that were read. */
  readonly readRows: number;
  /** Number of rows that passed all checks. */
  readonly acceptedRows: number;
  /** Columns that the rows contain. The other columns keep their values. */
  readonly columns: readonly string[];
  /** Columns that some rows contain and others omit. Existing rows keep their values in omitted columns. */
  readonly partialColumns: readonly string[];
}

/** Configures a session for an import: UTC times in ISO format, no timeouts, more memory, and asynchronous commits. */
export async function startSession(client: Client): Promise<void> {
  await client.query(`
    set timezone = 'UTC';
    set datestyle = 'ISO';
    set statement_timeout = 0;
    set lock_timeout = 0;
    set idle_in_transaction_session_timeout = 0;
    set work_mem = '64MB';
    set synchronous_commit = off`);
}

/** Creates the empty schema. `identity` describes the files and options of the import. */
export async function createStaging(client: Client, identity: string, isDryRun: boolean): Promise<void> {
  await dropStaging(client);
  await client.query(`
    create schema ${staging};
    create table ${staging}.import (identity text not null, is_dry_run boolean not null, is_checked boolean not null default false);
    create table ${staging}.file (position serial, table_name text primary key, file text not null, read_rows int not null, accepted_rows int, columns text[] not null, partial_columns text[] not null);
    create table ${staging}.written (table_name text, first_line int, primary key (table_name, first_line));
    create table ${staging}.refused (table_name text not null, file text not null, line int not null, id text, column_name text not null, expected text not null)`);
  await client.query(`insert into ${staging}.import (identity, is_dry_run) values ($1, $2)`, [identity, isDryRun]);
}

/** Deletes the schema. Suppresses the notices for its tables. */
export const dropStaging = (client: Client): Promise<unknown> =>
  client.query(`set client_min_messages = warning; drop schema if exists ${staging} cascade; reset client_min_messages`);

/** Whether the tables of `createStaging` exist. */
async function hasStaging(client: Client): Promise<boolean> {
  const { rows } = await client.query(`select to_regclass('${staging}.written') is not null as exists`);
  return rows[0]?.exists;
}

/** Whether the schema contains the checked rows of an import that writes rows. */
export async function hasInterruptedImport(client: Client): Promise<boolean> {
  if (!(await hasStaging(client))) return false;
  const { rowCount } = await client.query(`select from ${staging}.import where is_checked and not is_dry_run`);
  return rowCount === 1;
}

/** Whether the schema contains the checked rows of the same import. */
export async function canContinueImport(client: Client, identity: string): Promise<boolean> {
  if (!(await hasStaging(client))) return false;
  const { rows: imports } = await client.query(`select 1 from ${staging}.import where identity = $1 and is_checked`, [identity]);
  if (imports.length === 0) return false;
  for (const { table, acceptedRows } of await stagedFiles(client)) {
    const { rows: counts } = await client.query(`select count(*)::int as count from ${staging}.${table}`);
    if (counts[0]?.count !== acceptedRows) return false;
  }
  return true;
}

/** Returns the staged files in the order of their import. */
export async function stagedFiles(client: Client): Promise<StagedFile[]> {
  const { rows } = await client.query(
    `select table_name as "table", file, read_rows as "readRows", accepted_rows as "acceptedRows", columns, partial_columns as "partialColumns" from ${staging}.file order by position`,
  );
  return rows;
}

/** Creates an empty table for the rows of a file, their line numbers, and the columns that each row contains. */
export async function createStagedTable(client: Client, table: string): Promise<void> {
  await client.query(
    `create unlogged table ${staging}.${table} as select 0 as import_line, null::varbit as import_keys, t.* from public.${table} t with no data`,
  );
}

/** Writes rows in the text format of COPY: the line number, a bit for each column that the row can contain, and the values of `columns`. */
export async function copyRows(
  client: Client,
  table: string,
  columns: readonly string[],
  rows: AsyncIterable<string>,
): Promise<void> {
  const names = columns.map((name) => `"${name}"`).join(', ');
  await pipeline(rows, client.query(copyFrom(`copy ${staging}.${table} (import_line, import_keys, ${names}) from stdin`)));
}

/** Creates the indexes of a staged table and stores the metadata of its file. */
export async function finishStagedTable(
  client: Client,
  { table, file, readRows, columns, partialColumns }: StagedFile,
): Promise<void> {
  await client.query(
    `create index on ${staging}.${table} (id); create index on ${staging}.${table} (import_line); analyze ${staging}.${table}`,
  );
  await client.query(
    `insert into ${staging}.file (table_name, file, read_rows, columns, partial_columns) values ($1, $2, $3, $4, $5)`,
    [table, file, readRows, columns, partialColumns],
  );
}

/** Marks all rows as checked. From then on, an interrupted import can be continued. */
export async function finishChecks(client: Client, tables: readonly string[]): Promise<void> {
  await client.query('begin');
  for (const table of tables)
    await client.query(
      `update ${staging}.file set accepted_rows = (select count(*) from ${staging}.${table}) where table_name = $1`,
      [table],
    );
  await client.query(`update ${staging}.import set is_checked = true`);
  await client.query('commit');
}
