import { metaOf, type RecordClass } from '../declare/meta.js';
import { optionsOf } from '../declare/record.js';
import { plannedByValues } from '../statement.js';
import type { BranchPlan } from './branches.js';
import { sourceOf } from './name-table.js';
import { type OrderKey, orderSql, placeOfKey, turned } from './order.js';
import type { Part } from './part.js';
import { type Selection, selectionOf } from './selection.js';

/** Sorted, and never walked along an index in the order asked for. */
const sorted = (keys: readonly OrderKey[]): OrderKey[] =>
  keys.map((key) => ({ ...key, sql: `coalesce(${key.sql}, ${key.sql})` }));

/** SQL of the ids and keys of a branch's first rows. */
function idsOf(
  cls: RecordClass,
  { conditions, keys, isFew, isBehind, isOverNames = false }: BranchPlan,
  index: number,
  limit: string,
  isBackward: boolean,
) {
  const places = keys.map(({ sql }, at) => `${sql} as "${placeOfKey(at)}"`);
  const before = Array.from({ length: index }, (_, at) => `(select count(*) from b${at})`).join(' + ');
  const gate = isBehind ? [`${before} < ${limit}`] : [];
  const from = sourceOf(cls, isOverNames, [...conditions, ...places]);
  const order = (isBackward ? turned(keys) : keys).filter(({ isConstant }) => !isConstant);
  return `b${index} as (select ${isOverNames ? 'n' : 'r'}.id as "#id", ${places} from ${from} where ${[...gate, ...conditions].join(' and ') || 'true'}
    order by ${orderSql(isFew ? sorted(order) : order)} limit ${limit})`;
}

/**
 * A page's statement, in which the rows are found first, by their ids and keys, and read then: how they are found, and what its text is with
 * what is read of them. `limit` and `offset` are SQL.
 */
export function branchesSql(
  cls: RecordClass,
  selection: Selection,
  {
    branches,
    keys,
    distance,
    isBackward,
  }: { branches: readonly BranchPlan[]; keys: readonly OrderKey[]; distance: string | null } & Pick<Part, 'isBackward'>,
  { cursors, size, offset }: { cursors: boolean; size: string; offset: string | null },
): { found: string; text: () => string } {
  const limit = offset ? `(${size} + ${offset})` : size;
  const found = branches.map((branch, index) => idsOf(cls, branch, index, limit, isBackward)).join(', ');
  const text = () => {
    const places = (isBackward ? turned(keys) : keys).map((key, index) => ({ ...key, sql: `"${placeOfKey(index)}"` }));
    const columns = [
      selectionOf(metaOf(cls), selection.keys),
      ...(distance ? [`${distance} as "distance"`] : []),
      ...(cursors ? places.map(({ sql }) => `f.${sql}`) : []),
    ];
    const all = branches.map((_, index) => `select * from b${index}`).join(' union all ');
    const planned = branches.some(({ isOverNames }) => isOverNames) ? plannedByValues : '';
    return `${planned}with ${found}
      select ${columns} from (select * from (${all}) u order by ${orderSql(places)} limit ${size}${offset ? ` offset ${offset}` : ''}) f
      join ${optionsOf(cls).table} r on r.id = f."#id" order by ${orderSql(places.map((key) => ({ ...key, sql: `f.${key.sql}` })))}`;
  };
  return { found, text };
}

/** The text of a statement that counts rows in branches, each by its conditions; `from` is what they are over. */
export const countSql = (from: string, branches: readonly (readonly string[])[]): string =>
  `select ${branches.map((some) => `(select count(*)::int from ${from} where ${some.join(' and ') || 'true'})`).join(' + ')} as n`;

/** How many rows a table has whose rows a trigger counts. */
export const rowCount = 'select sum(c.n)::int as n from row_count c where c.of = $1';

/** The text of a statement that counts rows, and stops at so many. */
export const lengthSql = (from: string, conditions: readonly string[], most: number): string =>
  `select count(*)::int as n from (select from ${from} where ${conditions.join(' and ')} limit ${most}) found`;
