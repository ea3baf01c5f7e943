/** Characters with which spreadsheets start a formula. */
const formula = /^[=+\-@\t\r\n＝＋－＠]/;
const number = /^-?\d+(?:\.\d+)?$/;

/** Prevents formula injection: prefixes texts that look like a formula with an apostrophe, which spreadsheets remove. */
const harmless = (text: string): string => (formula.test(text) && !number.test(text) ? `'${text}` : text);

const quoted = (text: string): string =>
  text === '' || /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

/** Formats a value as a cell: empty for null, `""` for an empty text, JSON for arrays and objects. */
export function cell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return quoted(harmless(value));
  return quoted(typeof value === 'object' ? JSON.stringify(value) : String(value));
}

/** Formats a line (RFC 4180). */
export const line = (values: readonly unknown[]): string => `${values.map(cell).join(',')}\r\n`;

/** Values of a row in the order of the columns. */
export const cellsOf = (row: unknown, ways: readonly (readonly string[])[]): unknown[] =>
  ways.map((way) =>
    way.reduce<unknown>((found, part) => (typeof found === 'object' && found !== null ? Reflect.get(found, part) : null), row),
  );
