import { sql as raw } from 'kysely';
import { constantSql, expression, mainRow, parameter, Shape, type SqlExpression } from '../declare/expression.js';
import type { OrderBy } from '../declare/fields/options.js';
import type { RecordClass } from '../declare/meta.js';
import { runChecks } from '../declare/problems.js';
import { optionsOf } from '../declare/record.js';
import type { Row, Session } from '../session.js';
import { allConditions, queryBuilder, statementOf } from '../statement.js';
import { checkFilterSize, type FilterConditions, whereOf } from './conditions/filter.js';
import { type ReferencedRows, referencedRowsOf } from './conditions/reference-conditions-sql.js';
import { visibleRows } from './conditions/visible.js';
import { cursorOf, orderHash, readCursor } from './paging/cursor.js';
import { checkOrder, keyColumn, keysetCondition, type OrderKey, orderSql, reverseKeys, sortKeysOf } from './paging/order.js';
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

export interface Page {
  rows: Row[];
  hasNextPage: boolean;
  hasPreviousPage: boolean;
  /** Total number of rows in the list, if the statement for the page returned it. */
  total?: number | undefined;
  cursor(row: Row): string;
}

/**
 * Returns the conditions of a filter, and the conditions for rows that the caller can see in lists. Throws BAD_INPUT with all problems in
 * the filter.
 */
export function conditionsOf(
  { caller }: Session,
  cls: RecordClass,
  filter: ListArgs['filter'],
  references: ReferencedRows,
): FilterConditions {
  if (filter) checkFilterSize(cls, filter);
  const where = whereOf(cls, filter ?? {}, mainRow, { caller, references });
  const visible = visibleRows(cls, caller, mainRow);
  const listCondition = optionsOf(cls).listCondition?.(caller, mainRow);
  for (const condition of [visible, listCondition]) if (condition) where.conditions.push(condition);
  return where;
}

interface ListPlan extends PageRange {
  ids?: SqlExpression | undefined;
  conditions: readonly SqlExpression[];
  /** Branches that replace `conditions`. Null if the list has no branches. */
  branches: readonly BranchPlan[] | null;
  keys: readonly OrderKey[];
  distance: SqlExpression | null;
  /** SQL expression for the total number of rows. Null if the total is not selected or needs a separate statement. */
  total: SqlExpression | null;
  /** Returns the hash of the list and its order, for cursors. */
  hash: () => string;
}

interface PlanOptions {
  references: ReferencedRows;
  /** SQL expression for the list of parent IDs. */
  parents?: SqlExpression;
  ids?: SqlExpression | undefined;
  /** Whether the list has no parent. Only such a list can be read in branches. */
  isRoot?: true;
  /** Whether the total number of rows is selected. */
  isCounted?: boolean;
}

function planList(
  sql: Session,
  cls: RecordClass,
  list: string,
  args: ListArgs,
  { references, parents, ids, isRoot, isCounted }: PlanOptions,
): ListPlan {
  let keys: OrderKey[] = [];
  let conditionsBeforeKeys: readonly SqlExpression[] = [];
  let cachedHash: string | undefined;
  const hash = () => {
    const expressions = [...(parents ? [parents] : []), ...conditionsBeforeKeys];
    cachedHash ??= orderHash(`${cls.name} ${list}`, keys, expressions);
    return cachedHash;
  };
  const cursor = (end: 'after' | 'before') => {
    const value = args[end];
    return value && keys.length ? readCursor(hash(), keys, end, value) : null;
  };
  const [range, where, , after, before] = runChecks(
    () => parsePageArgs(args),
    () => {
      const where = conditionsOf(sql, cls, args.filter, references);
      keys = sortKeysOf(cls, args.orderBy, { ...where, isSelective: where.isSelective && !(isRoot && where.branches) }, ids);
      conditionsBeforeKeys = where.conditions;
      return where;
    },
    () => checkOrder(sql.caller, cls, args.orderBy),
    () => cursor('after'),
    () => cursor('before'),
  );
  const cursorConditions = (sortKeys: readonly OrderKey[]) => [
    ...(after ? [keysetCondition(sortKeys, after, 'after')] : []),
    ...(before ? [keysetCondition(sortKeys, before, 'before')] : []),
  ];
  const branches = isRoot ? branchesOfList(where, keys, range.isBackward, cursorConditions) : null;
  const conditions = branches ? [] : [...where.conditions, ...cursorConditions(keys).map(disjunction)];
  const { hasRowCount, table } = optionsOf(cls);
  const total = isCounted && hasRowCount && conditionsOnSource(where).length === 0 ? rowCountOf(table) : null;
  return { ...range, ids, conditions, branches, keys, distance: where.distance, total, hash };
}

