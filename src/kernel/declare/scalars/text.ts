/**
 * Normalizes a string or a list of strings to Unicode NFC. Returns other values unchanged. Strings are stored as sent, but compared in NFC: composed
 * and decomposed `é` are equal. The SQL function `nfc` is equivalent.
 */
export function toNfc<T>(value: T): T;
export function toNfc(value: unknown): unknown {
  if (typeof value === 'string') return value.normalize('NFC');
  return Array.isArray(value) ? value.map((item) => toNfc(item)) : value;
}

/** Whether a text has more than `max` characters. Counts code points like PostgreSQL: an emoji is one character. */
export const isLongerThan = (text: string, max: number): boolean =>
  text.length > max && (text.length > 2 * max || [...text].length > max);

/** Escapes the wildcards of a `like` pattern in a text. */
export const escapeLike = (text: string): string => text.replace(/[\\%_]/g, '\\$&');

/** Returns a `like` pattern that matches every text that contains the given text. */
export const containsPattern = (text: string): string => `%${escapeLike(text)}%`;
