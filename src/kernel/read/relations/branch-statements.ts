import { type Compilable, type QueryCreator, sql as raw, type SelectQueryBuilder } from 'kysely';
import { constantSql, expression, type ShapePart, type SqlExpression } from '../../declare/expression.js';
import type { RecordClass } from '../../declare/meta.js';
import { optionsOf } from '../../declare/record.js';
import type { Row } from '../../declare/row.js';
import { allConditions, type PlanMode, queryBuilder } from '../../statement.js';
import { keyColumn, type OrderKey, orderSql, reverseKeys } from '../paging/order.js';
import type { PageRange } from '../paging/page-args.js';
import type { Selection } from '../selection.js';
import type { BranchPlan } from './branches.js';

/** Select query whose tables are determined at run time. */
export type RowsQuery = SelectQueryBuilder<Record<string, Row>, string, Row>;

/** Statement that is compiled once for each shape. Statements with the same shape differ only in their values. */
export interface ShapedStatement {
  readonly shape: readonly ShapePart[];
  readonly build: () => Compilable;
  readonly planMode?: PlanMode;
}

/**
 * Returns a query on the table of a record, aliased `r`, or on its name table, aliased `n`. If `needsRow` is true, the name table is joined
 * with the table of the record.
 */
export function sourceOf(cls: RecordClass, usesNameTable: boolean, needsRow: boolean): RowsQuery {
  const { table, nameTable } = optionsOf(cls);
  if (!usesNameTable) return queryBuilder.selectFrom(`${table} as r`) as RowsQuery;
  const names = queryBuilder.selectFrom(`${nameTable} as n`);
  return (needsRow ? names.leftJoin(`${table} as r`, 'r.id', 'n.id') : names) as unknown as RowsQuery;
}

/** Adds an `order by` clause with the sort keys to a query. */
export const addOrder = (rows: RowsQuery, keys: readonly OrderKey[]): RowsQuery =>
  keys.reduce(
    (query, { sql, isDescending, hasNullsFirst, isReversed }) =>
      query.orderBy(sql.typed(), (direction) => {
        const orderItem = isDescending ? direction.desc() : direction.asc();
        return Boolean(hasNullsFirst) !== Boolean(isReversed) ? orderItem.nullsFirst() : orderItem.nullsLast();
      }),
    rows,
  );

/** Changes sort keys so that no index matches them. This forces PostgreSQL to sort the rows instead of scanning an index in sort order. */
const sortedWithoutIndex = (keys: readonly OrderKey[]): OrderKey[] =>
  keys.map((key) => ({ ...key, sql: expression`coalesce(${key.sql}, ${key.sql})` }));

/**
 * Returns the query for the IDs and sort keys of the first rows in a branch. With `isFallback`, the query returns no rows if earlier
 * branches fill the page.
 */
function branchQuery(cls: RecordClass, branch: BranchPlan, index: number, limit: SqlExpression, isBackward: boolean): RowsQuery {
  const { conditions, keys, isSelective, isFallback, usesNameTable = false, needsRow = false } = branch;
  const counts = Array.from({ length: index }, (_, branchIndex) => `(select count(*) from b${branchIndex})`);
  const isNotFull = isFallback ? [expression`${constantSql(counts.join(' + '))} < ${limit}`] : [];
  const order = (isBackward ? reverseKeys(keys) : keys).filter(({ isConstant }) => !isConstant);
  const rows = sourceOf(cls, usesNameTable, needsRow)
    .select([
      raw.ref(usesNameTable ? 'n.id' : 'r.id').as('#id'),
      ...keys.map(({ sql }, keyIndex) => sql.typed<unknown>().as(keyColumn(keyIndex))),
    ])
    .where(allConditions([...isNotFull, ...conditions]));
  return addOrder(rows as RowsQuery, isSelective ? sortedWithoutIndex(order) : order).limit(limit.typed<number>());
}

interface Limits {
  readonly cursors: boolean;
  /** SQL expression for the page size. */
  readonly size: SqlExpression;
  readonly offset: SqlExpression | null;
}

interface BranchesPlan extends Pick<PageRange, 'isBackward'> {
  readonly branches: readonly BranchPlan[];
  readonly keys: readonly OrderKey[];
  readonly distance: SqlExpression | null;
}

/** Returns the sort keys as columns of the branches. `prefix` precedes the names of the columns. */
const keysOfResult = ({ keys, isBackward }: BranchesPlan, prefix: string): OrderKey[] =>
  (isBackward ? reverseKeys(keys) : keys).map((key, index) => ({ ...key, sql: constantSql(`${prefix}"${keyColumn(index)}"`) }));

function build(cls: RecordClass, selection: Selection, plan: BranchesPlan, { cursors, size, offset }: Limits) {
  const { branches, keys, distance, isBackward } = plan;
  const limit = offset ? expression`(${size} + ${offset})` : size;
  const branchQueries = branches.map((_, index) => queryBuilder.selectFrom(`b${index}`).selectAll() as unknown as RowsQuery);
  const [first, ...otherQueries] = branchQueries;
  if (!first) throw new Error('a union of branches requires at least one branch');
  const union = otherQueries.reduce((query, branch) => query.unionAll(branch), first);
  const sortedRows = addOrder(
    queryBuilder.selectFrom(union.as('u')).selectAll() as unknown as RowsQuery,
    keysOfResult(plan, ''),
  ).limit(size.typed<number>());
  const page = offset ? sortedRows.offset(offset.typed<number>()) : sortedRows;
  const withBranches = branches.reduce<QueryCreator<Record<string, Row>>>(
    (query, branch, index) =>
      query.with(`b${index}`, () => branchQuery(cls, branch, index, limit, isBackward)) as QueryCreator<Record<string, Row>>,
    queryBuilder,
  );
  const rows = withBranches
    .selectFrom(page.as('f'))
    .innerJoin(`${optionsOf(cls).table} as r`, (join) => join.onRef(raw.ref('r.id'), '=', raw.ref('f.#id')))
    .select([
      ...selection.columns,
      ...(distance ? [distance.typed<unknown>().as('distance')] : []),
      ...(cursors ? keys.map((_, keyIndex) => raw.ref(`f.${keyColumn(keyIndex)}`).as(keyColumn(keyIndex))) : []),
    ]);
  return addOrder(rows as unknown as RowsQuery, keysOfResult(plan, 'f.'));
}

const shapeOf = ({ conditions, keys, isSelective, isFallback, usesNameTable }: BranchPlan): ShapePart[] => [
  ...[isSelective, isFallback, usesNameTable, conditions, orderSql(keys)],
  keys.map(({ isConstant }) => isConstant).join(),
];

/**
 * Returns the statement that reads a page in branches. It first reads the IDs and sort keys of the rows and then the selected columns of
 * the page.
 */
export function branchesStatement(cls: RecordClass, selection: Selection, plan: BranchesPlan, limits: Limits): ShapedStatement {
  const { branches, distance, isBackward } = plan;
  const { cursors, size, offset } = limits;
  return {
    shape: [
      ...[cls.name, selection.number, ...branches.flatMap(shapeOf)],
      ...[orderSql(keysOfResult(plan, '')), distance, isBackward, cursors, size, offset],
    ],
    build: () => build(cls, selection, plan, limits),
    planMode: branches.some(({ usesNameTable }) => usesNameTable) ? 'custom' : 'generic',
  };
}
