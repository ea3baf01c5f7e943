import type { Client } from 'pg';
import { errorCode } from '../../kernel/database-errors.js';
import { type HintColumn, isPasswordHash } from '../dictionary/hashed-columns.js';
import type { ImportedColumn } from './column-parser.js';
import { type StagedFile, staging } from './staging-sql.js';

/** Number of lines in a batch. */
export const batchLines = 5000;

/** Actor of the rows in the audit trail and the change log. */
const actor = JSON.stringify({ source: 'COMMAND' });

const quoted = (name: string): string => `"${name}"`;

/** Statements that write the staged rows in a range of lines. */
export interface WriteStatements {
  /** SQL statement that counts the rows. */
  readonly count: string;
  /** SQL statement that inserts the rows with new IDs. */
  readonly insert: string;
  /** SQL statement that updates the existing rows that differ from the staged rows. */
  readonly update: string;
}

/**
 * SQL expression for the algorithm and cost of a password hash. Null if the hash does not have the format of this service: argon2id with p=1.
 */
const costOf = (row: string): string => `substring(${row}.password_hash from '^\\$argon2id\\$v=19\\$m=\\d+,t=\\d+,p=1\\$')`;

/**
 * Value of the password hash of an existing user. After a sign-in or a password change, the database contains a hash of this service. An
 * imported hash with another algorithm or cost counts as older, and does not replace it.
 */
const passwordValue = `case when ${costOf('r')} <> coalesce(${costOf('s')}, '') then r.password_hash
  else coalesce(s.password_hash, r.password_hash) end`;

/**
 * Value of a column with the first characters of a secret. If the hash of the secret changes, the imported value replaces the stored
 * characters, even if it is null.
 */
const hintValue = (name: string, { hashColumn }: HintColumn): string =>
  `case when s.${hashColumn} <> r.${hashColumn} then s.${name} else coalesce(s.${name}, r.${name}) end`;

/** Columns with the tokens of a platform. After Courtside has changed a token, an import does not replace these columns with older values. */
const tokenColumns: ReadonlySet<string> = new Set([
  'token_hash',
  'token_hint',
  'previous_token_hash',
  'previous_token_ends_at',
  'token_changed_at',
]);

/** Value of a column with a token of a platform. */
const tokenValue = (name: string, imported: string): string =>
  `case when r.token_changed_at > coalesce(s.token_changed_at, '-infinity') then r.${name} else ${imported} end`;

/**
 * Values of the image columns of an existing user, if the file contains both. A trigger replaces the image of a user with the approved image,
 * and stores the replaced image in `own_image_url`. The approved images of the file and the database can differ.
 */
const imageValues: Readonly<Record<string, string>> = {
  image_url: 'case when r.approved_image_url is null then s.image_url else r.image_url end',
  own_image_url: `case when r.approved_image_url is null or s.approved_image_url is not null then s.own_image_url
    else coalesce(s.own_image_url, s.image_url) end`,
};

/**
 * SQL expression for a time shortly before `end`: one millisecond per line, ascending or descending. Ascending times start one day before `end`,
 * so that they are in the past.
 */
export function orderedTime(end: Date, order: 'ASC' | 'DESC'): string {
  const offset = order === 'ASC' ? `s.import_line * interval '1 ms' - interval '1 day'` : `- s.import_line * interval '1 ms'`;
  return `timestamptz '${end.toISOString()}' + (${offset})`;
}

/** Columns and partial columns of a staged file. */
type StagedColumns = Pick<StagedFile, 'table' | 'columns' | 'partialColumns'>;

/** Change that a staged row `s` makes to a column of an existing row `r`. */
interface ColumnChange {
  readonly column: string;
  /** SQL expression for the new value. */
  readonly value: string;
  /** SQL condition that is true if the new value differs. */
  readonly condition: string;
}

/**
 * Returns the possible changes to existing rows. Columns that a staged row does not contain keep their values. In rows that were downloaded
 * from `/v1`, null can also mean 0 or empty text, and does not replace these values.
 */
