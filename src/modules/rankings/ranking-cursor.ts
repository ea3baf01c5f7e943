import { reject } from '../../kernel/declare/errors.js';
import { markOf } from '../../kernel/read/cursor-mark.js';

/** What a cursor belongs to: the ranking of these arguments. */
const rankingOf = (args: readonly unknown[]) => markOf(`rankings ${JSON.stringify(args)}`);

/** Marks a place in a ranking. Rankings are computed anew each time, so it is a position, from 0. */
export const cursorAt = (args: readonly unknown[], position: number): string =>
  Buffer.from(`${rankingOf(args)} ${position}`).toString('base64url');

/** The position of a cursor; BAD_INPUT that names its argument when it is none, or one of another ranking. */
export function positionOf(args: readonly unknown[], argument: 'after' | 'before', cursor: string): number {
  const [, ranking, position] = /^(\S{8}) (\d{1,9})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  return ranking === rankingOf(args) ? Number(position) : reject(argument, 'a cursor of this ranking');
}
