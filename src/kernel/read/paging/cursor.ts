import { createHash } from 'node:crypto';
import { reject } from '../../declare/errors.js';
import type { RecordClass } from '../../declare/meta.js';
import type { Row } from '../../session.js';
import { plainSql } from '../../statement.js';
import { keyColumn, type OrderKey, orderSql } from './order.js';

/** Returns an 8-character hash of a list and its order. Cursors contain it, to detect cursors of another list or order. */
export const listHash = (list: string): string => createHash('sha256').update(list).digest('base64url').slice(0, 8);

/** Returns the hash of a cursor's list and order. */
const listOf = (cls: RecordClass, list: string, keys: readonly OrderKey[]) =>
  listHash(`${cls.name} ${list} ${plainSql(orderSql(keys))}`);

/** Returns the cursor of a row. It contains the hash of its list and order, and the values of its sort keys. */
export const cursorOf = (cls: RecordClass, list: string, keys: readonly OrderKey[], row: Row): string =>
  Buffer.from(JSON.stringify([listOf(cls, list, keys), ...keys.map((_, index) => row[keyColumn(index)] ?? null)])).toString(
    'base64url',
  );

/** Returns the sort key values of a cursor. Throws BAD_INPUT for `argument` if the cursor is invalid or belongs to another list or order. */
export function readCursor(
  cls: RecordClass,
  list: string,
  keys: readonly OrderKey[],
  argument: string,
  cursor: string,
): unknown[] {
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    parts = null;
  }
  if (!Array.isArray(parts) || parts.length !== keys.length + 1 || parts[0] !== listOf(cls, list, keys)) {
    return reject(argument, 'a cursor of this list in this order');
  }
  const values = parts.slice(1);
  const areScalars = values.every((value) => value === null || ['string', 'number', 'boolean'].includes(typeof value));
  return areScalars && !values.some((value) => typeof value === 'string' && value.includes('\0'))
    ? values
    : reject(argument, 'a cursor of this list');
}

/** Returns the cursor for a zero-based position in a computed list. `list` identifies the list and its arguments. */
export const positionCursor = (list: string, position: number): string =>
  Buffer.from(`${listHash(list)} ${position}`).toString('base64url');

/** Returns the position of a cursor in a computed list. Throws BAD_INPUT for `end` if the cursor is invalid or belongs to another list. */
export function parsePositionCursor(list: string, end: 'after' | 'before', cursor: string): number {
  const [, hash, position] = /^(\S{8}) (\d{1,9})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  return hash === listHash(list) ? Number(position) : reject(end, 'a cursor of this list');
}
