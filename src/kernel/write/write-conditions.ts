import { sql as raw } from 'kysely';
import type { Context } from '../declare/context.js';
import { fail } from '../declare/errors.js';
import { expression, mainRow, parameter, type RowReference, type SqlExpression } from '../declare/expression.js';
import type { Values } from '../declare/fields/options.js';
import { columnOf, metaOf, type RecordClass } from '../declare/meta.js';
import type { WriteRequirements } from '../declare/policy/writers.js';
import { optionsOf } from '../declare/record.js';
import { placeholder, queryBuilder, statementOf } from '../statement.js';

const column = (cls: RecordClass, key: string): string => columnOf(metaOf(cls), key).column;

const isVersionRequired = (ifVersion: WriteRequirements['ifVersion']): ifVersion is number =>
  ifVersion !== undefined && ifVersion !== null;

/**
 * Returns the SQL conditions for writing an existing row. The row must have the required owner and version. The row must not be locked,
 * unless the new values unlock it.
 */
export function writeConditions(
  cls: RecordClass,
  { ownerRestriction, ifVersion }: WriteRequirements,
  values: Values = {},
  row: RowReference = mainRow,
): SqlExpression[] {
  const { lock } = optionsOf(cls);
  return [
    ...(lock && values[lock] !== false ? [expression`not ${row.column(column(cls, lock))}`] : []),
    ...(ownerRestriction
      ? [expression`${row.column(column(cls, ownerRestriction.column))} = ${parameter(ownerRestriction.userId)}`]
      : []),
    ...(isVersionRequired(ifVersion) ? [expression`${row.column(column(cls, 'version'))} = ${parameter(ifVersion)}`] : []),
  ];
}

/** Throws FORBIDDEN for a row of another user. */
export const rejectNonOwner = (one: string): never => fail('FORBIDDEN', `the ${one} belongs to another user`);
/** Throws CONFLICT for a locked row. */
export const rejectLockedRow = (one: string): never => fail('CONFLICT', `that ${one} is locked`);

const rejectOutdatedRow = (one: string, currentVersion: number): never =>
  fail('CONFLICT', `the ${one} has changed: its current version is ${currentVersion}`, { currentVersion });

/**
 * Returns the columns of the fields with these keys, and the ID, of the row `r`. With explicit columns, prepared statements of the previous
 * release stay valid when a migration adds a column.
 */
export const columnsOfRow = (cls: RecordClass, keys: readonly string[]) =>
  [...new Set(['id', ...keys.map((key) => column(cls, key))])].map((name) => raw.ref<unknown>(`r.${name}`).as(name));

/** Throws the error for a row that was not written, because it does not exist, lacks the required owner or version, or is locked. */
export async function rejectUnwrittenRow(
  { sql }: Context,
  cls: RecordClass,
  id: string,
  { ownerRestriction, ifVersion }: WriteRequirements,
): Promise<never> {
  const { lock, one, table } = optionsOf(cls);
  const readKeys = [...(ownerRestriction ? [ownerRestriction.column] : []), ...(isVersionRequired(ifVersion) ? ['version'] : [])];
  const statement = statementOf(`unwritten ${cls.name} ${readKeys.join(' ')}`, () =>
    queryBuilder.selectFrom(`${table} as r`).select(columnsOfRow(cls, readKeys)).where('r.id', '=', placeholder(1)),
  );
  const [row] = ownerRestriction || lock || isVersionRequired(ifVersion) ? await sql.statement(statement, [id]) : [];
  if (!row) return fail('NOT_FOUND', `no ${one} with the id ${id}`);
  if (ownerRestriction && row[column(cls, ownerRestriction.column)] !== ownerRestriction.userId) return rejectNonOwner(one);
  // The version is checked before the lock, because the caller may not have read the change that locked the row.
  if (isVersionRequired(ifVersion) && row.version !== ifVersion) return rejectOutdatedRow(one, Number(row.version));
  return lock ? rejectLockedRow(one) : rejectNonOwner(one);
}
