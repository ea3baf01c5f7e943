import type { Where } from './filter.js';
import type { OrderKey } from './order.js';

/** A part of a list with its own subquery, so that PostgreSQL can scan an index of its own for it and stop when the page is full. */
export interface BranchPlan {
  readonly conditions: readonly string[];
  readonly keys: readonly OrderKey[];
  readonly isFew: boolean;
  /** Its rows come after those of all earlier branches. It is evaluated only if these do not fill the page. */
  readonly isFallback: boolean;
  /** Conditions and sort keys use the columns of the record's name table. */
  readonly isOverNames?: boolean;
  /** Some conditions or sort keys also use the table of the record. */
  readonly needsRow?: boolean;
}

/** SQL condition: at least one of the conditions is true. */
export const disjunction = (conditions: readonly string[]): string =>
  conditions.length > 1 ? `(${conditions.join(' or ')})` : conditions.join();

/** Returns the cursor conditions for sort keys, one list for each cursor. The list contains alternatives, which become branches. */
type CursorConditions = (keys: readonly OrderKey[]) => string[][];

/**
 * Branches of a list: those of its filter if they are in the order of the list, otherwise those of a cursor or of a scan against the index. Null if
 * it has none.
 */
export function branchesOfList(
  where: Where,
  keys: readonly OrderKey[],
  isBackward: boolean,
  between: CursorConditions,
): BranchPlan[] | null {
  const isOverNames = where.names.size > 0;
  if (!isOverNames) return branchesOf(where, keys, isBackward, between);
  const nameKeys = keys.map((key) => ({ ...key, sql: key.names ?? key.sql }));
  const needsRow = needsRowOf(where) || keys.some(({ names }) => names === undefined);
  const branches = branchesOf({ ...where, conditions: conditionsOnSource(where) }, nameKeys, isBackward, between);
  return branches?.map((branch) => ({ ...branch, isOverNames, needsRow })) ?? null;
}

/** Whether a condition of the filter uses columns that the name table does not have. */
export const needsRowOf = ({ conditions, names }: Where): boolean => conditions.some((_, at) => !names.has(at));

/** Conditions of a filter, in their variants for the name table if they have one. */
export const conditionsOnSource = ({ conditions, names }: Where): string[] =>
  conditions.map((condition, at) => names.get(at) ?? condition);

function branchesOf(
  { branches, conditions, names }: Where,
  keys: readonly OrderKey[],
  isBackward: boolean,
  between: CursorConditions,
): BranchPlan[] | null {
  const isRanked = branches?.list.some(({ rank }) => rank !== undefined) ?? false;
  if (!branches || (isRanked && (isBackward || !keys[0]?.isRank)))
    return (
      branchesPerCursorAlternative(conditions, keys, between(keys)) ??
      reverseScanBranches(conditions, keys, between(keys)) ??
      (names.size > 0
        ? [{ conditions: [...conditions, ...between(keys).map(disjunction)], keys, isFew: false, isFallback: false }]
        : null)
    );
  return branches.list.map(({ where, isFew = false, rank, ranked }, index) => {
    const first = rank === undefined ? ranked && { sql: ranked } : { sql: `${rank}::float8`, isConstant: true as const };
    const branchKeys = first ? keys.map((key, at) => (at === 0 ? { ...key, ...first } : key)) : keys;
    return {
      conditions: [
        ...conditions.map((condition, at) => (at === branches.at ? where : condition)),
        ...between(branchKeys).map(disjunction),
      ],
      keys: branchKeys,
      isFew,
      isFallback: isRanked && index > 0,
    };
  });
}

/** One branch for each alternative of a cursor condition. */
function branchesPerCursorAlternative(
  conditions: readonly string[],
  keys: readonly OrderKey[],
  between: readonly string[][],
): BranchPlan[] | null {
  const alternatives = between.find((parts) => parts.length > 1);
  if (!alternatives) return null;
  const others = between.filter((parts) => parts !== alternatives).map(disjunction);
  return alternatives.map((part) => ({ conditions: [...conditions, ...others, part], keys, isFew: false, isFallback: false }));
}

/**
 * Branches of an unfiltered list in the opposite direction of the index, which has null values at the wrong end. The first branch has no null
 * values, so it can scan the index backward. The second one has only null values.
 */
function reverseScanBranches(
  conditions: readonly string[],
  keys: readonly OrderKey[],
  between: readonly string[][],
): BranchPlan[] | null {
  const [first, ...others] = keys;
  if (!first?.indexed || conditions.length > 0 || (first.indexed === 'DESC') === first.descending) return null;
  const { sql, isSet } = first;
  const limits = between.map(disjunction);
  const set = {
    conditions: [...limits, ...(isSet ? [] : [`${sql} is not null`])],
    keys: [{ ...first, isReversed: true as const }, ...others],
    isFew: false,
    isFallback: false,
  };
  return isSet
    ? [set]
    : [
        set,
        {
          conditions: [...limits, `${sql} is null`],
          keys: [{ ...first, isConstant: true as const }, ...others],
          isFew: false,
          isFallback: false,
        },
      ];
}
