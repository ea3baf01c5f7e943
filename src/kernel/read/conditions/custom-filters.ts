import { allOf, anyOf, expression, type Parameter, type RowReference, type SqlExpression } from '../../declare/expression.js';
import type { CustomFilter } from '../../declare/fields/options.js';
import type { RecordClass } from '../../declare/meta.js';
import { optionsOf } from '../../declare/record.js';
import { nearFilter } from './near.js';
import { conditionsBy, enumListOperators, enumOperators, instantOperators, numberListOperators } from './operators.js';
import { searchOf } from './search.js';

const addedFilters = new Map<RecordClass, Record<string, CustomFilter>>();
const filtersByRecord = new Map<RecordClass, Readonly<Record<string, CustomFilter>>>();

/** Adds custom filters to a record of another module. */
export function addFilters(cls: RecordClass, filters: Record<string, CustomFilter>): void {
  if (filtersByRecord.has(cls)) throw new Error(`the filter of ${cls.name} has already been created`);
  addedFilters.set(cls, { ...addedFilters.get(cls), ...filters });
}

/** Returns the filters of a record that are not derived from its columns and relations. */
export function customFiltersOf(cls: RecordClass): Readonly<Record<string, CustomFilter>> {
  const cached = filtersByRecord.get(cls);
  if (cached) return cached;
  const { names, location, filters } = optionsOf(cls);
  const customFilters = {
    ...(names && { search: searchOf(cls, names) }),
    ...(location && { near: nearFilter(cls, location) }),
    ...filters,
    ...addedFilters.get(cls),
  };
  filtersByRecord.set(cls, customFilters);
  return customFilters;
}

/** Builds an SQL expression that refers to a row. */
type Build = (row: RowReference) => SqlExpression;

/** Creates a Boolean filter for a condition. `true` matches rows that meet the condition, and `false` matches all other rows. */
export const booleanFilter = (description: string, build: Build, { isSelective }: { isSelective?: true } = {}): CustomFilter => ({
  type: () => Boolean,
  description,
  sql(value: boolean, row) {
    const condition = build(row);
    return value
      ? { where: expression`(${condition})`, ...(isSelective && { isSelective }) }
      : expression`not coalesce((${condition}), false)`;
  },
});

/**
 * Creates a filter for a computed enumeration value. `selectiveConditions` maps a value to an indexed condition that all rows with this
 * value meet.
 */
export function enumFilter(
  values: object,
  description: string,
  build: Build,
  selectiveConditions: Readonly<Record<string, Build>> = {},
): CustomFilter {
  const { input, table } = enumOperators(values);
  return {
    type: () => input,
    description,
    sql(operands: { eq?: string; in?: string[] }, row, _, path) {
      const conditions = conditionsBy(table, operands, expression`(${build(row)})`, path);
      const requestedValues = [...(operands.eq ? [operands.eq] : []), ...(operands.in ?? [])];
      const hints = requestedValues.flatMap((value) => selectiveConditions[value]?.(row) ?? []);
      const isSelective = requestedValues.length > 0 && hints.length === requestedValues.length;
      if (isSelective) conditions.push(expression`(${anyOf(hints)})`);
      return { where: allOf(conditions), ...(isSelective && { isSelective }) };
    },
  };
}

/** Creates a filter for a computed point in time. */
export const instantFilter = (description: string, build: Build): CustomFilter => ({
  type: () => instantOperators.input,
  description,
  sql: (input: object, row, _, path) => allOf(conditionsBy(instantOperators.table, input, expression`(${build(row)})`, path)),
});

/** Creates a filter for a computed list of values. `sql` returns the condition for rows that have at least one of the given values. */
function listFilter<T>(
  type: object,
  description: string,
  parseOperand: (operand: unknown) => T,
  sql: (values: readonly T[], row: RowReference) => SqlExpression,
): CustomFilter {
  return {
    type: () => type,
    description,
    sql(input: object, row, _, path) {
      const condition = (_: SqlExpression, { value }: Parameter) => sql([value].flat().map(parseOperand), row);
      const operator = { description, sql: condition };
      return allOf(conditionsBy({ has: operator, hasAny: operator }, input, row, path));
    },
  };
}

/** Creates a filter for a computed list of enumeration values. */
export const enumListFilter = (
  values: object,
  description: string,
  sql: (values: readonly string[], row: RowReference) => SqlExpression,
): CustomFilter => listFilter(enumListOperators(values).input, description, String, sql);

/** Creates a filter for a computed list of numbers. */
export const numberListFilter = (
  description: string,
  sql: (values: readonly number[], row: RowReference) => SqlExpression,
): CustomFilter => listFilter(numberListOperators.input, description, Number, sql);
