import type { Caller } from '../declare/caller.js';
import { columnOf, metaOf, type RecordClass } from '../declare/meta.js';
import type { Param } from '../declare/row.js';
import { mayKnow } from './restriction.js';

/** What rows have to do with a parent: the foreign key that names it, or a condition over `r` and the parent's id, which is `p.key`. */
export type Join = string | { readonly name: string; readonly where: JoinCondition };

/** SQL, or where the bond depends on who asks, what makes it. */
export type JoinCondition = string | ((caller: Caller, param: Param) => string);

/** A bond's name, under which loaders share a batch. */
export const joinName = (by: Join): string => (typeof by === 'string' ? by : by.name);

/** How a row names its parent, whose key is `p.key`: by a foreign key, by one of a list of them, or by a condition. */
export function belongs(cls: RecordClass, by: Join, caller: Caller, param: Param): string {
  if (typeof by !== 'string') return `(${typeof by.where === 'string' ? by.where : by.where(caller, param)})`;
  const found = columnOf(metaOf(cls), by);
  if (found.field.kind !== 'list') return `r.${found.column} = p.key`;
  const known = mayKnow(metaOf(cls), found, caller, param);
  return `r.${found.column} @> array[p.key]${known ? ` and ${known}` : ''}`;
}
