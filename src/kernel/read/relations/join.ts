import {
  allOf,
  anyOf,
  constantSql,
  expression,
  joinExpressions,
  type RowReference,
  type SqlExpression,
  tableNamed,
} from '../../declare/expression.js';
import { columnOf, metaOf, type RecordClass } from '../../declare/meta.js';
import type { Caller } from '../../declare/policy/caller.js';
import { canSeeKey } from '../conditions/restriction.js';
import { visibleRows } from '../conditions/visible.js';

/**
 * Relation between rows and a parent: the name of the foreign key, or a condition. `ids` is the SQL expression for a list of distinct IDs.
 * If `ids` is given, the related rows are the rows with these IDs, in the same order.
 */
export type Join = string | { readonly name: string; readonly where: JoinCondition; readonly ids?: SqlExpression };

/** Alternative paths to the row, or a condition on the row and the ID of the parent, which is `row.key`. */
export type JoinCondition = readonly JoinPath[] | ((caller: Caller, row: RowReference) => SqlExpression);

/** Path from a parent to the rows of a record, as column names. */
export interface JoinPath {
  /** Joined column of the record. Default: `id`. */
  readonly column?: string;
  /** Join table. If absent, `column` contains the ID of the parent. */
  readonly through?: {
    readonly table: string;
    /** Column that contains the ID of the parent. */
    readonly parentColumn: string;
    /** Columns whose values match the joined column. */
    readonly valueColumns: readonly string[];
    /** Record that the join table belongs to. Rows of the join table that the caller cannot see are ignored. */
    readonly record?: () => RecordClass;
  };
}

/** Returns the name of a join. Loaders batch by this name. */
export const joinName = (join: Join): string => (typeof join === 'string' ? join : join.name);

/** Returns the SQL condition that a row of the join table, aliased `w`, belongs to the parent and is visible to the caller. */
function joinsParent(
  { parentColumn, record }: NonNullable<JoinPath['through']>,
  caller: Caller,
  row: RowReference,
): SqlExpression {
  const joinRow = row.for('w');
  const visible = record ? visibleRows(record(), caller, joinRow) : null;
  const hasParent = expression`${joinRow.column(parentColumn)} = ${row.key}`;
  return visible ? allOf([hasParent, visible]) : hasParent;
}

/**
 * Returns the SQL condition that one of the paths leads to the row. Join tables are read in subqueries, because each row must be in a list
 * only once.
 */
function onPaths(paths: readonly JoinPath[], caller: Caller, row: RowReference): SqlExpression {
  const directConditions = paths.flatMap(({ column = 'id', through }) =>
    through ? [] : [expression`${row.column(column)} = ${row.key}`],
  );
  const pathsByColumn = Map.groupBy(
    paths.filter(({ through }) => through),
    ({ column = 'id' }) => column,
  );
  const subqueryConditions = [...pathsByColumn].map(([column, columnPaths]) => {
    const subqueries = columnPaths.flatMap(({ through }) => {
      if (!through) return [];
      const columns = through.valueColumns.map((name) => `w.${name}`);
      const values = constantSql(columns.length > 1 ? `unnest(array[${columns}])` : columns.join());
      const isJoined = joinsParent(through, caller, row);
      return [expression`(select ${values} from ${tableNamed(through.table)} w where ${isJoined})`];
    });
    return expression`${row.column(column)} in (${joinExpressions(subqueries, ' union all ')})`;
  });
  return anyOf([...directConditions, ...subqueryConditions]);
}

/** Returns the SQL condition that the row belongs to the parent. */
export function belongsToParent(cls: RecordClass, join: Join, caller: Caller, row: RowReference): SqlExpression {
  if (typeof join !== 'string') {
    const { where } = join;
    return expression`(${typeof where === 'function' ? where(caller, row) : onPaths(where, caller, row)})`;
  }
  const foreignKey = columnOf(metaOf(cls), join);
  const column = row.column(foreignKey.column);
  if (foreignKey.field.kind !== 'list') return expression`${column} = ${row.key}`;
  const visibleKey = canSeeKey(metaOf(cls), foreignKey, caller, row);
  const hasKey = expression`${column} @> array[${row.key}]`;
  return visibleKey ? allOf([hasKey, visibleKey]) : hasKey;
}

/** Join table, if there is one, and the condition that a row belongs to a parent. */
export interface JoinClause {
  /** SQL of the join table, with its alias. Null if there is none. */
  readonly through: SqlExpression | null;
  readonly condition: SqlExpression;
}

/**
 * Like `belongsToParent`, but for filters. Returns one condition for each path, because PostgreSQL cannot join efficiently on a condition
 * with `or`.
 */
export function joinClausesOf(cls: RecordClass, join: Join, caller: Caller, row: RowReference): JoinClause[] {
  if (typeof join === 'string' || !Array.isArray(join.where))
    return [{ through: null, condition: belongsToParent(cls, join, caller, row) }];
  const paths: readonly JoinPath[] = join.where;
  return paths.flatMap(({ column = 'id', through }): JoinClause[] =>
    through
      ? through.valueColumns.map((valueColumn) => ({
          through: expression`${tableNamed(through.table)} w`,
          condition: expression`${joinsParent(through, caller, row)} and ${row.column(column)} = ${row.for('w').column(valueColumn)}`,
        }))
      : [{ through: null, condition: expression`${row.column(column)} = ${row.key}` }],
  );
}

/** Returns a list of IDs as a PostgreSQL array literal, for use as the key of a parent. */
export const idArray = (ids: readonly string[]): string =>
  `{${[...new Set(ids)].map((id) => `"${id.replaceAll(/["\\]/g, '\\$&')}"`).join()}}`;

/** Returns a join with the rows whose IDs are in the key, in the order of the IDs. */
export const idArrayJoin = (name: string): Join => ({
  name,
  where: (_, row) => expression`${row}.id in (select unnest(${row.key}::text[]))`,
  ids: constantSql('p.key::text[]'),
});
