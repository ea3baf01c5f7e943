import { sql as raw } from 'kysely';
import { reject } from '../declare/errors.js';
import type { RecordClass } from '../declare/meta.js';
import type { OrderBy } from '../declare/options.js';
import { allOf } from '../declare/problems.js';
import { optionsOf } from '../declare/record.js';
import type { Param, Row, Session } from '../session.js';
import { building, collect, every, fragment, slot, statementOf } from '../statement.js';
import { checkSize, type Where, whereOf } from './filter.js';
import { belongs, type Join, joinName } from './join.js';
import { behind, checkOrder, cursorOf, type Key, keysOf, orderSql, readCursor } from './order.js';
import type { Selection } from './selection.js';
import { visibleRows } from './visible.js';

export { selectionOf } from './selection.js';

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

/** The conditions of a filter, and which rows the caller sees at all; BAD_INPUT that names all that is wrong with the filter. */
export function conditionsOf({ caller }: Session, cls: RecordClass, filter: ListArgs['filter'], param: Param): Where {
  if (filter) checkSize(cls, filter);
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

interface ListPlan {
  conditions: readonly string[];
  keys: readonly Key[];
  distance: string | null;
  values: unknown[];
  param: Param;
  first: number;
  offset: number;
}

function plan(sql: Session, cls: RecordClass, list: string, args: ListArgs, values: unknown[]): ListPlan {
  const param = collect(values);
  let keys: Key[] = [];
  let distance: string | null = null;
  const [{ first, offset }, conditions, , cursor] = allOf(
    () => checkPage(args),
    () => {
      const where = conditionsOf(sql, cls, args.filter, param);
      keys = keysOf(cls, args.orderBy, where);
      distance = where.distance;
      return where.conditions;
    },
    () => checkOrder(args.orderBy),
    () => (args.after && keys.length ? readCursor(cls, list, keys, args.after) : null),
  );
  if (cursor) conditions.push(behind(keys, cursor, param));
  return { conditions, keys, distance, values, param, first, offset };
}

/** The rows of a page, one more than it holds: what tells whether there are more. */
function rowsOfPage(
  cls: RecordClass,
  selection: Selection,
  cursors: boolean,
  { conditions, keys, distance, param, first, offset }: ListPlan,
) {
  const limit = param(first + 1);
  const from = offset ? param(offset) : null;
  return {
    shape: `${cls.name} ${selection.number} ${cursors} ${conditions.join(' and ')} ${orderSql(keys)} ${limit} ${from} ${distance}`,
    build: () => {
      const cursor = cursors ? keys.map((key, index) => fragment(key.sql).as(`$${index}`)) : [];
      const away = distance ? [fragment(distance).as('distance')] : [];
      let query = building
        .selectFrom(`${optionsOf(cls).table} as r`)
        .select([...selection.columns, ...away, ...cursor])
        .where(every(conditions));
      for (const { sql: by, descending } of keys)
        query = query.orderBy(fragment(by), (order) => (descending ? order.desc() : order.asc()).nullsLast());
      const limited = query.limit(fragment<number>(limit));
      return from ? limited.offset(fragment<number>(from)) : limited;
    },
  };
}

function page(cls: RecordClass, list: string, { keys, first, offset }: ListPlan, args: ListArgs, rows: Row[]): Page {
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
  sql: Session,
  cls: RecordClass,
  selection: Selection,
  args: ListArgs,
  cursors: boolean,
): Promise<Page> {
  const list = optionsOf(cls).many;
  const planned = plan(sql, cls, list, args, []);
  const { shape, build } = rowsOfPage(cls, selection, cursors, planned);
  return page(cls, list, planned, args, await sql.statement(statementOf(`page ${shape}`, build), planned.values));
}

/** Some parents, each with its place among them, as the table `p`. */
export const parentsAs = (names: string) =>
  raw<{ key: string; n: number }>`unnest(${slot(1)}::text[]) with ordinality`.as(raw.raw(names));

/** One page for each of many parents, in one statement: the top n of each by a lateral join. */
export async function readPagesBy(
  sql: Session,
  cls: RecordClass,
  by: Join,
  parents: readonly string[],
  selection: Selection,
  args: ListArgs,
  cursors: boolean,
): Promise<Page[]> {
  const list = `${optionsOf(cls).many} by ${joinName(by)}`;
  const planned = plan(sql, cls, list, args, [parents]);
  const own = { ...planned, conditions: [belongs(cls, by, sql.caller, planned.param), ...planned.conditions] };
  const { shape, build } = rowsOfPage(cls, selection, cursors, own);
  const statement = statementOf(`pages ${shape}`, () =>
    building
      .selectFrom(parentsAs('p(key, n)'))
      .crossJoinLateral(() => build().as('r'))
      .select(raw.ref('p.n').as('$parent'))
      .selectAll('r'),
  );
  const lists: Row[][] = parents.map(() => []);
  for (const row of await sql.statement(statement, planned.values)) lists[Number(row.$parent) - 1]?.push(row);
  return lists.map((rows) => page(cls, list, planned, args, rows));
}
