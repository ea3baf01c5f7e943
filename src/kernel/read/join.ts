import type { Caller } from '../declare/caller.js';
import { columnOf, metaOf, type RecordClass } from '../declare/meta.js';
import type { Param } from '../declare/row.js';
import { mayKnow } from './restriction.js';
import { visibleRows } from './visible.js';

/**
 * Relation of rows to a parent: the name of the foreign key, or a condition. `ids` is the SQL of a list of distinct IDs. With it, the rows are
 * those with these IDs, in the same order.
 */
export type Join = string | { readonly name: string; readonly where: JoinCondition; readonly ids?: string };

/** Alternative paths to the row, or a condition on the row and on the ID of the parent, `param.key`. */
export type JoinCondition = readonly Way[] | ((caller: Caller, param: Param) => string);

/** Path from a parent to the rows of a record, as column names. */
export interface Way {
  /** Joined column of the record. Default: `id`. */
  readonly at?: string;
  /** Join table. Without one, the column contains the ID of the parent. */
  readonly past?: {
    readonly table: string;
    /** Column with the ID of the parent. */
    readonly from: string;
    /** Columns with the value of the joined column. */
    readonly to: readonly string[];
    /** Record of the join table. Rows that the caller cannot see are ignored. */
    readonly record?: () => RecordClass;
  };
}

/** Name of a join. Loaders batch by it. */
export const joinName = (by: Join): string => (typeof by === 'string' ? by : by.name);

/** SQL condition on a row of the join table, aliased `w`: it has the ID of the parent, and the caller can see it. */
function leads({ from, record }: NonNullable<Way['past']>, caller: Caller, param: Param): string {
  const visible = record ? visibleRows(record(), caller, param.for('w')) : null;
  return `w.${from} = ${param.key}${visible ? ` and ${visible}` : ''}`;
}

/** SQL condition for lists: the row is on one of the paths. Join tables are read by subqueries, so that each row is in the list once. */
function onWays(ways: readonly Way[], caller: Caller, param: Param): string {
  const { row } = param;
  const direct = ways.flatMap(({ at = 'id', past }) => (past ? [] : [`${row}.${at} = ${param.key}`]));
  const meetings = Map.groupBy(
    ways.filter(({ past }) => past),
    ({ at = 'id' }) => at,
  );
  const further = [...meetings].map(([at, by]) => {
    const found = by.flatMap(({ past }) => {
      if (!past) return [];
      const to = past.to.map((column) => `w.${column}`);
      return [
        `(select ${to.length > 1 ? `unnest(array[${to}])` : to} from ${param.table(past.table)} w where ${leads(past, caller, param)})`,
      ];
    });
    return `${row}.${at} in (${found.join(' union all ')})`;
  });
  return [...direct, ...further].join(' or ');
}

/** SQL condition: the row belongs to the parent. */
export function belongs(cls: RecordClass, by: Join, caller: Caller, param: Param): string {
  if (typeof by !== 'string') {
    const { where } = by;
    return `(${typeof where === 'function' ? where(caller, param) : onWays(where, caller, param)})`;
  }
  const found = columnOf(metaOf(cls), by);
  if (found.field.kind !== 'list') return `${param.row}.${found.column} = ${param.key}`;
  const known = mayKnow(metaOf(cls), found, caller, param);
  return `${param.row}.${found.column} @> array[${param.key}]${known ? ` and ${known}` : ''}`;
}

/** A condition by which a row belongs to a parent, and the join table, if any. */
export interface Lead {
  /** SQL of the table, with its alias. */
  readonly past: string | null;
  readonly where: string;
}

/** Like `belongs`, for filters: one condition for each path, because PostgreSQL cannot join along a condition with `or`. */
export function leadsOf(cls: RecordClass, by: Join, caller: Caller, param: Param): Lead[] {
  if (typeof by === 'string' || !Array.isArray(by.where)) return [{ past: null, where: belongs(cls, by, caller, param) }];
  const ways: readonly Way[] = by.where;
  return ways.flatMap(({ at = 'id', past }): Lead[] =>
    past
      ? past.to.map((to) => ({
          past: `${param.table(past.table)} w`,
          where: `${leads(past, caller, param)} and ${param.row}.${at} = w.${to}`,
        }))
      : [{ past: null, where: `${param.row}.${at} = ${param.key}` }],
  );
}
