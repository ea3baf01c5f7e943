import type { RecordClass } from '../declare/meta.js';
import type { CustomFilter } from '../declare/options.js';
import { optionsOf } from '../declare/record.js';
import type { Param } from '../declare/row.js';
import { nearOf } from './near.js';
import { conditionsBy, ofEnumeration, ofInstants, ofManyNumbers, ofManyOf } from './operators.js';
import { searchOf } from './search.js';

const added = new Map<RecordClass, Record<string, CustomFilter>>();
const known = new Map<RecordClass, Readonly<Record<string, CustomFilter>>>();

/** Adds filters to a record of another module: by what only this one knows. */
export function addFilters(cls: RecordClass, filters: Record<string, CustomFilter>): void {
  if (known.has(cls)) throw new Error(`the filter of ${cls.name} is made already`);
  added.set(cls, { ...added.get(cls), ...filters });
}

/** The filters of a record beyond those of its columns and relations. */
export function ownFiltersOf(cls: RecordClass): Readonly<Record<string, CustomFilter>> {
  const made = known.get(cls);
  if (made) return made;
  const { names, place, filters } = optionsOf(cls);
  const all = {
    ...(names && { search: searchOf(cls, names) }),
    ...(place && { near: nearOf(cls, place) }),
    ...filters,
    ...added.get(cls),
  };
  known.set(cls, all);
  return all;
}

/** SQL of an expression on a row. */
type Build = (param: Param) => string;

/** True asks for the condition, false for its opposite. */
export const when = (description: string, build: Build, { isFew }: { isFew?: true } = {}): CustomFilter => ({
  type: () => Boolean,
  description,
  sql(wanted: boolean, param) {
    const condition = build(param);
    return wanted ? { where: `(${condition})`, ...(isFew && { isFew }) } : `not coalesce((${condition}), false)`;
  },
});

/** What is computed as one of the values of an enumeration. `few` are conditions that hold with one of them and have an index. */
export function whichOf(
  values: object,
  description: string,
  expression: Build,
  few: Readonly<Record<string, Build>> = {},
): CustomFilter {
  const { input, table } = ofEnumeration(values);
  return {
    type: () => input,
    description,
    sql(given: { eq?: string; in?: string[] }, param, _, path) {
      const conditions = conditionsBy(table, given, param, path, `(${expression(param)})`);
      const asked = [...(given.eq ? [given.eq] : []), ...(given.in ?? [])];
      const hints = asked.flatMap((value) => few[value]?.(param) ?? []);
      const isFew = asked.length > 0 && hints.length === asked.length;
      if (isFew) conditions.push(`(${hints.join(' or ')})`);
      return { where: conditions.join(' and ') || 'true', ...(isFew && { isFew }) };
    },
  };
}

/** A point in time that is computed. */
export const momentOf = (description: string, expression: Build): CustomFilter => ({
  type: () => ofInstants.input,
  description,
  sql: (given: object, param, _, path) =>
    conditionsBy(ofInstants.table, given, param, path, `(${expression(param)})`).join(' and ') || 'true',
});

/** Several values at once: `sql` tells which rows have at least one of some. */
function some<T>(
  type: object,
  description: string,
  read: (operand: unknown) => T,
  sql: (wanted: readonly T[], param: Param) => string,
): CustomFilter {
  return {
    type: () => type,
    description,
    sql(given: object, param, _, path) {
      const holds = { description, sql: (_: string, operand: unknown) => sql([operand].flat().map(read), param) };
      return conditionsBy({ has: holds, hasAny: holds }, given, param, path, '').join(' and ') || 'true';
    },
  };
}

/** The values of an enumeration, several at once. */
export const someOf = (
  values: object,
  description: string,
  sql: (wanted: readonly string[], param: Param) => string,
): CustomFilter => some(ofManyOf(values).input, description, String, sql);

/** Numbers, several at once. */
export const someNumbersOf = (description: string, sql: (wanted: readonly number[], param: Param) => string): CustomFilter =>
  some(ofManyNumbers.input, description, Number, sql);
