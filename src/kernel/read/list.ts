import { sql as raw } from 'kysely';
import type { OrderBy } from '../declare/fields/options.js';
import type { RecordClass } from '../declare/meta.js';
import { runChecks } from '../declare/problems.js';
import { optionsOf } from '../declare/record.js';
import type { Param, Row, Session } from '../session.js';
import { allConditions, collect, fragment, type Params, placeholder, queryBuilder, statementOf } from '../statement.js';
import { checkFilterSize, type FilterConditions, whereOf } from './conditions/filter.js';
import { type ReferencedRows, referencedRowsOf } from './conditions/reference-conditions-sql.js';
import { visibleRows } from './conditions/visible.js';
import { cursorOf, readCursor } from './paging/cursor.js';
import { checkOrder, keyColumn, keysetCondition, keysOf, type OrderKey, orderSql, reverseKeys } from './paging/order.js';
import { type PageArgs, type PageRange, pageInfoOf, parsePageArgs } from './paging/page-args.js';
import { addOrder, branchesStatement, type RowsQuery, type ShapedStatement } from './relations/branch-statements.js';
import { type BranchPlan, branchesOfList, conditionsOnSource, disjunction } from './relations/branches.js';
import { belongsToParent, type Join, joinName } from './relations/join.js';
import { rowCountOf } from './relations/row-count-sql.js';
import type { ListSelection } from './select.js';
import type { Selection } from './selection.js';

export { selectionOf } from './selection.js';

/** Arguments of all lists. */
export interface ListArgs extends PageArgs {
  filter?: Record<string, unknown> | null;
  orderBy?: readonly OrderBy[] | null;
}

/** Page of a list. */
export interface Page {
  rows: Row[];
  hasNextPage: boolean;
  hasPreviousPage: boolean;
  /** Total number of rows in the list, if the statement for the page returned it. */
  total?: number | undefined;
  cursor(row: Row): string;
}

/** Returns the conditions of a filter and of visible rows. Throws BAD_INPUT with all problems of the filter. */
export function conditionsOf(
  { caller }: Session,
  cls: RecordClass,
  filter: ListArgs['filter'],
  references: ReferencedRows,
  param: Param,
): FilterConditions {
  if (filter) checkFilterSize(cls, filter);
  const where = whereOf(cls, filter ?? {}, param, { caller, references });
  const visible = visibleRows(cls, caller, param);
  const listCondition = optionsOf(cls).listCondition?.(caller, param);
  for (const condition of [visible, listCondition]) if (condition) where.conditions.push(condition);
  return where;
}

interface ListPlan extends PageRange {
  ids?: string | undefined;
  conditions: readonly string[];
  /** Branches that replace `conditions`. Null if the list has none. */
  branches: readonly BranchPlan[] | null;
  /** Sort keys. */
  keys: readonly OrderKey[];
  distance: string | null;
  /** SQL expression for the total number of rows. Null if it is not selected, or needs a separate statement. */
  total: string | null;
  values: unknown[];
  param: Params;
}

interface PlanOptions {
  references: ReferencedRows;
  values: unknown[];
  ids?: string | undefined;
  /** Whether the list has no parent. It can then be read in branches. */
  isRoot?: true;
  /** Whether the total number of rows is selected. */
  isCounted?: boolean;
}

function planList(
  sql: Session,
  cls: RecordClass,
  list: string,
  args: ListArgs,
  { references, values, ids, isRoot, isCounted }: PlanOptions,
): ListPlan {
  const param = collect(values);
  let keys: OrderKey[] = [];
  const cursor = (end: 'after' | 'before') => {
    const value = args[end];
    return value && keys.length ? readCursor(cls, list, keys, end, value) : null;
  };
  const [range, where, , after, before] = runChecks(
    () => parsePageArgs(args),
    () => {
      const where = conditionsOf(sql, cls, args.filter, references, param);
      keys = keysOf(cls, args.orderBy, { ...where, isSelective: where.isSelective && !(isRoot && where.branches) }, ids, param);
      return where;
    },
    () => checkOrder(sql.caller, cls, args.orderBy),
    () => cursor('after'),
    () => cursor('before'),
  );
  const cursorConditions = (sortKeys: readonly OrderKey[]) => [
    ...(after ? [keysetCondition(sortKeys, after, param, 'after')] : []),
    ...(before ? [keysetCondition(sortKeys, before, param, 'before')] : []),
  ];
  const branches = isRoot ? branchesOfList(where, keys, range.isBackward, cursorConditions) : null;
  const conditions = branches ? [] : [...where.conditions, ...cursorConditions(keys).map(disjunction)];
  const { hasRowCount, table } = optionsOf(cls);
  const total = isCounted && hasRowCount && conditionsOnSource(where).length === 0 ? rowCountOf(table, param) : null;
  return { ...range, ids, conditions, branches, keys, distance: where.distance, total, values, param };
}

/** Returns SQL for a table `i` that contains the IDs in a list and their positions. */
const positionsOf = (ids: string) =>
  raw<{ id: string; place: number }>`unnest(${fragment(ids)}) with ordinality`.as<'i'>(raw.raw('i(id, place)'));

/** Name of the column that holds the total row count. */
const totalKey = '$total';

