import type { RecordClass } from '../declare/meta.js';
import type { CustomFilter } from '../declare/options.js';
import { optionsOf } from '../declare/record.js';
import type { Param } from '../declare/row.js';
import { nearOf } from './near.js';
import { conditionsBy, ofEnumeration, ofInstants, ofManyNumbers, ofManyOf } from './operators.js';
import { searchOf } from './search.js';

const added = new Map<RecordClass, Record<string, CustomFilter>>();
const known = new Map<RecordClass, Readonly<Record<string, CustomFilter>>>();

/** Adds custom filters to a record of another module. */
export function addFilters(cls: RecordClass, filters: Record<string, CustomFilter>): void {
  if (known.has(cls)) throw new Error(`the filter of ${cls.name} is made already`);
  added.set(cls, { ...added.get(cls), ...filters });
}

/** Custom filters of a record. They are not derived from its columns and relations. */
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

/** Boolean filter: true matches rows that meet the condition, false matches the other rows. */
export const when = (description: string, build: Build, { isFew }: { isFew?: true } = {}): CustomFilter => ({
  type: () => Boolean,
  description,
  sql(wanted: boolean, param) {
    const condition = build(param);
    return wanted ? { where: `(${condition})`, ...(isFew && { isFew }) } : `not coalesce((${condition}), false)`;
  },
});

/** Filter on a computed value of an enumeration. `few` contains, by value, indexed conditions that all rows with this value meet. */
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

/** Filter on a computed point in time. */
export const momentOf = (description: string, expression: Build): CustomFilter => ({
  type: () => ofInstants.input,
  description,
  sql: (given: object, param, _, path) =>
    conditionsBy(ofInstants.table, given, param, path, `(${expression(param)})`).join(' and ') || 'true',
});

/** Filter on a computed list of values. `sql` is the condition that the row has at least one of the values. */
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

/** Filter on a computed list of values of an enumeration. */
export const someOf = (
  values: object,
  description: string,
  sql: (wanted: readonly string[], param: Param) => string,
): CustomFilter => some(ofManyOf(values).input, description, String, sql);

/** Filter on a computed list of numbers. */
export const someNumbersOf = (description: string, sql: (wanted: readonly number[], param: Param) => string): CustomFilter =>
  some(ofManyNumbers.input, description, Number, sql);
