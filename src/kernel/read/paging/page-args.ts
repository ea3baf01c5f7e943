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

/** Whether the page is read from its end: with `last`, or with only `before`, which selects the rows directly before the cursor. */
const isBackward = ({ first, last, after, before }: PageArgs): boolean =>
  isSet(last) || (Boolean(before) && !isSet(first) && !after);

/** Parses pagination arguments. Throws BAD_INPUT for out-of-range values and for contradictory arguments. */
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

/** Returns the maximum number of rows on a page, for the cost calculation. The arguments may be invalid. */
export function pageSizeOf({ first, last }: { first?: unknown; last?: unknown }): number {
  const sizes = [first, last].map(Number).filter((size) => size > 0);
  return isSet(first) || isSet(last) ? Math.max(1, ...sizes) : defaultFirst;
}

/**
 * Returns arguments for a page without rows, for operations that select none. Keeps out-of-range sizes, so that they are rejected later.
 */
export function withoutRows<T extends PageArgs>(args: T): T {
  if (!isSize(args.first ?? 0) || !isSize(args.last ?? 0)) return args;
  return isBackward(args) ? { ...args, last: 0 } : { ...args, first: 0 };
}

/** Returns whether there are next and previous pages. `isMore` means that the query found a row after the page. */
export const pageInfoOf = ({ offset, isBackward }: PageRange, { after, before }: PageArgs, isMore: boolean) => ({
  hasNextPage: Boolean(before) || (!isBackward && isMore),
  hasPreviousPage: Boolean(after) || offset > 0 || (isBackward && isMore),
});
