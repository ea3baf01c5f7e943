import type { RecordClass } from '../declare/meta.js';
import { metaOf } from '../declare/meta.js';
import { optionsOf } from '../declare/record.js';
import type { Where } from './filter.js';
import { type Key, orderSql, placeOfKey, turned } from './order.js';
import type { Part } from './part.js';
import { type Selection, selectionOf } from './selection.js';

/** A part of a list, found by itself: PostgreSQL then finds each along an index of its own and stops when a page is full. */
export interface BranchPlan {
  readonly conditions: readonly string[];
  readonly keys: readonly Key[];
  readonly isFew: boolean;
  /** It comes behind those before it, and is looked for only where they do not fill the page. */
  readonly isBehind: boolean;
}

/** SQL that holds where one of some conditions does. */
export const anyOf = (conditions: readonly string[]): string =>
  conditions.length > 1 ? `(${conditions.join(' or ')})` : conditions.join();

/** Makes the conditions that cursors put on rows, by the keys of their order: several are branches. */
type Between = (keys: readonly Key[]) => string[][];

/**
 * The branches of a list: those of its filter, where their order is that of the list, or else those on both sides of a cursor. Null where it
 * has none.
 */
export function branchesIn(
  { branches, conditions }: Where,
  keys: readonly Key[],
  isBackward: boolean,
  between: Between,
): BranchPlan[] | null {
  const isRanked = branches?.list.some(({ rank }) => rank !== undefined) ?? false;
  if (!branches || (isRanked && (isBackward || !keys[0]?.isRank)))
    return besides(conditions, keys, between(keys)) ?? against(conditions, keys, between(keys));
  return branches.list.map(({ where, isFew = false, rank }, index) => {
    const own =
      rank === undefined
        ? keys
        : keys.map((key, at) => (at === 0 ? { ...key, sql: `${rank}::float8`, isConstant: true as const } : key));
    return {
      conditions: [...conditions.map((condition, at) => (at === branches.at ? where : condition)), ...between(own).map(anyOf)],
      keys: own,
      isFew,
      isBehind: isRanked && index > 0,
    };
  });
}

/** The branches behind a cursor, or in front of it. */
function besides(conditions: readonly string[], keys: readonly Key[], between: readonly string[][]): BranchPlan[] | null {
  const divided = between.find((parts) => parts.length > 1);
  if (!divided) return null;
  const others = between.filter((parts) => parts !== divided).map(anyOf);
  return divided.map((part) => ({ conditions: [...conditions, ...others, part], keys, isFew: false, isBehind: false }));
}

/**
 * The branches of a whole list against the direction of the index: unset values stand at its other end. What is set has none, so that it does
 * not matter where they would come.
 */
function against(conditions: readonly string[], keys: readonly Key[], between: readonly string[][]): BranchPlan[] | null {
  const [first, ...others] = keys;
  if (!first?.indexed || conditions.length > 0 || (first.indexed === 'DESC') === first.descending) return null;
  const { sql, isSet } = first;
  const limits = between.map(anyOf);
  const set = {
    conditions: [...limits, ...(isSet ? [] : [`${sql} is not null`])],
    keys: [{ ...first, isReversed: true as const }, ...others],
    isFew: false,
    isBehind: false,
  };
  return isSet
    ? [set]
    : [
        set,
        {
          conditions: [...limits, `${sql} is null`],
          keys: [{ ...first, isConstant: true as const }, ...others],
          isFew: false,
          isBehind: false,
        },
      ];
}

/** Sorted, and never walked along an index in the order asked for. */
const sorted = (keys: readonly Key[]): Key[] => keys.map((key) => ({ ...key, sql: `coalesce(${key.sql}, ${key.sql})` }));

/** SQL of the ids and keys of a branch's first rows. */
function idsOf(
  table: string,
  { conditions, keys, isFew, isBehind }: BranchPlan,
  index: number,
  limit: string,
  isBackward: boolean,
) {
  const places = keys.map(({ sql }, at) => `${sql} as "${placeOfKey(at)}"`);
  const before = Array.from({ length: index }, (_, at) => `(select count(*) from b${at})`).join(' + ');
  const gate = isBehind ? [`${before} < ${limit}`] : [];
  const order = (isBackward ? turned(keys) : keys).filter(({ isConstant }) => !isConstant);
  return `b${index} as (select r.id as "#id", ${places} from ${table} r where ${[...gate, ...conditions].join(' and ') || 'true'}
    order by ${orderSql(isFew ? sorted(order) : order)} limit ${limit})`;
}

/** The text of a page's statement: the rows are found first, by their ids and keys, and read then. `limit` and `offset` are SQL. */
export function branchesSql(
  cls: RecordClass,
  selection: Selection,
  {
    branches,
    keys,
    distance,
    isBackward,
  }: { branches: readonly BranchPlan[]; keys: readonly Key[]; distance: string | null } & Pick<Part, 'isBackward'>,
  { cursors, size, offset }: { cursors: boolean; size: string; offset: string | null },
): string {
  const { table } = optionsOf(cls);
  const limit = offset ? `(${size} + ${offset})` : size;
  const places = (isBackward ? turned(keys) : keys).map((key, index) => ({ ...key, sql: `"${placeOfKey(index)}"` }));
  const columns = [
    selectionOf(metaOf(cls), selection.keys),
    ...(distance ? [`${distance} as "distance"`] : []),
    ...(cursors ? places.map(({ sql }) => `f.${sql}`) : []),
  ];
  const found = branches.map((_, index) => `select * from b${index}`).join(' union all ');
  return `with ${branches.map((branch, index) => idsOf(table, branch, index, limit, isBackward)).join(', ')}
    select ${columns} from (select * from (${found}) u order by ${orderSql(places)} limit ${size}${offset ? ` offset ${offset}` : ''}) f
    join ${table} r on r.id = f."#id" order by ${orderSql(places.map((key) => ({ ...key, sql: `f.${key.sql}` })))}`;
}