export function columnChanges(
  { table, columns: present, partialColumns }: StagedColumns,
  columns: readonly ImportedColumn[],
  isFromLegacy = false,
): ColumnChange[] {
  const changeable = columns.filter(({ name, isComputed }) => present.includes(name) && name !== 'id' && !isComputed);
  const hasBothImages = table === 'app_user' && Object.keys(imageValues).every((name) => present.includes(name));
  // If a row has no value for a hash or for a column with a default, the existing value is kept.
  const importedValue = ({ name, defaultSql, unsetSql, ignoresEmpty, hint }: ImportedColumn): string =>
    (hasBothImages && imageValues[name]) ||
    (hint && hintValue(name, hint)) ||
    (isPasswordHash(table, name) && passwordValue) ||
    (defaultSql !== null || ignoresEmpty
      ? `coalesce(s.${quoted(name)}, r.${quoted(name)})`
      : isFromLegacy && unsetSql !== null
        ? `coalesce(s.${quoted(name)}, case when r.${quoted(name)} = ${unsetSql} then r.${quoted(name)} end)`
        : `s.${quoted(name)}`);
  const hasColumn = (name: string): string =>
    partialColumns.includes(name) ? `get_bit(s.import_keys, ${columns.findIndex((column) => column.name === name)}) = 1` : 'true';
  const updated = (column: ImportedColumn): string => {
    const { name } = column;
    const value = importedValue(column);
    const newer = table === 'platform' && tokenColumns.has(name) ? tokenValue(name, value) : value;
    return partialColumns.includes(name) ? `case when ${hasColumn(name)} then ${newer} else r.${quoted(name)} end` : newer;
  };
  // Clients may send back the image URL that they have read. A URL that equals a stored one therefore does not count as a change.
  const isReplaced = (name: string) => table === 'app_user' && name === 'image_url' && !hasBothImages;
  return changeable.map((column) => ({
    column: column.name,
    value: updated(column),
    condition: isReplaced(column.name)
      ? `${hasColumn(column.name)} and s.image_url is distinct from r.image_url and s.image_url is distinct from r.own_image_url`
      : `r.${quoted(column.name)} is distinct from ${updated(column)}`,
  }));
}

/** Returns the statements that write the rows of a file. */
export function writeStatements(
  staged: StagedColumns,
  columns: readonly ImportedColumn[],
  isFromLegacy = false,
): WriteStatements {
  const { table, columns: present } = staged;
  const imported = columns.filter(({ name }) => present.includes(name));
  const names = imported.map(({ name }) => quoted(name));
  const inserted = imported.map(({ name, defaultSql }) =>
    defaultSql === null ? `s.${quoted(name)}` : `coalesce(s.${quoted(name)}, ${defaultSql})`,
  );
  const changes = columnChanges(staged, columns, isFromLegacy);
  // Rows without a version increment the stored version. Rows without `updated_at` set it to the current time.
  const valuesOfChange = { version: 'r.version + 1', updated_at: 'clock_timestamp()' };
  const updates = [
    ...changes.flatMap(({ column, value }) => (column in valuesOfChange ? [] : [`${quoted(column)} = ${value}`])),
    ...Object.entries(valuesOfChange).flatMap(([name, value]) =>
      columns.some((column) => column.name === name)
        ? [`${name} = ${present.includes(name) ? `coalesce(s.${name}, ${value})` : value}`]
        : [],
    ),
  ];
  const from = `from ${staging}.${table} s where s.import_line between $1 and $2`;
  return {
    count: `select count(*)::int as count ${from}`,
    insert: `insert into public.${table} (${names.join(', ')}) select ${inserted.join(', ')} ${from}
      and not exists (select from public.${table} t where t.id = s.id) on conflict (id) do nothing`,
    update:
      changes.length === 0
        ? 'select where $1::int > $2::int'
        : `update public.${table} r set ${updates.join(', ')} ${from} and s.id = r.id and (${changes.map(({ condition }) => `(${condition})`).join(' or ')})`,
  };
}

