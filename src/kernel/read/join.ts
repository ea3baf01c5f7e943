import type { Caller } from '../declare/caller.js';
import { columnOf, metaOf, type RecordClass } from '../declare/meta.js';
import type { Param } from '../declare/row.js';
import { mayKnow } from './restriction.js';
import { visibleRows } from './visible.js';

/**
 * What rows have to do with a parent: the foreign key that names it, or something else that tells. With `ids` the rows are those of a list of
 * ids, SQL in which each stands once, and their order is that of the ids.
 */
export type Join = string | { readonly name: string; readonly where: JoinCondition; readonly ids?: string };

/** Alternative paths to the row, or a condition on the row and on the ID of the parent, `param.key`. */
export type JoinCondition = readonly Way[] | ((caller: Caller, param: Param) => string);

/** A way from a parent to the rows of a record, by the names of columns. */
export interface Way {
  /** The column of the record in which they meet; the id by default. */
  readonly at?: string;
  /** The table through which it leads. Without one the row names the parent. */
  readonly past?: {
    readonly table: string;
    /** The column that names the parent. */
    readonly from: string;
    /** The columns that name the value of the row. */
    readonly to: readonly string[];
    /** The record of the table. Rows that the caller does not see lead nowhere. */
    readonly record?: () => RecordClass;
  };
}

/** A join's name, under which loaders share a batch. */
export const joinName = (by: Join): string => (typeof by === 'string' ? by : by.name);

/** SQL over the table of a way, `w`: its row names the parent, and the caller sees it. */
function leads({ from, record }: NonNullable<Way['past']>, caller: Caller, param: Param): string {
  const visible = record ? visibleRows(record(), caller, param.for('w')) : null;
  return `w.${from} = ${param.key}${visible ? ` and ${visible}` : ''}`;
}

/** SQL of ways, for lists: the rows past a table are looked up there, each once. */
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

/** SQL: the row belongs to the parent: by a foreign key, by one of a list of them, or otherwise. */
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

/** A condition by which a row belongs to a parent, and the table that connects both, if any. */
export interface Lead {
  /** SQL of the table, with its alias. */
  readonly past: string | null;
  readonly where: string;
}

/** The same for filters: every way by itself, because PostgreSQL joins along each of them, but not along all at once. */
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
