import type { Context } from '../declare/context.js';
import { fail } from '../declare/errors.js';
import { columnOf, metaOf, type RecordClass } from '../declare/meta.js';
import type { Values } from '../declare/options.js';
import { optionsOf } from '../declare/record.js';
import type { Param } from '../declare/row.js';
import type { WriteTerms } from '../declare/writers.js';
import { placeholder, queryBuilder, statementOf } from '../statement.js';

const column = (cls: RecordClass, key: string): string => columnOf(metaOf(cls), key).column;

const isGiven = (ifVersion: WriteTerms['ifVersion']): ifVersion is number => ifVersion !== undefined && ifVersion !== null;

/**
 * SQL conditions for writing an existing row with the alias `row`: it is not locked unless the values unlock it, it has the required owner, and
 * it has the required version. `param` adds values and returns their placeholders.
 */
export function writeConditions(
  cls: RecordClass,
  { ownRows, ifVersion }: WriteTerms,
  param: Param,
  values: Values = {},
  row = 'r',
): string[] {
  const { lock } = optionsOf(cls);
  return [
    ...(lock && values[lock] !== false ? [`not ${row}.${column(cls, lock)}`] : []),
    ...(ownRows ? [`${row}.${column(cls, ownRows.column)} = ${param(ownRows.userId)}`] : []),
    ...(isGiven(ifVersion) ? [`${row}.${column(cls, 'version')} = ${param(ifVersion)}`] : []),
  ];
}

export const failNotOwner = (one: string): never => fail('FORBIDDEN', `the ${one} belongs to another user`);
export const failLocked = (one: string): never => fail('CONFLICT', `that ${one} is locked`);

const failOutdated = (one: string, currentVersion: number): never =>
  fail('CONFLICT', `the ${one} was changed: its version is ${currentVersion} now`, { currentVersion });

/** Throws the reason why no row with an ID was written: it does not exist, has another owner or version, or is locked. */
export async function failUnwritten(
  { sql }: Context,
  cls: RecordClass,
  id: string,
  { ownRows: held, ifVersion }: WriteTerms,
): Promise<never> {
  const { lock, one, table } = optionsOf(cls);
  const statement = statementOf(`unwritten ${cls.name}`, () =>
    queryBuilder.selectFrom(`${table} as r`).selectAll().where('r.id', '=', placeholder(1)),
  );
  const [row] = held || lock || isGiven(ifVersion) ? await sql.statement(statement, [id]) : [];
  if (!row) return fail('NOT_FOUND', `no ${one} with the id ${id}`);
  if (held && row[column(cls, held.column)] !== held.userId) return failNotOwner(one);
  // Before the lock: the lock may be part of the change that the caller has not read yet.
  if (isGiven(ifVersion) && row.version !== ifVersion) return failOutdated(one, Number(row.version));
  return lock ? failLocked(one) : failNotOwner(one);
}
