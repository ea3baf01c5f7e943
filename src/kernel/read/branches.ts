import type { Where } from './filter.js';
import type { OrderKey } from './order.js';

/** A part of a list, found by itself: PostgreSQL then finds each along an index of its own and stops when a page is full. */
export interface BranchPlan {
  readonly conditions: readonly string[];
  readonly keys: readonly OrderKey[];
  readonly isFew: boolean;
  /** It comes behind those before it, and is looked for only where they do not fill the page. */
  readonly isBehind: boolean;
  /** Conditions and keys are over the record's name table. */
  readonly isOverNames?: boolean;
  /** Some of them are over the table of the record, too. */
  readonly needsRow?: boolean;
}

/** SQL that holds where one of some conditions does. */
export const anyOf = (conditions: readonly string[]): string =>
  conditions.length > 1 ? `(${conditions.join(' or ')})` : conditions.join();

/** Makes the conditions that cursors put on rows, by the keys of their order: several are branches. */
type Between = (keys: readonly OrderKey[]) => string[][];

/**
 * The branches of a list: those of its filter, where their order is that of the list, or else those on both sides of a cursor. Null where it
 * has none.
 */
export function branchesIn(where: Where, keys: readonly OrderKey[], isBackward: boolean, between: Between): BranchPlan[] | null {
  const isOverNames = where.names.size > 0;
  if (!isOverNames) return branchesOf(where, keys, isBackward, between);
  const over = keys.map((key) => ({ ...key, sql: key.names ?? key.sql }));
  const needsRow = needsRowOf(where) || keys.some(({ names }) => names === undefined);
  const found = branchesOf({ ...where, conditions: conditionsOver(where) }, over, isBackward, between);
  return found?.map((branch) => ({ ...branch, isOverNames, needsRow })) ?? null;
}

/** Whether the name table has not all that the conditions of a filter ask for. */
export const needsRowOf = ({ conditions, names }: Where): boolean => conditions.some((_, at) => !names.has(at));

/** The conditions of a filter, over the record's name table where that has them. */
export const conditionsOver = ({ conditions, names }: Where): string[] =>
  conditions.map((condition, at) => names.get(at) ?? condition);

function branchesOf(
  { branches, conditions, names }: Where,
  keys: readonly OrderKey[],
  isBackward: boolean,
  between: Between,
): BranchPlan[] | null {
  const isRanked = branches?.list.some(({ rank }) => rank !== undefined) ?? false;
  if (!branches || (isRanked && (isBackward || !keys[0]?.isRank)))
    return (
      besides(conditions, keys, between(keys)) ??
      against(conditions, keys, between(keys)) ??
      (names.size > 0
        ? [{ conditions: [...conditions, ...between(keys).map(anyOf)], keys, isFew: false, isBehind: false }]
        : null)
    );
  return branches.list.map(({ where, isFew = false, rank, ranked }, index) => {
    const first = rank === undefined ? ranked && { sql: ranked } : { sql: `${rank}::float8`, isConstant: true as const };
    const own = first ? keys.map((key, at) => (at === 0 ? { ...key, ...first } : key)) : keys;
    return {
      conditions: [...conditions.map((condition, at) => (at === branches.at ? where : condition)), ...between(own).map(anyOf)],
      keys: own,
      isFew,
      isBehind: isRanked && index > 0,
    };
  });
}

/** The branches behind a cursor, or in front of it. */
function besides(conditions: readonly string[], keys: readonly OrderKey[], between: readonly string[][]): BranchPlan[] | null {
  const divided = between.find((parts) => parts.length > 1);
  if (!divided) return null;
  const others = between.filter((parts) => parts !== divided).map(anyOf);
  return divided.map((part) => ({ conditions: [...conditions, ...others, part], keys, isFew: false, isBehind: false }));
}

/**
 * The branches of a whole list against the direction of the index: unset values stand at its other end. What is set has none, so that it does
 * not matter where they would come.
 */
function against(conditions: readonly string[], keys: readonly OrderKey[], between: readonly string[][]): BranchPlan[] | null {
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
