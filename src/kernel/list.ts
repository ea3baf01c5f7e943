import type { Caller } from './caller.js';
import { reject } from './errors.js';
import { checkSize, type Where, whereOf } from './filter.js';
import { columnOf, metaOf, type RecordClass, type RecordMeta } from './meta.js';
import { behind, checkOrder, cursorOf, type Key, keysOf, orderSql, readCursor } from './order.js';
import { allOf } from './problems.js';
import { type OrderBy, optionsOf } from './record.js';
import { mayKnow } from './restriction.js';
import type { Param, Row, Sql } from './sql.js';
import { checkAsked, visibleRows } from './visible.js';

/** The arguments of every list. */
export interface ListArgs {
  first?: number | null;
  after?: string | null;
  offset?: number | null;
  filter?: Record<string, unknown> | null;
  orderBy?: readonly OrderBy[] | null;
}

export const defaultFirst = 20;
export const maxFirst = 100;

/** A page of a list and what is needed to go on from it. */
export interface Page {
  rows: Row[];
  hasNextPage: boolean;
  hasPreviousPage: boolean;
  cursor(row: Row): string;
}

/** What rows have to do with a parent: the foreign key that names it, or a condition over `r` and the parent's id, which is `p.key`. */
export type Bond = string | { readonly name: string; readonly where: BondCondition };

/** SQL, or where the bond depends on who asks, what makes it. */
export type BondCondition = string | ((caller: Caller, param: Param) => string);

/** A bond's name, under which loaders share a batch. */
export const bondName = (by: Bond): string => (typeof by === 'string' ? by : by.name);

/** How a row names its parent, whose key is `p.key`: by a foreign key, by one of a list of them, or by a condition. */
function belongs({ caller }: Sql, cls: RecordClass, by: Bond, param: Param): string {
  if (typeof by !== 'string') return `(${typeof by.where === 'string' ? by.where : by.where(caller, param)})`;
  const found = columnOf(metaOf(cls), by);
  if (found.field.kind !== 'list') return `r.${found.column} = p.key`;
  const known = mayKnow(metaOf(cls), found, caller, param);
  return `r.${found.column} @> array[p.key]${known ? ` and ${known}` : ''}`;
}

const selections = new WeakMap<RecordMeta, Map<string, string>>();

/** `r.title as "title", …` for a record's keys; the texts are kept, because long ones take time to build. */
export function selectionOf(meta: RecordMeta, keys: readonly string[]): string {
  const known = selections.get(meta) ?? new Map<string, string>();
  selections.set(meta, known);
  const signature = keys.join();
  let text = known.get(signature);
  if (!text) {
    text = keys.map((key) => `r.${columnOf(meta, key).column} as "${key}"`).join(', ');
    if (known.size < 1000) known.set(signature, text);
  }
  return text;
}

/** The conditions of a filter, and which rows the caller sees at all; BAD_INPUT that names all that is wrong with the filter. */
function conditionsOf({ caller }: Sql, cls: RecordClass, filter: ListArgs['filter'], param: Param): Where {
  if (filter) {
    checkSize(filter);
    checkAsked(cls, filter, caller);
  }
  const where = whereOf(cls, filter ?? {}, param, caller);
  const visible = visibleRows(cls, caller, param);
  if (visible) where.conditions.push(visible);
  return where;
}

const isSize = (first: number): boolean => first >= 0 && first <= maxFirst;

/** How many rows and from where; BAD_INPUT outside the bounds. */
export function checkPage(args: ListArgs): { first: number; offset: number } {
  const first = args.first ?? defaultFirst;
  const offset = args.offset ?? 0;
  allOf(
    () => isSize(first) || reject('first', `an integer from 0 to ${maxFirst}`),
    () => offset >= 0 || reject('offset', 'an integer of 0 or more'),
  );
  return { first, offset };
}

/** The arguments of a list of which no row is asked for. A number of rows that is out of bounds stays: it is refused all the same. */
export const withoutRows = (args: ListArgs): ListArgs => (isSize(args.first ?? defaultFirst) ? { ...args, first: 0 } : args);

interface Plan {
  where: string;
  keys: Key[];
  values: unknown[];
  param: Param;
  first: number;
  offset: number;
}

function plan(sql: Sql, cls: RecordClass, list: string, args: ListArgs, values: unknown[]): Plan {
  const param: Param = (value) => `$${values.push(value)}`;
  let keys: Key[] = [];
  const [{ first, offset }, conditions, , cursor] = allOf(
    () => checkPage(args),
    () => {
      const where = conditionsOf(sql, cls, args.filter, param);
      keys = keysOf(cls, args.orderBy, where.ranks, where.isFew);
      return where.conditions;
    },
    () => checkOrder(args.orderBy),
    () => (args.after && keys.length ? readCursor(cls, list, keys, args.after) : null),
  );
  if (cursor) conditions.push(behind(keys, cursor, param));
  return { where: conditions.join(' and '), keys, values, param, first, offset };
}

