import { reject } from '../declare/errors.js';
import { markOf } from './cursor-mark.js';

/** Marks a place, from 0, in a list that is worked out anew each time; `list` says with what arguments. */
export const positionCursor = (list: string, position: number): string =>
  Buffer.from(`${markOf(list)} ${position}`).toString('base64url');

/** The place of such a cursor; BAD_INPUT that names its argument when it is none, or one of another list. */
export function positionIn(list: string, end: 'after' | 'before', cursor: string): number {
  const [, mark, position] = /^(\S{8}) (\d{1,9})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  return mark === markOf(list) ? Number(position) : reject(end, 'a cursor of this list');
}
