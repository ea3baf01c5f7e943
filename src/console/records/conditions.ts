import type { FilterField, RecordType } from 'courtside-console/catalog';
import type { Json } from 'courtside-sdk';
import { enumValuesOf } from './catalog.ts';
import { inSentence, labelOfConstant, labelOfName } from './words.ts';

/** Comparison of a field with a value. */
export interface Operator {
  /** Name of the operator in the URL. */
  readonly name: string;
  readonly label: string;
  /** Whether the user enters a value. */
  readonly takesValue: boolean;
  /** Returns the condition of the filter for a value. */
  conditionOf(value: Json): Json;
}

const comparison = (name: string, label: string): Operator => ({
  name,
  label,
  takesValue: true,
  conditionOf: (value) => ({ [name]: value }),
});

const constant = (name: string, label: string, condition: Json): Operator => ({
  name,
  label,
  takesValue: false,
  conditionOf: () => condition,
});

const presence = [constant('empty', 'is empty', { isNull: true }), constant('set', 'is not empty', { isNull: false })];
const equality = [comparison('eq', 'is'), comparison('ne', 'is not')];
const text = [comparison('contains', 'contains'), comparison('startsWith', 'starts with'), ...equality, ...presence];
const numbers = [comparison('eq', 'is'), comparison('gte', 'is at least'), comparison('lte', 'is at most'), ...presence];
const times = [comparison('gte', 'is at or after'), comparison('lte', 'is at or before'), ...presence];
const records = [constant('some', 'has any', { some: {} }), constant('none', 'has none', { none: {} })];
const list = [comparison('has', 'has')];
const direct: readonly Operator[] = [{ name: 'is', label: 'is', takesValue: true, conditionOf: (value) => value }];

const byType: Readonly<Record<string, readonly Operator[]>> = {
  String: text,
  Int: numbers,
  Float: numbers,
  Money: numbers,
  Instant: times,
  Date: times,
  LocalDateTime: times,
};

/** Returns the operators of a field, in the order in which the form offers them. */
export function operatorsOf({ type, form }: FilterField): readonly Operator[] {
  if (form === 'value') return direct;
  if (form === 'list') return list;
  if (form === 'records') return records;
  return byType[type] ?? [...equality, ...presence];
}

/** Condition of a filter, which is a search parameter of the URL, such as `startsAt.gte=2026-03-01T00:00:00.000Z`. */
export interface Condition {
  readonly field: FilterField;
  readonly operator: Operator;
  readonly value: string;
}

export const parameterOf = (field: FilterField, operator: Operator): string => `${field.name}.${operator.name}`;

/** Reads the conditions from the search parameters of the URL. Unknown parameters are ignored. */
export const conditionsIn = (type: RecordType, search: URLSearchParams): readonly Condition[] =>
  type.filters.flatMap((field) =>
    operatorsOf(field).flatMap((operator) => {
      const value = search.get(parameterOf(field, operator));
      return value === null ? [] : [{ field, operator, value }];
    }),
  );

/** Converts the text of an operand to its value. Text that is not a number is not converted, so that the service reports it. */
function operandOf({ type }: FilterField, value: string): Json {
  if (type === 'Boolean') return value === 'true';
  const isNumber = (type === 'Int' || type === 'Float') && Number.isFinite(Number(value));
  return isNumber ? Number(value) : value;
}

/** Converts conditions and a text search to a filter. All conditions must match. */
export function filterInputOf(type: RecordType, conditions: readonly Condition[], searchText: string): Json {
  const parts = conditions.map(({ field, operator, value }) => ({
    [field.name]: operator.conditionOf(operandOf(field, value)),
  }));
  const { search } = type;
  const textCondition = search && searchText ? [{ [search]: search === 'search' ? searchText : { contains: searchText } }] : [];
  const all: readonly Json[] = [...textCondition, ...parts];
  if (all.length < 2) return all[0] ?? null;
  return { and: all };
}

/** Returns the labels of the conditions of a filter, keyed by their paths in the graph. */
export const labelsOf = (conditions: readonly Condition[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    conditions.flatMap(({ field, operator }) =>
      ['filter', 'filter.and'].flatMap((path) => {
        const label = filterLabelOf(field);
        return [
          [`${path}.${field.name}`, label],
          [`${path}.${field.name}.${operator.name}`, label],
        ];
      }),
    ),
  );

/** Returns the filter with which an input finds records by text. Records without a text search are found by their ID. */
export function searchFilterOf(type: RecordType, text: string): Json {
  if (text === '') return null;
  const { search, code, filters } = type;
  if (!search) return { id: { eq: text } };
  if (search === 'search') return { search: text };
  const fields = [search, ...(code && code !== search && filters.some(({ name }) => name === code) ? [code] : [])];
  return { or: fields.map((field) => ({ [field]: { contains: text } })) };
}

export const searchTextIn = (search: URLSearchParams): string => search.get('search') ?? '';

/** Returns the label of a field in filters. An ID has the label of the record that it identifies, such as `Club` for `clubId`. */
export const filterLabelOf = ({ name, record }: FilterField): string => labelOfName(record ? name.replace(/Ids?$/, '') : name);

/** Describes a condition, such as `Starts at is at or after Mar 1, 2026`. `valueText` is the displayed value. */
export function describeCondition({ field, operator }: Condition, valueText: string): string {
  const name = filterLabelOf(field);
  if (field.form === 'records') return `${operator.label} ${inSentence(name)}`;
  return `${name} ${operator.label}${operator.takesValue ? ` ${valueText}` : ''}`;
}

/** Returns the options of an operand that is an enum or a boolean. Undefined for other operands. */
export function optionsOf(type: string): readonly (readonly [value: string, label: string])[] | undefined {
  if (type === 'Boolean')
    return [
      ['true', 'Yes'],
      ['false', 'No'],
    ];
  return enumValuesOf(type)?.map(({ name }) => [name, labelOfConstant(name)] as const);
}

/** Order of a list, which is a search parameter of the URL, such as `STARTS_AT` or `-STARTS_AT`. */
export interface RecordOrder {
  readonly field: string;
  readonly direction: 'ASC' | 'DESC';
}

export function orderIn({ orders }: RecordType, search: URLSearchParams): RecordOrder | undefined {
  const [, minus = '', field = ''] = /^(-?)(.*)$/.exec(search.get('order') ?? '') ?? [];
  return orders.includes(field) ? { field, direction: minus ? 'DESC' : 'ASC' } : undefined;
}

export const orderParameterOf = ({ field, direction }: RecordOrder): string => `${direction === 'DESC' ? '-' : ''}${field}`;

/** Returns the order that sorts by a path, such as `LOCATION_CITY` for `location.city`. Undefined if lists cannot be sorted by it. */
export function orderOfPath({ orders }: RecordType, path: string): string | undefined {
  const name = path.replace(/(?<=[a-z0-9])(?=[A-Z])|\./g, '_').toUpperCase();
  return orders.find((order) => order === name);
}
