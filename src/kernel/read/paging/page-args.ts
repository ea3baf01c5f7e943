import { reject } from '../../declare/errors.js';
import { runChecks } from '../../declare/problems.js';

/** Pagination arguments of a list. */
export interface PageArgs {
  first?: number | null;
  after?: string | null;
  last?: number | null;
  before?: string | null;
  offset?: number | null;
}

export const defaultFirst = 20;
export const maxFirst = 100;

/** Size and direction of a page. */
export interface PageRange {
  readonly size: number;
  readonly offset: number;
  readonly isBackward: boolean;
}

const isSize = (size: number): boolean => size >= 0 && size <= maxFirst;
const isSet = (value: unknown): boolean => value !== null && value !== undefined;

/** Whether the page is counted from the end: with `last`, or with `before` alone, which selects the rows right before the cursor. */
const isBackward = ({ first, last, after, before }: PageArgs): boolean =>
  isSet(last) || (Boolean(before) && !isSet(first) && !after);

/** Parses pagination arguments. BAD_INPUT for values out of range and for contradictory arguments. */
export function parsePageArgs(args: PageArgs): PageRange {
  const { first, last } = args;
  const offset = args.offset ?? 0;
  const range = { size: last ?? first ?? defaultFirst, offset, isBackward: isBackward(args) };
  runChecks(
    () => isSize(first ?? 0) || reject('first', `an integer from 0 to ${maxFirst}`),
    () => isSize(last ?? 0) || reject('last', `an integer from 0 to ${maxFirst}`),
    () => !isSet(first) || !isSet(last) || reject('last', 'no value together with `first`'),
    () => offset >= 0 || reject('offset', 'an integer of 0 or more'),
    () => !range.isBackward || offset === 0 || reject('offset', 'no value together with `last` or `before`'),
  );
  return range;
}

/** Maximum number of rows of a page, for the cost calculation. The arguments need not be valid. */
export function pageSizeOf({ first, last }: { first?: unknown; last?: unknown }): number {
  const sizes = [first, last].map(Number).filter((size) => size > 0);
  return isSet(first) || isSet(last) ? Math.max(1, ...sizes) : defaultFirst;
}

/** Arguments of a list without rows, for operations that do not select any. Sizes out of range stay, because they must be rejected. */
export function withoutRows<T extends PageArgs>(args: T): T {
  if (!isSize(args.first ?? 0) || !isSize(args.last ?? 0)) return args;
  return isBackward(args) ? { ...args, last: 0 } : { ...args, first: 0 };
}

/** Page info. `isMore` means that the query found a row beyond the page. */
export const pageInfoOf = ({ offset, isBackward }: PageRange, { after, before }: PageArgs, isMore: boolean) => ({
  hasNextPage: Boolean(before) || (!isBackward && isMore),
  hasPreviousPage: Boolean(after) || offset > 0 || (isBackward && isMore),
});
