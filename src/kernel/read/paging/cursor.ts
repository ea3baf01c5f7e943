import { createHash } from 'node:crypto';
import { reject } from '../../declare/errors.js';
import { Shape, type SqlExpression, textOf } from '../../declare/expression.js';
import type { Row } from '../../session.js';
import { keyColumn, type OrderKey, orderSql } from './order.js';

/** Returns an 8-character hash of a list and its order. Cursors contain it, to detect cursors of another list or order. */
export const listHash = (list: string): string => createHash('sha256').update(list).digest('base64url').slice(0, 8);

/**
 * Returns the hash of a list and its order. `expressions` contain all values that were created before the sort keys. Values are numbered in
 * the order of their creation, so that hashes stay the same as in earlier releases.
 */
export function orderHash(list: string, keys: readonly OrderKey[], expressions: readonly SqlExpression[]): string {
  const order = orderSql(keys);
  const parameters = new Shape().add(order, ...expressions).parameters.filter((parameter) => parameter !== undefined);
  parameters.sort((a, b) => a.number - b.number);
  return listHash(`${list} ${textOf(order, (parameter) => `$${parameters.indexOf(parameter) + 1}`)}`);
}

/** Returns the cursor of a row. It contains the hash of its list and order, and the values of its sort keys. */
export const cursorOf = (hash: string, keys: readonly OrderKey[], row: Row): string =>
  Buffer.from(JSON.stringify([hash, ...keys.map((_, index) => row[keyColumn(index)] ?? null)])).toString('base64url');

/** Returns the sort key values of a cursor. Throws BAD_INPUT for `argument` if the cursor is invalid or belongs to another list or order. */
export function readCursor(hash: string, keys: readonly OrderKey[], argument: string, cursor: string): unknown[] {
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    parts = null;
  }
  if (!Array.isArray(parts) || parts.length !== keys.length + 1 || parts[0] !== hash) {
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
