/**
 * Normalizes a text or a list of texts to Unicode NFC. Returns other values unchanged. Texts are stored as sent, but compared in NFC, so that
 * composed and decomposed `é` are equal. The SQL function `nfc` does the same.
 */
export function toNfc<T>(value: T): T;
export function toNfc(value: unknown): unknown {
  if (typeof value === 'string') return value.normalize('NFC');
  return Array.isArray(value) ? value.map((item) => toNfc(item)) : value;
}
