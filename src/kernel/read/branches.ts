import type { Where } from './filter.js';
import type { Key } from './order.js';

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
