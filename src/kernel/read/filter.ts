import { Field, InputType } from 'type-graphql';
import type { Caller } from '../declare/caller.js';
import { reject } from '../declare/errors.js';
import { type Column, classNamed, columnsOf, metaOf, type RecordClass, type RecordMeta } from '../declare/meta.js';
import { allOf } from '../declare/problems.js';
import { optionsOf } from '../declare/record.js';
import { rawOf } from '../declare/shown.js';
import { worded } from '../declare/words.js';
import type { Param } from '../session.js';
import { columnConditions, operatorsOf } from './operators.js';
import { searchable } from './restriction.js';

/** Most conditions of one filter, those inside `and`, `or` and `not` included. */
const maxConditions = 200;

const filterable = (meta: RecordMeta) =>
  [...columnsOf(meta).values()]
    .filter(({ field }) => !field.secret && !field.private && !field.isVersion && field.kind !== 'json' && field.max <= 10_000)
    .flatMap((column) => [column, ...rawColumn(column)]);

/** The same column as it is kept, where the graph shows something else. */
function rawColumn({ key, column, field }: Column): Column[] {
  const raw = rawOf(field);
  return raw ? [{ key: key.replace(/[^.]+$/, raw.name), column, field: raw }] : [];
}

/** A filter's name of a column: `location.city` is asked for as `locationCity`. */
const argument = (key: string) => key.replace(/\.(\w)/g, (_, letter: string) => letter.toUpperCase());

const columnsByArgument = new Map<RecordMeta, ReadonlyMap<string, Column>>();

/** The columns that a filter may ask for, by its names of them. */
function argumentsOf(meta: RecordMeta): ReadonlyMap<string, Column> {
  const known = columnsByArgument.get(meta) ?? new Map(filterable(meta).map((column) => [argument(column.key), column]));
  columnsByArgument.set(meta, known);
  return known;
}

const filters = new Map<RecordClass, RecordClass>();

/** The filter input of a record: one condition a column, its own filters, and `and`, `or`, `not`. */
export function filterOf(cls: RecordClass): RecordClass {
  const known = filters.get(cls);
  if (known) return known;
  const name = `${cls.name}Filter`;
  const twin = classNamed(name);
  filters.set(cls, twin);
  const meta = metaOf(cls);
  const add = (key: string, type: () => object, description: string) =>
    Field(type, { nullable: true, description })(twin.prototype, key);
  for (const [key, column] of argumentsOf(meta)) {
    const type = operatorsOf(column)?.cls ?? Boolean;
    add(key, () => type, column.field.description);
  }
  for (const [key, filter] of Object.entries(optionsOf(cls).filters ?? {})) add(key, filter.type, filter.description);
  add('and', () => [twin], 'All of these hold.');
  add('or', () => [twin], 'At least one of these holds.');
  add('not', () => twin, 'This does not hold.');
  InputType(name, {
    description: `Which ${worded(meta.options?.many ?? 'records')} are meant. The conditions given all have to hold.`,
  })(twin);
  return twin;
}

export interface Where {
  conditions: string[];
  ranks: (() => string)[];
  /** One of the conditions lets few rows through. */
  isFew: boolean;
}

type Input = Record<string, unknown>;
const isInput = (value: unknown): value is Input => typeof value === 'object' && value !== null && !Array.isArray(value);
const inputs = (value: unknown): Input[] => (Array.isArray(value) ? value.filter(isInput) : []);

function sizeOf(filter: Input): number {
  let size = 0;
  for (const [key, given] of Object.entries(filter)) {
    const parts = key === 'not' ? [given].filter(isInput) : key === 'and' || key === 'or' ? inputs(given) : [];
    size += parts.reduce((sum, part) => sum + 1 + sizeOf(part), parts.length ? 0 : 1);
  }
  return size;
}

/** Refuses a filter with more conditions than the database could check in time. */
export function checkSize(filter: Input): void {
  if (sizeOf(filter) > maxConditions) reject('filter', `at most ${maxConditions} conditions`);
}

/** The SQL of a filter over the table aliased `r`; BAD_INPUT that names all that is wrong with it. `path` is where the filter stands. */
export function whereOf(cls: RecordClass, filter: Input, param: Param, caller: Caller, path = 'filter'): Where {
  const meta = metaOf(cls);
  const where: Where = { conditions: [], ranks: [], isFew: false };
  const each = (parts: Input[], place: string) =>
    allOf(...parts.map((part, index) => () => whereOf(cls, part, param, caller, `${place}[${index}]`)));
  const joined = ({ conditions }: Where) => `(${conditions.join(' and ') || 'true'})`;
  const columns = argumentsOf(meta);
  const { filters = {} } = optionsOf(cls);
  const add = (key: string, given: unknown, here: string): void => {
    const column = columns.get(key);
    if (key === 'and') {
      const parts = each(inputs(given), here);
      where.conditions.push(...parts.map(joined));
      where.isFew ||= parts.some(({ isFew }) => isFew);
    } else if (key === 'or') where.conditions.push(`(${each(inputs(given), here).map(joined).join(' or ') || 'true'})`);
    else if (key === 'not' && isInput(given))
      where.conditions.push(`not coalesce(${joined(whereOf(cls, given, param, caller, here))}, false)`);
    else if (filters[key]) {
      const condition = filters[key].sql(given, param, caller, here);
      const { where: sql, rank, isFew } = typeof condition === 'string' ? { where: condition } : condition;
      where.conditions.push(sql);
      if (rank) where.ranks.push(rank);
      if (isFew) where.isFew = true;
    } else if (column) {
      where.conditions.push(...columnConditions(column, given, param, here));
      // Asked of the whole list, too, because that is what has an index.
      const part = searchable(meta, column, caller, param);
      if (part) where.conditions.push(...columnConditions(column, given, param, here, part));
    }
  };
  const given = Object.entries(filter).filter(([, value]) => value !== undefined && value !== null);
  allOf(
    ...given.map(
      ([key, value]) =>
        () =>
          add(key, value, `${path}.${key}`),
    ),
  );
  return where;
}
