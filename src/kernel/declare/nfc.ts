/**
 * A text, or a list of texts, in Unicode's form NFC; anything else as it is. Texts are kept as they are sent and compared in this form, in
 * which `é` is one character however it was typed; in the database the function `nfc` makes it.
 */
export function inNfc<T>(value: T): T;
export function inNfc(value: unknown): unknown {
  if (typeof value === 'string') return value.normalize('NFC');
  return Array.isArray(value) ? value.map((item) => inNfc(item)) : value;
}
