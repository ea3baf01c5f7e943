import type { Client } from 'pg';
import { existingSequences } from './catalog-sql.js';
import { lockImports, type OnWait } from './import-lock-sql.js';
import type { SequenceState } from './manifest.js';

/**
 * Locks that migrations and the first start of the service also acquire. A service that starts therefore waits until the import has ended.
 */
const locks = ['courtside migrations', 'courtside filling'];

/**
 * Starts the transaction of an import. Triggers are disabled, because an export contains the rows that triggers derive from other rows. The
 * database user must own the tables. The tables are locked against writes by other sessions.
 */
export async function startImport(client: Client, tables: readonly string[], onWait: OnWait): Promise<void> {
  await client.query(`
    begin;
    set local timezone = 'UTC';
    set local statement_timeout = 0;
    set local lock_timeout = 0;
    set local idle_in_transaction_session_timeout = 0`);
  await lockImports(client, 'transaction', onWait);
  for (const lock of locks) await client.query('select pg_advisory_xact_lock(hashtext($1))', [lock]);
  for (const table of tables) await client.query(`alter table ${table} disable trigger user`);
}

/**
 * Enables the triggers and commits. Checks foreign keys first, because PostgreSQL cannot enable triggers while deferred checks are pending.
 */
export async function finishImport(client: Client, tables: readonly string[]): Promise<void> {
  await client.query('set constraints all immediate');
  for (const table of tables) await client.query(`alter table ${table} enable trigger user`);
  await client.query('commit');
  await client.query(`analyze ${tables.join(', ')}`);
}

export async function countRows(client: Client, table: string): Promise<number> {
  const { rows } = await client.query(`select count(*)::float8 as count from ${table}`);
  return rows[0]?.count ?? 0;
}

/** Deletes all rows of a table. */
export const deleteRows = (client: Client, table: string): Promise<unknown> => client.query(`delete from ${table}`);

/** Inserts rows, passed as a JSON array of objects. PostgreSQL parses the values, so that numbers keep all digits. */
export const insertRows = (client: Client, table: string, rows: string): Promise<unknown> =>
  client.query(`insert into ${table} select * from json_populate_recordset(null::${table}, $1::json)`, [rows]);

/** Sets the sequences of the database. Throws an error if the database has other sequences. */
export async function setSequences(client: Client, states: readonly SequenceState[]): Promise<void> {
  const names = await existingSequences(client);
  const missing = names.filter((name) => !states.some((state) => state.name === name));
  const unknown = states.filter(({ name }) => !names.includes(name));
  if (missing.length + unknown.length > 0) {
    const names = [...missing, ...unknown.map(({ name }) => name)].join(', ');
    throw new Error(`the export and the database do not have the same sequences: ${names}`);
  }
  for (const { name, lastValue, isCalled } of states)
    await client.query('select setval($1::regclass, $2::bigint, $3::boolean)', [name, lastValue, isCalled]);
}
