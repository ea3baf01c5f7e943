import { anyOf, constantSql, expression, type SqlExpression } from '../../declare/expression.js';
import type { FilterConditions } from '../conditions/filter.js';
import type { OrderKey } from '../paging/order.js';

/** Subset of a list that is read by a separate subquery. PostgreSQL can use a separate index for it and stop when the page is full. */
export interface BranchPlan {
  readonly conditions: readonly SqlExpression[];
  readonly keys: readonly OrderKey[];
  readonly isSelective: boolean;
  /** The rows come after those of earlier branches. The branch is read only if the earlier branches do not fill the page. */
  readonly isFallback: boolean;
  /** Conditions and sort keys use the columns of the name table. */
  readonly usesNameTable?: boolean;
  /** Some conditions or sort keys also use columns of the record's table. */
  readonly needsRow?: boolean;
}

/** Joins conditions with `or`. Adds parentheses if there are several conditions. */
export const disjunction = (conditions: readonly SqlExpression[]): SqlExpression =>
  conditions.length > 1 ? expression`(${anyOf(conditions)})` : anyOf(conditions);

/**
 * Returns the conditions that cursors impose on sort keys, one list for each cursor. A row matches a cursor if it meets any condition in
 * its list.
 */
type CursorConditions = (keys: readonly OrderKey[]) => SqlExpression[][];

/**
 * Returns the branches of a list. Null if it has none. Uses the branches of the filter if they are compatible with the order of the list.
 * Otherwise, branches can result from a cursor or from a backward scan of the index.
 */
export function branchesOfList(
  where: FilterConditions,
  keys: readonly OrderKey[],
  isBackward: boolean,
  cursorConditions: CursorConditions,
): BranchPlan[] | null {
  const usesNameTable = where.names.size > 0;
  if (!usesNameTable) return branchesOf(where, keys, isBackward, cursorConditions);
  const nameKeys = keys.map((key) => ({ ...key, sql: key.nameTableSql ?? key.sql }));
  const needsRow = needsRowOf(where) || keys.some(({ nameTableSql }) => nameTableSql === undefined);
  const branches = branchesOf({ ...where, conditions: conditionsOnSource(where) }, nameKeys, isBackward, cursorConditions);
  return branches?.map((branch) => ({ ...branch, usesNameTable, needsRow })) ?? null;
}

/** Whether a condition in the filter uses columns that the name table lacks. */
export const needsRowOf = ({ conditions, names }: FilterConditions): boolean => conditions.some((_, index) => !names.has(index));

/** Returns the conditions of a filter. Prefers the variant for the name table, if a condition has one. */
export const conditionsOnSource = ({ conditions, names }: FilterConditions): SqlExpression[] =>
  conditions.map((condition, index) => names.get(index) ?? condition);

function branchesOf(
  { branches, conditions, names }: FilterConditions,
  keys: readonly OrderKey[],
  isBackward: boolean,
  cursorConditions: CursorConditions,
): BranchPlan[] | null {
  const isRanked = branches?.list.some(({ rank }) => rank !== undefined) ?? false;
  if (!branches || (isRanked && (isBackward || !keys[0]?.isRank)))
    return (
      branchesPerCursorAlternative(conditions, keys, cursorConditions(keys)) ??
      reverseScanBranches(conditions, keys, cursorConditions(keys)) ??
      (names.size > 0
        ? [
            {
              conditions: [...conditions, ...cursorConditions(keys).map(disjunction)],
              keys,
              isSelective: false,
              isFallback: false,
            },
          ]
        : null)
    );
  return branches.list.map(({ where, isSelective = false, rank, rowRank }, index) => {
    const first =
      rank === undefined ? rowRank && { sql: rowRank } : { sql: constantSql(`${rank}::float8`), isConstant: true as const };
    const branchKeys = first ? keys.map((key, keyIndex) => (keyIndex === 0 ? { ...key, ...first } : key)) : keys;
    return {
      conditions: [
        ...conditions.map((condition, conditionIndex) => (conditionIndex === branches.index ? where : condition)),
        ...cursorConditions(branchKeys).map(disjunction),
      ],
      keys: branchKeys,
      isSelective,
      isFallback: isRanked && index > 0,
    };
  });
}

/** Returns one branch for each alternative of a cursor condition. Null if no cursor has alternatives. */
function branchesPerCursorAlternative(
  conditions: readonly SqlExpression[],
  keys: readonly OrderKey[],
  cursorConditions: readonly SqlExpression[][],
): BranchPlan[] | null {
  const alternatives = cursorConditions.find((parts) => parts.length > 1);
  if (!alternatives) return null;
  const otherConditions = cursorConditions.filter((parts) => parts !== alternatives).map(disjunction);
  return alternatives.map((part) => ({
    conditions: [...conditions, ...otherConditions, part],
    keys,
    isSelective: false,
    isFallback: false,
  }));
}

/**
 * Returns the branches of an unfiltered list that is read against the direction of its index. The index has the nulls at the wrong end. The
 * first branch excludes nulls and can scan the index backward. The second branch contains only nulls.
 */
function reverseScanBranches(
  conditions: readonly SqlExpression[],
  keys: readonly OrderKey[],
  cursorConditions: readonly SqlExpression[][],
): BranchPlan[] | null {
  const [first, ...otherKeys] = keys;
  if (!first?.indexDirection || conditions.length > 0 || (first.indexDirection === 'DESC') === first.isDescending) return null;
  const { sql, isNonNull } = first;
  const limits = cursorConditions.map(disjunction);
  const nonNullBranch = {
    conditions: [...limits, ...(isNonNull ? [] : [expression`${sql} is not null`])],
    keys: [{ ...first, isReversed: true as const }, ...otherKeys],
    isSelective: false,
    isFallback: false,
  };
  return isNonNull
    ? [nonNullBranch]
    : [
        nonNullBranch,
        {
          conditions: [...limits, expression`${sql} is null`],
          keys: [{ ...first, isConstant: true as const }, ...otherKeys],
          isSelective: false,
          isFallback: false,
        },
      ];
}
