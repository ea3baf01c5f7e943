import { columnOf, metaOf, type RecordClass } from '../../declare/meta.js';
import type { Caller } from '../../declare/policy/caller.js';
import type { Param } from '../../declare/row.js';
import { canSeeKey } from '../conditions/restriction.js';
import { visibleRows } from '../conditions/visible.js';

/**
 * How rows are related to a parent: the name of the foreign key, or a condition. `ids` is the SQL expression for a list of distinct IDs. If
 * it is given, the rows are those with these IDs, in the same order.
 */
export type Join = string | { readonly name: string; readonly where: JoinCondition; readonly ids?: string };

/** Alternative paths to the row, or a condition on the row and the ID of the parent, which is `param.key`. */
export type JoinCondition = readonly JoinPath[] | ((caller: Caller, param: Param) => string);

/** Path from a parent to the rows of a record, as column names. */
export interface JoinPath {
  /** Joined column of the record. Default: `id`. */
  readonly column?: string;
  /** Join table. Without one, the column contains the ID of the parent. */
  readonly through?: {
    readonly table: string;
    /** Column that contains the ID of the parent. */
    readonly parentColumn: string;
    /** Columns that contain the value of the joined column. */
    readonly valueColumns: readonly string[];
    /** Record that the join table belongs to. Rows that the caller cannot see are ignored. */
    readonly record?: () => RecordClass;
  };
}

/** Returns the name of a join. Loaders batch by this name. */
export const joinName = (join: Join): string => (typeof join === 'string' ? join : join.name);

/** Returns the SQL condition that a row of the join table, aliased `w`, belongs to the parent and is visible to the caller. */
function joinsParent({ parentColumn, record }: NonNullable<JoinPath['through']>, caller: Caller, param: Param): string {
  const visible = record ? visibleRows(record(), caller, param.for('w')) : null;
  return `w.${parentColumn} = ${param.key}${visible ? ` and ${visible}` : ''}`;
}

/**
 * Returns the SQL condition that one of the paths leads to the row. Join tables are read in subqueries, because each row must be in a list
 * only once.
 */
function onPaths(paths: readonly JoinPath[], caller: Caller, param: Param): string {
  const { row } = param;
  const directConditions = paths.flatMap(({ column = 'id', through }) => (through ? [] : [`${row}.${column} = ${param.key}`]));
  const pathsByColumn = Map.groupBy(
    paths.filter(({ through }) => through),
    ({ column = 'id' }) => column,
  );
  const subqueryConditions = [...pathsByColumn].map(([column, columnPaths]) => {
    const subqueries = columnPaths.flatMap(({ through }) => {
      if (!through) return [];
      const values = through.valueColumns.map((name) => `w.${name}`);
      return [
        `(select ${values.length > 1 ? `unnest(array[${values}])` : values} from ${param.table(through.table)} w where ${joinsParent(through, caller, param)})`,
      ];
    });
    return `${row}.${column} in (${subqueries.join(' union all ')})`;
  });
  return [...directConditions, ...subqueryConditions].join(' or ');
}

/** Returns the SQL condition that the row belongs to the parent. */
export function belongsToParent(cls: RecordClass, join: Join, caller: Caller, param: Param): string {
  if (typeof join !== 'string') {
    const { where } = join;
    return `(${typeof where === 'function' ? where(caller, param) : onPaths(where, caller, param)})`;
  }
  const foreignKey = columnOf(metaOf(cls), join);
  if (foreignKey.field.kind !== 'list') return `${param.row}.${foreignKey.column} = ${param.key}`;
  const visibleKey = canSeeKey(metaOf(cls), foreignKey, caller, param);
  return `${param.row}.${foreignKey.column} @> array[${param.key}]${visibleKey ? ` and ${visibleKey}` : ''}`;
}

/** Condition that a row belongs to a parent, and the join table, if there is one. */
export interface JoinClause {
  /** SQL of the table, with its alias. */
  readonly through: string | null;
  readonly condition: string;
}

/**
 * Like `belongsToParent`, but for filters. Returns one condition for each path, because PostgreSQL cannot join efficiently on a condition
 * with `or`.
 */
export function joinClausesOf(cls: RecordClass, join: Join, caller: Caller, param: Param): JoinClause[] {
  if (typeof join === 'string' || !Array.isArray(join.where))
    return [{ through: null, condition: belongsToParent(cls, join, caller, param) }];
  const paths: readonly JoinPath[] = join.where;
  return paths.flatMap(({ column = 'id', through }): JoinClause[] =>
    through
      ? through.valueColumns.map((valueColumn) => ({
          through: `${param.table(through.table)} w`,
          condition: `${joinsParent(through, caller, param)} and ${param.row}.${column} = w.${valueColumn}`,
        }))
      : [{ through: null, condition: `${param.row}.${column} = ${param.key}` }],
  );
}

/** Returns a list of IDs as a PostgreSQL array literal, to be used as the key of a parent. */
export const idArray = (ids: readonly string[]): string =>
  `{${[...new Set(ids)].map((id) => `"${id.replaceAll(/["\\]/g, '\\$&')}"`).join()}}`;

/** Returns the join with the rows whose IDs are in the key, in the order of the IDs. */
export const idArrayJoin = (name: string): Join => ({
  name,
  where: (_, { key, row }) => `${row}.id in (select unnest(${key}::text[]))`,
  ids: 'p.key::text[]',
});