/** Lines of a batch, and the statements that write them. */
export interface Batch {
  readonly table: string;
  readonly statements: WriteStatements;
  readonly first: number;
  readonly last: number;
  /** Whether triggers can change the values of inserted rows. */
  readonly isChangedByTriggers: boolean;
}

/** Whether triggers can change the values of inserted rows. This applies to users, if there are user images. */
export async function areRowsChangedByTriggers(client: Client, table: string): Promise<boolean> {
  if (table !== 'app_user') return false;
  const { rows } = await client.query('select exists (select from user_image) as exists');
  return rows[0]?.exists;
}

/**
 * Writes a batch and its progress in one transaction. Returns the number of written rows. If `isWhole` is false, the batch is a part of another
 * batch, which stores the progress.
 */
export async function writeBatch(client: Client, batch: Batch, isWhole: boolean): Promise<number> {
  const { table, statements, first, last, isChangedByTriggers } = batch;
  await client.query(`begin; select set_config('courtside.actor', '${actor}', true)`);
  try {
    const lines = [first, last];
    const { rows } = await client.query(statements.count, lines);
    const count: number = rows[0]?.count;
    let written = (await client.query(statements.insert, lines)).rowCount ?? 0;
    if (written < count || isChangedByTriggers) written += (await client.query(statements.update, lines)).rowCount ?? 0;
    if (isWhole) await client.query(`insert into ${staging}.written (table_name, first_line) values ($1, $2)`, [table, first]);
    await client.query('commit');
    return Math.min(written, count);
  } catch (error) {
    // If the connection is lost, the rollback also fails.
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}

/** Stores the progress of a batch that was written in parts. */
export const storeProgress = (client: Client, { table, first }: Batch): Promise<unknown> =>
  client.query(`insert into ${staging}.written (table_name, first_line) values ($1, $2) on conflict do nothing`, [table, first]);

/** Returns the first lines of the batches of a table that have not been written. */
export async function pendingBatches(client: Client, table: string): Promise<number[]> {
  const { rows } = await client.query(
    `select line from (select coalesce(max(import_line), 0) as last from ${staging}.${table}) lines, generate_series(1, last, ${batchLines}) as first(line)
     where not exists (select from ${staging}.written w where w.table_name = $1 and w.first_line = line) order by line`,
    [table],
  );
  return rows.map(({ line }) => line);
}

/** Raises the sequence of category numbers above the imported IDs. */
export async function raiseSequences(client: Client): Promise<void> {
  await client.query(
    `select setval('category_number', (number + 1)::bigint, false)
     from (select max(id::numeric) as number from category where id ~ '^[0-9]{1,18}$') numbers, category_number
     where number >= last_value`,
  );
}

/** Maximum size in kB of the pending list of the search index: the value that migrations set, and the value during an import. */
const pendingSizes = { migrated: 64, importing: 16_384 } as const;

/**
 * Increases or resets the maximum size of the pending list of the search index. With a longer list, writing tournaments takes 25% less time
 * (1.43 s instead of 1.90 s for 5,000 rows), but searches are slower. Has no effect if queries keep the index locked for 5 s.
 */
export async function setPendingListSize(client: Client, size: keyof typeof pendingSizes): Promise<void> {
  const option = `gin_pending_list_limit=${pendingSizes[size]}`;
  const { rowCount } = await client.query(
    `select from pg_class where oid = 'public.search_text_text_idx'::regclass and $1 = any (reloptions)`,
    [option],
  );
  if (rowCount) return;
  await client.query(`set lock_timeout = '5s'`);
  try {
    await client.query(`alter index search_text_text_idx set (${option})`);
  } catch (error) {
    if (errorCode(error) !== '55P03') throw error;
  } finally {
    await client.query('set lock_timeout = 0');
  }
  if (size === 'migrated') await client.query(`select gin_clean_pending_list('search_text_text_idx')`);
}
