import { reject } from '../declare/errors.js';
import type { RecordClass } from '../declare/meta.js';
import type { Row } from '../session.js';
import { withoutMarks } from '../statement.js';
import { markOf } from './cursor-mark.js';
import { type OrderKey, orderSql, placeOfKey } from './order.js';

/** What a cursor belongs to: a cursor of another list, or of another order, is refused. */
const listOf = (cls: RecordClass, list: string, keys: readonly OrderKey[]) =>
  markOf(`${cls.name} ${list} ${withoutMarks(orderSql(keys))}`);

/** The cursor of a row: what its list and order are known by, and the row's values of the keys. */
export const cursorOf = (cls: RecordClass, list: string, keys: readonly OrderKey[], row: Row): string =>
  Buffer.from(JSON.stringify([listOf(cls, list, keys), ...keys.map((_, index) => row[placeOfKey(index)] ?? null)])).toString(
    'base64url',
  );

/** The values in a cursor; BAD_INPUT that names its argument when it is none, or one of another list. */
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
  const plain = values.every((value) => value === null || ['string', 'number', 'boolean'].includes(typeof value));
  return plain && !values.some((value) => typeof value === 'string' && value.includes('\0'))
    ? values
    : reject(argument, 'a cursor of this list');
}