/** Returns SQL for a table `i` that contains the IDs in a list and their positions. */
const positionsOf = (ids: SqlExpression) =>
  raw<{ id: string; place: number }>`unnest(${ids}) with ordinality`.as<'i'>(raw.raw('i(id, place)'));

/** Name of the column that holds the total row count. */
const totalKey = '$total';

/** Returns the statement that reads a page. It reads one row more than the page size, to detect a next page. */
function rowsOfPage(
  cls: RecordClass,
  selection: Selection,
  cursors: boolean,
  { ids, conditions, keys, distance, total, size, offset, isBackward }: ListPlan,
) {
  const limit = parameter(size + 1);
  const from = offset ? parameter(offset) : null;
  const order = isBackward ? reverseKeys(keys) : keys;
  return {
    shape: [cls.name, ids, selection.number, cursors, conditions, orderSql(order), limit, from, distance, total],
    build: () => {
      const cursor = cursors ? keys.map((key, index) => key.sql.typed().as(keyColumn(index))) : [];
      const distanceColumn = distance ? [distance.typed().as('distance')] : [];
      const totalColumn = total ? [total.typed().as(totalKey)] : [];
      let query = queryBuilder
        .selectFrom(`${optionsOf(cls).table} as r`)
        .select([...selection.columns, ...distanceColumn, ...totalColumn, ...cursor])
        .where(allConditions(conditions));
      if (ids) query = query.innerJoin(positionsOf(ids), (join) => join.onRef('i.id', '=', 'r.id'));
      const limitedQuery = addOrder(query as unknown as RowsQuery, order).limit(limit.typed<number>());
      return from ? limitedQuery.offset(from.typed<number>()) : limitedQuery;
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
  const { size, offset } = plan;
  // The size is part of the text instead of a parameter, so that PostgreSQL plans for few rows.
  const limits = { cursors, size: constantSql(size + 1), offset: offset ? expression`${parameter(offset)}::bigint` : null };
  return branchesStatement(cls, selection, { ...plan, branches }, limits);
}

function pageOf(listPlan: ListPlan, args: ListArgs, resultRows: Row[]): Page {
  const { keys, size, isBackward, hash } = listPlan;
  const isMore = resultRows.length > size;
  const rows = isMore ? resultRows.slice(0, size) : resultRows;
  return {
    rows: isBackward ? rows.reverse() : rows,
    ...pageInfoOf(listPlan, args, isMore),
    total: resultRows[0]?.[totalKey] as number | undefined,
    cursor: (row) => cursorOf(hash(), keys, row),
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
  const listPlan = planList(sql, cls, list, args, { references, isRoot: true, isCounted: total ?? false });
  const { branches } = listPlan;
  const rowsOf = ({ shape: parts, build, planMode = 'generic' }: ShapedStatement) => {
    const shape = new Shape().add('page', ...parts);
    return sql.statement(statementOf(shape, build, { planMode }), shape.values);
  };
  const [first, ...otherBranches] = branches ?? [];
  if (first && otherBranches.length > 0 && otherBranches.every(({ isFallback }) => isFallback)) {
    // Starts with only the first branch, because planning the other branches takes longer than reading a page of rows.
    const firstRows = await rowsOf(rowsOfBranches(cls, selection, cursors, listPlan, [first]));
    if (firstRows.length > listPlan.size) return pageOf(listPlan, args, firstRows);
  }
  const rows = branches
    ? rowsOfBranches(cls, selection, cursors, listPlan, branches)
    : rowsOfPage(cls, selection, cursors, listPlan);
  return pageOf(listPlan, args, await rowsOf(rows));
}

/** Returns SQL for a table of the parents and their positions. `parents` is the list of their IDs. */
export const parentsTable = (parents: SqlExpression) =>
  raw<{ key: string; n: number }>`unnest(${parents}::text[]) with ordinality`.as<'p'>(raw.raw('p(key, n)'));

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
  const parentIds = parameter(parents);
  const listPlan = planList(sql, cls, list, args, { references, parents: parentIds, ids });
  const joinConditions = ids ? [] : [belongsToParent(cls, join, sql.caller, mainRow)];
  const statementPlan = { ...listPlan, conditions: [...joinConditions, ...listPlan.conditions] };
  const { shape: parts, build } = rowsOfPage(cls, selection, cursors, statementPlan);
  const shape = new Shape().add('pages', parentIds, ...parts);
  const statement = statementOf(shape, () =>
    queryBuilder
      .selectFrom(parentsTable(parentIds))
      .crossJoinLateral(() => build().as('r'))
      .select(raw.ref('p.n').as('$parent'))
      .selectAll('r'),
  );
  const lists: Row[][] = parents.map(() => []);
  for (const row of await sql.statement(statement, shape.values)) lists[Number(row.$parent) - 1]?.push(row);
  return lists.map((rows) => pageOf(listPlan, args, rows));
}
