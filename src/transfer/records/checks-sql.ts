import type { Client } from 'pg';
import type { DictionaryColumn, DictionaryTable } from '../dictionary/dictionary.js';
import type { ImportedColumn } from './column-parser.js';
import { type StagedFile, staging } from './staging-sql.js';
import { columnChanges } from './write-sql.js';

/** Rows to refuse: a condition on the alias `s`, the column with the problem, and the expected value. */
interface Refusal {
  readonly condition: string;
  readonly column: string;
  readonly expected: string;
}

/** Moves rows from a staged table to the table of refused rows. Returns the number of moved rows. */
async function refuse(client: Client, table: string, { condition, column, expected }: Refusal): Promise<number> {
  const { rowCount } = await client.query(
    `with removed as (delete from ${staging}.${table} s where ${condition} returning s.import_line, s.id)
     insert into ${staging}.refused (table_name, file, line, id, column_name, expected)
     select table_name, file, import_line, id, $2, $3 from removed join ${staging}.file on table_name = $1`,
    [table, column, expected],
  );
  return rowCount ?? 0;
}

const quoted = (name: string): string => `"${name}"`;

/** Refuses rows with the same values as an earlier line, or as an existing row with another ID. */
async function refuseDuplicates(client: Client, table: string, columns: readonly string[]): Promise<void> {
  const [column = '', ...others] = columns;
  const isId = columns.length === 1 && column === 'id';
  const names = columns.map(quoted).join(', ');
  const isSet = columns.map((name) => `${quoted(name)} is not null`).join(' and ');
  const withOthers = others.length > 0 ? ` with the same ${others.join(' and ')}` : '';
  await refuse(client, table, {
    condition: `s.import_line in (select import_line from (
      select import_line, row_number() over (partition by ${names} order by import_line) as number from ${staging}.${table} where ${isSet}) numbered
      where number > 1)`,
    column,
    expected: `a value that no earlier line has${withOthers}`,
  });
  if (isId) return;
  const isSame = columns.map((name) => `t.${quoted(name)} = s.${quoted(name)}`).join(' and ');
  await refuse(client, table, {
    condition: `exists (select from public.${table} t where ${isSame} and t.id <> s.id)`,
    column,
    expected: `a value that no other row has${withOthers}`,
  });
}

/** Refuses rows that repeat the values of another row in unique columns. */
export async function refuseRepeatedKeys(
  client: Client,
  { table, columns, uniqueKeys }: DictionaryTable,
  present: readonly string[],
): Promise<void> {
  const keys = [...columns.flatMap(({ name, unique }) => (unique ? [[name]] : [])), ...uniqueKeys];
  for (const key of keys) if (key.every((name) => present.includes(name))) await refuseDuplicates(client, table, key);
  const secrets = columns.flatMap(({ name, valueKey }) => (valueKey ? [name] : []));
  for (const name of secrets)
    for (const other of secrets)
      if (other !== name && present.includes(name)) await refuseSharedSecrets(client, table, name, other);
}

/** Refuses rows with a secret that another row has in another column, such as the previous token of another platform. */
const refuseSharedSecrets = (client: Client, table: string, column: string, other: string): Promise<number> =>
  refuse(client, table, {
    condition: `exists (select from public.${table} t where t.${quoted(other)} = s.${quoted(column)} and t.id <> s.id)
      or exists (select from ${staging}.${table} n where n.${quoted(other)} = s.${quoted(column)} and n.import_line < s.import_line)`,
    column,
    expected: `a value that no other row has in ${other}`,
  });

/**
 * Returns the SQL condition for a missing reference: the target is neither an existing nor a staged row. An empty string is not a
 * reference.
 */
function missingReference({ name, type, reference }: DictionaryColumn, stagedTables: ReadonlySet<string>): string {
  const target = String(reference).replace(/\.id$/, '');
  const isMissing = (id: string) =>
    `${id} <> '' and not exists (select from public.${target} t where t.id = ${id})${
      stagedTables.has(target) ? ` and not exists (select from ${staging}.${target} n where n.id = ${id})` : ''
    }`;
  return type === 'list'
    ? `exists (select from unnest(s.${quoted(name)}) as item(id) where ${isMissing('item.id')})`
    : `s.${quoted(name)} is not null and ${isMissing(`s.${quoted(name)}`)}`;
}

/**
 * Refuses rows with references to missing rows. Returns the number of refused rows. The caller repeats the check, because other rows can
 * refer to the refused rows.
 */
export async function refuseMissingReferences(
  client: Client,
  { table, columns }: DictionaryTable,
  present: readonly string[],
  stagedTables: ReadonlySet<string>,
): Promise<number> {
  let count = 0;
  for (const column of columns) {
    if (!column.isReferenceChecked || !present.includes(column.name)) continue;
    count += await refuse(client, table, {
      condition: missingReference(column, stagedTables),
      column: column.name,
      expected: `the id of an existing row of ${String(column.reference).replace(/\.id$/, '')}`,
    });
  }
  return count;
}

/**
 * Refuses rows that change the lookup data with these IDs, because the service would undo the changes when it loads the lookup data. The
 * time of the insert is not part of the lookup data.
 */
export async function refuseLookupChanges(
  client: Client,
  staged: StagedFile,
  columns: readonly ImportedColumn[],
  ids: readonly unknown[],
): Promise<void> {
  const isLookup = `s.id in (select json_array_elements_text(${client.escapeLiteral(JSON.stringify(ids))}))`;
  for (const { column, condition } of columnChanges(staged, columns)) {
    if (column === 'inserted_at') continue;
    await refuse(client, staged.table, {
      condition: `${isLookup} and exists (select from public.${staged.table} r where r.id = s.id and ${condition})`,
      column,
      expected: 'the value from the lookup data of this release (the service loads lookup data automatically)',
    });
  }
}