const cursorColumns = (keys: readonly Key[]) => keys.map(({ sql }, index) => `, ${sql} as "$${index}"`).join('');

function page(cls: RecordClass, list: string, { keys, first, offset }: Plan, args: ListArgs, rows: Row[]): Page {
  const hasNextPage = rows.length > first;
  return {
    rows: hasNextPage ? rows.slice(0, first) : rows,
    hasNextPage,
    hasPreviousPage: offset > 0 || Boolean(args.after),
    cursor: (row) => cursorOf(cls, list, keys, row),
  };
}

/** One page of a record's list at the root. */
export async function readPage(
  sql: Sql,
  cls: RecordClass,
  keys: readonly string[],
  args: ListArgs,
  cursors: boolean,
): Promise<Page> {
  const list = optionsOf(cls).many;
  const planned = plan(sql, cls, list, args, []);
  const text = `select ${selectionOf(metaOf(cls), keys)}${cursors ? cursorColumns(planned.keys) : ''} from ${optionsOf(cls).table} r${
    planned.where && ` where ${planned.where}`
  } order by ${orderSql(planned.keys)} limit ${planned.param(planned.first + 1)}${planned.offset ? ` offset ${planned.param(planned.offset)}` : ''}`;
  return page(cls, list, planned, args, await sql.rows(text, planned.values));
}

/** One page for each of many parents, in one statement: the top n of each by a lateral join. */
export async function readPagesBy(
  sql: Sql,
  cls: RecordClass,
  by: Bond,
  parents: readonly string[],
  keys: readonly string[],
  args: ListArgs,
  cursors: boolean,
): Promise<Page[]> {
  const list = `${optionsOf(cls).many} by ${bondName(by)}`;
  const planned = plan(sql, cls, list, args, [parents]);
  const text = `select p.n as "$parent", r.* from unnest($1::text[]) with ordinality p(key, n) cross join lateral (select ${selectionOf(metaOf(cls), keys)}${
    cursors ? cursorColumns(planned.keys) : ''
  } from ${optionsOf(cls).table} r where ${belongs(sql, cls, by, planned.param)}${planned.where && ` and ${planned.where}`} order by ${orderSql(planned.keys)} limit ${planned.param(
    planned.first + 1,
  )}${planned.offset ? ` offset ${planned.param(planned.offset)}` : ''}) r`;
  const lists: Row[][] = parents.map(() => []);
  for (const row of await sql.rows(text, planned.values)) lists[Number(row.$parent) - 1]?.push(row);
  return lists.map((rows) => page(cls, list, planned, args, rows));
}

/** How many rows a list has in all. */
export async function count(sql: Sql, cls: RecordClass, filter: ListArgs['filter']): Promise<number> {
  const values: unknown[] = [];
  const { conditions } = conditionsOf(sql, cls, filter, (value) => `$${values.push(value)}`);
  const text = `select count(*)::int as n from ${optionsOf(cls).table} r${conditions.length ? ` where ${conditions.join(' and ')}` : ''}`;
  return Number((await sql.row(text, values))?.n ?? 0);
}

/** How many rows each parent's list has in all. */
export async function countsBy(
  sql: Sql,
  cls: RecordClass,
  by: Bond,
  parents: readonly string[],
  filter: ListArgs['filter'],
): Promise<number[]> {
  const values: unknown[] = [parents];
  const param: Param = (value) => `$${values.push(value)}`;
  const where = [belongs(sql, cls, by, param), ...conditionsOf(sql, cls, filter, param).conditions].join(' and ');
  const text = `select p.key, c.n from unnest($1::text[]) p(key) cross join lateral (select count(*)::int as n from ${optionsOf(cls).table} r where ${where}) c`;
  const counts = new Map((await sql.rows<{ key: string; n: number }>(text, values)).map(({ key, n }) => [key, n]));
  return parents.map((key) => counts.get(key) ?? 0);
}

/** How often each value of a column stands in a list: in one list for each parent, or with `by` null in the whole one. */
export async function talliesBy(
  sql: Sql,
  cls: RecordClass,
  field: string,
  by: Bond | null,
  parents: readonly string[],
  filter: ListArgs['filter'],
): Promise<ReadonlyMap<string, number>[]> {
  const values: unknown[] = [parents];
  const param: Param = (value) => `$${values.push(value)}`;
  const { conditions } = conditionsOf(sql, cls, filter, param);
  const where = [by === null ? 'true' : belongs(sql, cls, by, param), ...conditions].join(' and ');
  const text = `select p.n as parent, t.value, t.n from unnest($1::text[]) with ordinality p(key, n) cross join lateral (select r.${columnOf(metaOf(cls), field).column}::text as value, count(*)::int as n from ${optionsOf(cls).table} r where ${where} group by 1) t`;
  const tallies = parents.map(() => new Map<string, number>());
  for (const row of await sql.rows<{ parent: number; value: string; n: number }>(text, values))
    tallies[row.parent - 1]?.set(row.value, row.n);
  return tallies;
}