/** Returns the statement that reads a page. It reads one row more than the page size, to detect a next page. */
function rowsOfPage(
  cls: RecordClass,
  selection: Selection,
  cursors: boolean,
  { ids, conditions, keys, distance, total, param, size, offset, isBackward }: ListPlan,
) {
  const limit = param(size + 1);
  const from = offset ? param(offset) : null;
  const order = isBackward ? reverseKeys(keys) : keys;
  return {
    shape: `${cls.name} ${ids} ${selection.number} ${cursors} ${conditions.join(' and ')} ${orderSql(order)} ${limit} ${from} ${distance} ${total}`,
    build: () => {
      const cursor = cursors ? keys.map((key, index) => fragment(key.sql).as(keyColumn(index))) : [];
      const distanceColumn = distance ? [fragment(distance).as('distance')] : [];
      const totalColumn = total ? [fragment(total).as(totalKey)] : [];
      let query = queryBuilder
        .selectFrom(`${optionsOf(cls).table} as r`)
        .select([...selection.columns, ...distanceColumn, ...totalColumn, ...cursor])
        .where(allConditions(conditions));
      if (ids) query = query.innerJoin(positionsOf(ids), (join) => join.onRef('i.id', '=', 'r.id'));
      const limitedQuery = addOrder(query as unknown as RowsQuery, order).limit(fragment<number>(limit));
      return from ? limitedQuery.offset(fragment<number>(from)) : limitedQuery;
    },
  };
}

/** Returns the statement that reads a page of a list in branches. It reads one row more than the page size, to detect a next page. */
function rowsOfBranches(
  cls: RecordClass,
  selection: Selection,
  cursors: boolean,
  plan: ListPlan,
  branches: readonly BranchPlan[],
): ShapedStatement {
  const { size, offset, param } = plan;
  // The size is part of the text instead of a parameter, so that PostgreSQL plans for few rows.
  const limits = { cursors, size: String(size + 1), offset: offset ? `${param(offset)}::int` : null };
  return branchesStatement(cls, selection, { ...plan, branches }, limits);
}

function pageOf(cls: RecordClass, list: string, listPlan: ListPlan, args: ListArgs, resultRows: Row[]): Page {
  const { keys, size, isBackward } = listPlan;
  const isMore = resultRows.length > size;
  const rows = isMore ? resultRows.slice(0, size) : resultRows;
  return {
    rows: isBackward ? rows.reverse() : rows,
    ...pageInfoOf(listPlan, args, isMore),
    total: resultRows[0]?.[totalKey] as number | undefined,
    cursor: (row) => cursorOf(cls, list, keys, row),
  };
}

/** Reads a page of a list without a parent. */
export async function readPage(
  sql: Session,
  cls: RecordClass,
  { selection, cursors, total }: ListSelection,
  args: ListArgs,
): Promise<Page> {
  const list = optionsOf(cls).many;
  const references = await referencedRowsOf(sql, cls, args.filter);
  const listPlan = planList(sql, cls, list, args, { references, values: [], isRoot: true, isCounted: total ?? false });
  const { branches } = listPlan;
  const rowsOf = ({ shape, build, planMode = 'generic' }: ShapedStatement) =>
    sql.statement(statementOf(`page ${shape}`, build, { planMode, statedFacts: listPlan.param.statedFacts }), listPlan.values);
  const [first, ...otherBranches] = branches ?? [];
  if (first && otherBranches.length > 0 && otherBranches.every(({ isFallback }) => isFallback)) {
    // First tries the first branch alone, because planning the others takes longer than reading a page of rows.
    const firstRows = await rowsOf(rowsOfBranches(cls, selection, cursors, listPlan, [first]));
    if (firstRows.length > listPlan.size) return pageOf(cls, list, listPlan, args, firstRows);
  }
  const rows = branches
    ? rowsOfBranches(cls, selection, cursors, listPlan, branches)
    : rowsOfPage(cls, selection, cursors, listPlan);
  return pageOf(cls, list, listPlan, args, await rowsOf(rows));
}

/** Returns SQL for a table of the parents and their positions. The first parameter of the statement contains the IDs of the parents. */
export const parentsTable = (names: string) =>
  raw<{ key: string; n: number }>`unnest(${placeholder(1)}::text[]) with ordinality`.as(raw.raw(names));

/** Reads one page for each parent, in one statement with a lateral join. */
export async function readPagesBy(
  sql: Session,
  cls: RecordClass,
  join: Join,
  parents: readonly string[],
  selection: Selection,
  args: ListArgs,
  cursors: boolean,
): Promise<Page[]> {
  const list = `${optionsOf(cls).many} by ${joinName(join)}`;
  const ids = typeof join === 'string' ? undefined : join.ids;
  const references = await referencedRowsOf(sql, cls, args.filter);
  const listPlan = planList(sql, cls, list, args, { references, values: [parents], ids });
  const joinConditions = ids ? [] : [belongsToParent(cls, join, sql.caller, listPlan.param)];
  const statementPlan = { ...listPlan, conditions: [...joinConditions, ...listPlan.conditions] };
  const { shape, build } = rowsOfPage(cls, selection, cursors, statementPlan);
  const statement = statementOf(
    `pages ${shape}`,
    () =>
      queryBuilder
        .selectFrom(parentsTable('p(key, n)'))
        .crossJoinLateral(() => build().as('r'))
        .select(raw.ref('p.n').as('$parent'))
        .selectAll('r'),
    listPlan.param,
  );
  const lists: Row[][] = parents.map(() => []);
  for (const row of await sql.statement(statement, listPlan.values)) lists[Number(row.$parent) - 1]?.push(row);
  return lists.map((rows) => pageOf(cls, list, listPlan, args, rows));
}
