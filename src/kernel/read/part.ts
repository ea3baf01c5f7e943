import { reject } from '../declare/errors.js';
import { allOf } from '../declare/problems.js';

/** The arguments that say which part of a list is meant. */
export interface PartArgs {
  first?: number | null;
  after?: string | null;
  last?: number | null;
  before?: string | null;
  offset?: number | null;
}

export const defaultFirst = 20;
export const maxFirst = 100;

/** How many rows, and from which end of what lies between the cursors. */
export interface Part {
  readonly size: number;
  readonly offset: number;
  readonly isBackward: boolean;
}

const isSize = (size: number): boolean => size >= 0 && size <= maxFirst;
const isGiven = (value: unknown): boolean => value !== null && value !== undefined;

/** Whether the end is meant: `before` alone asks for what is right before it. */
const isBackward = ({ first, last, after, before }: PartArgs): boolean =>
  isGiven(last) || (Boolean(before) && !isGiven(first) && !after);

/** Which part of a list is meant; BAD_INPUT outside the bounds, and for what contradicts itself. */
export function checkPart(args: PartArgs): Part {
  const { first, last } = args;
  const offset = args.offset ?? 0;
  const part = { size: last ?? first ?? defaultFirst, offset, isBackward: isBackward(args) };
  allOf(
    () => isSize(first ?? 0) || reject('first', `an integer from 0 to ${maxFirst}`),
    () => isSize(last ?? 0) || reject('last', `an integer from 0 to ${maxFirst}`),
    () => !isGiven(first) || !isGiven(last) || reject('last', 'no value beside `first`'),
    () => offset >= 0 || reject('offset', 'an integer of 0 or more'),
    () =>
      !part.isBackward ||
      offset === 0 ||
      reject('offset', 'no value where the end of a list is asked for: it counts from the front'),
  );
  return part;
}

/** How many rows a part may have, as costs count it before anything is checked. */
export function sizeOf({ first, last }: { first?: unknown; last?: unknown }): number {
  const sizes = [first, last].map(Number).filter((size) => size > 0);
  return isGiven(first) || isGiven(last) ? Math.max(1, ...sizes) : defaultFirst;
}

/** The arguments of a list of which no row is asked for. A number of rows that is out of bounds stays: it is refused all the same. */
export function withoutRows<T extends PartArgs>(args: T): T {
  if (!isSize(args.first ?? 0) || !isSize(args.last ?? 0)) return args;
  return isBackward(args) ? { ...args, last: 0 } : { ...args, first: 0 };
}

/** What a page tells of its place, from whether a row more was found beyond it than it holds. */
export const endsOf = ({ offset, isBackward }: Part, { after, before }: PartArgs, isMore: boolean) => ({
  hasNextPage: Boolean(before) || (!isBackward && isMore),
  hasPreviousPage: Boolean(after) || offset > 0 || (isBackward && isMore),
});
