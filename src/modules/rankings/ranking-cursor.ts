import { reject } from '../../kernel/declare/errors.js';
import { listHash } from '../../kernel/read/paging/list-hash.js';

/** Identifies the ranking of these arguments, because a cursor is valid for one ranking only. */
const rankingOf = (args: readonly unknown[]) => listHash(`rankings ${JSON.stringify(args)}`);

/** Cursor of a position in a ranking, from 0. It is a position and not a key, because rankings are computed for each request. */
export const cursorAt = (args: readonly unknown[], position: number): string =>
  Buffer.from(`${rankingOf(args)} ${position}`).toString('base64url');

/** Position of a cursor. BAD_INPUT with the name of the argument if the cursor is invalid or belongs to another ranking. */
export function positionOf(args: readonly unknown[], argument: 'after' | 'before', cursor: string): number {
  const [, ranking, position] = /^(\S{8}) (\d{1,9})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  return ranking === rankingOf(args) ? Number(position) : reject(argument, 'a cursor of this ranking');
}
