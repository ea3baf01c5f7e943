import { Field, Float, ID, InputType } from 'type-graphql';
import type { Caller } from './caller.js';
import { reject } from './errors.js';
import { type Column, classNamed, columnsOf, metaOf, type RecordClass, type RecordMeta } from './meta.js';
import { optionsOf } from './record.js';
import { Instant, Money } from './scalars.js';

/** Collects the values of a statement and gives each its placeholder. */
export type Param = (value: unknown) => string;

/** SQL over the record's table, aliased `r`; with `rank` (a float8, small first) the list is ordered by it, unless it asks for another order. */
export type Condition = string | { where: string; rank: () => string };

/** A filter beyond those of the columns. */
export interface CustomFilter {
  type: () => object;
  description: string;
  // biome-ignore lint/suspicious/noExplicitAny: the value's type is that of `type`, which the schema has checked
  sql: (value: any, param: Param, caller: Caller) => Condition;
}

interface Operator {
  description: string;
  list?: boolean;
  sql: (column: string, value: unknown, param: Param) => string;
}

const like = (text: unknown) => String(text).replace(/[\\%_]/g, '\\$&');
const compare = (sign: string, description: string): Operator => ({ description, sql: (c, v, p) => `${c} ${sign} ${p(v)}` });
const same: Record<string, Operator> = {
  eq: compare('=', 'Equal to.'),
  ne: { description: 'Not equal to, or unset.', sql: (c, v, p) => `${c} is distinct from ${p(v)}` },
  in: { description: 'One of these.', list: true, sql: (c, v, p) => `${c} = any(${p(v)})` },
};
const ordered: Record<string, Operator> = {
  gt: compare('>', 'Greater (later) than.'),
  gte: compare('>=', 'Greater (later) than, or equal to.'),
  lt: compare('<', 'Less (earlier) than.'),
  lte: compare('<=', 'Less (earlier) than, or equal to.'),
};
const textual: Record<string, Operator> = {
  contains: { description: 'Contains this text, in any case.', sql: (c, v, p) => `${c} ilike ${p(`%${like(v)}%`)}` },
  startsWith: { description: 'Starts with this text, in any case.', sql: (c, v, p) => `${c} ilike ${p(`${like(v)}%`)}` },
};
const isNull: Record<string, Operator> = {
  isNull: {
    description: 'True: only where it is unset. False: only where it is set.',
    sql: (c, v) => `${c} is ${v ? '' : 'not '}null`,
  },
};

function operators(name: string, type: () => object, description: string, table: Record<string, Operator>) {
  const cls = classNamed(name);
  for (const [key, operator] of Object.entries({ ...table, ...isNull })) {
    const item = key === 'isNull' ? Boolean : type();
    Field(() => (operator.list ? [item] : item), { nullable: true, description: operator.description })(cls.prototype, key);
  }
  InputType(name, { description: `${description} The conditions given all have to hold.` })(cls);
  return { cls, table: { ...table, ...isNull } };
}

const text = operators('TextFilter', () => String, 'Conditions on a text.', { ...same, ...textual });
const byKind = {
  id: operators('IdFilter', () => ID, 'Conditions on an id.', same),
  text,
  values: text,
  num: operators('NumberFilter', () => Float, 'Conditions on a number.', { ...same, ...ordered }),
  money: operators('MoneyFilter', () => Money, 'Conditions on an amount.', { ...same, ...ordered }),
  instant: operators('InstantFilter', () => Instant, 'Conditions on a point in time.', { ...same, ...ordered }),
  list: operators('ListFilter', () => String, 'Conditions on a list of texts.', {
    has: { description: 'Holds this item.', sql: (c, v, p) => `${c} @> array[${p(v)}]::text[]` },
    hasAny: { description: 'Holds at least one of these items.', list: true, sql: (c, v, p) => `${c} && ${p(v)}` },
  }),
};

function operatorsOf({ field }: Column) {
  if (field.kind === 'ref') return byKind.id;
  if (field.kind === 'int') return byKind.num;
  if (field.kind === 'flag' || field.kind === 'group' || field.kind === 'json') return null;
  return byKind[field.kind];
}

const filterable = (meta: RecordMeta) =>
  [...columnsOf(meta).values()].filter(
    ({ field }) => !field.secret && !field.private && field.kind !== 'json' && field.max <= 10_000,
  );
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
  for (const [key, column] of argumentsOf(meta)) add(key, () => operatorsOf(column)?.cls ?? Boolean, column.field.description);
  for (const [key, filter] of Object.entries(optionsOf(cls).filters ?? {})) add(key, filter.type, filter.description);
  add('and', () => [twin], 'All of these hold.');
  add('or', () => [twin], 'At least one of these holds.');
  add('not', () => twin, 'This does not hold.');
  InputType(name, { description: `Which ${meta.options?.many ?? 'records'} are meant. The conditions given all have to hold.` })(
    twin,
  );
  return twin;
}

export interface Where {
  conditions: string[];
  ranks: (() => string)[];
}

type Input = Record<string, unknown>;
const isInput = (value: unknown): value is Input => typeof value === 'object' && value !== null && !Array.isArray(value);
const inputs = (value: unknown): Input[] => (Array.isArray(value) ? value.filter(isInput) : []);

/** The SQL of a filter over the table aliased `r`. */
export function whereOf(cls: RecordClass, filter: Input, param: Param, caller: Caller): Where {
  const meta = metaOf(cls);
  const where: Where = { conditions: [], ranks: [] };
  const joined = (part: Input) => whereOf(cls, part, param, caller).conditions.join(' and ') || 'true';
  const columns = argumentsOf(meta);
  for (const [key, given] of Object.entries(filter)) {
    if (given === undefined || given === null) continue;
    const column = columns.get(key);
    const custom = optionsOf(cls).filters?.[key];
    if (key === 'and') where.conditions.push(...inputs(given).map((part) => `(${joined(part)})`));
    else if (key === 'or')
      where.conditions.push(
        `(${
          inputs(given)
            .map((part) => `(${joined(part)})`)
            .join(' or ') || 'true'
        })`,
      );
    else if (key === 'not' && isInput(given)) where.conditions.push(`not coalesce((${joined(given)}), false)`);
    else if (custom) {
      const condition = custom.sql(given, param, caller);
      where.conditions.push(typeof condition === 'string' ? condition : condition.where);
      if (typeof condition !== 'string') where.ranks.push(condition.rank);
    } else if (column) where.conditions.push(...columnConditions(column, given, param, `filter.${key}`));
  }
  return where;
}

function columnConditions(column: Column, given: unknown, param: Param, path: string): string[] {
  const sql = `r.${column.column}`;
  const kind = operatorsOf(column);
  if (!kind || !isInput(given)) return [`${sql} = ${param(given)}`];
  return Object.entries(given).flatMap(([name, operand]) => {
    if (operand === undefined) return [];
    if (operand === null) return reject(`${path}.${name}`, 'a value; isNull asks for unset ones');
    const operator: Operator | undefined = kind.table[name as keyof typeof kind.table];
    return operator ? [operator.sql(sql, operand, param)] : [];
  });
}
