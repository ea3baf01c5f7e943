import { reject } from '../declare/errors.js';
import { markOf } from './cursor-mark.js';

/** Cursor of a zero-based position in a computed list. `list` identifies the list and its arguments. */
export const positionCursor = (list: string, position: number): string =>
  Buffer.from(`${markOf(list)} ${position}`).toString('base64url');

/** Position of such a cursor. BAD_INPUT with the name of the argument if the cursor is invalid or belongs to another list. */
export function positionIn(list: string, end: 'after' | 'before', cursor: string): number {
  const [, mark, position] = /^(\S{8}) (\d{1,9})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  return mark === markOf(list) ? Number(position) : reject(end, 'a cursor of this list');
}
