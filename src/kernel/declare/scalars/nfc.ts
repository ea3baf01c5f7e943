/**
 * Normalizes a string or a list of strings to Unicode NFC. Returns other values unchanged. Strings are stored as sent, but compared in NFC: composed
 * and decomposed `é` are equal. The SQL function `nfc` is equivalent.
 */
export function toNfc<T>(value: T): T;
export function toNfc(value: unknown): unknown {
  if (typeof value === 'string') return value.normalize('NFC');
  return Array.isArray(value) ? value.map((item) => toNfc(item)) : value;
}
