import { reject } from '../../declare/errors.js';
import { listHash } from './list-hash.js';

/** Returns the cursor of a zero-based position in a computed list. `list` identifies the list and its arguments. */
export const positionCursor = (list: string, position: number): string =>
  Buffer.from(`${listHash(list)} ${position}`).toString('base64url');

/** Returns the position of a cursor in a computed list. Throws BAD_INPUT for `end` if the cursor is invalid or belongs to another list. */
export function parsePositionCursor(list: string, end: 'after' | 'before', cursor: string): number {
  const [, hash, position] = /^(\S{8}) (\d{1,9})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  return hash === listHash(list) ? Number(position) : reject(end, 'a cursor of this list');
}
