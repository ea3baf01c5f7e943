import { reject } from '../../kernel/declare/errors.js';
import { listHash } from '../../kernel/read/paging/cursor.js';

/** Returns a hash of a ranking's arguments. A cursor is valid only for rankings with the same hash. */
const hashOf = (args: readonly unknown[]) => listHash(`rankings ${JSON.stringify(args)}`);

/** Returns the cursor for a zero-based position in a ranking. Rankings are computed for each request and have no stored keys. */
export const cursorAt = (args: readonly unknown[], position: number): string =>
  Buffer.from(`${hashOf(args)} ${position}`).toString('base64url');

/** Returns the position in a cursor. Throws BAD_INPUT for `argument` if the cursor is invalid or belongs to another ranking. */
export function positionOf(args: readonly unknown[], argument: 'after' | 'before', cursor: string): number {
  const [, hash, position] = /^(\S{8}) (\d{1,9})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  return hash === hashOf(args) ? Number(position) : reject(argument, 'a cursor of this ranking');
}
