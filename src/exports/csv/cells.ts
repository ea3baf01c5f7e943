/** What spreadsheets take for the begin of a formula. */
const formula = /^[=+\-@\t\r\n＝＋－＠]/;
const number = /^-?\d+(?:\.\d+)?$/;

/** A text that no spreadsheet calculates: what looks like a formula has an apostrophe in front, which they take away again. */
const harmless = (text: string): string => (formula.test(text) && !number.test(text) ? `'${text}` : text);

const quoted = (text: string): string =>
  text === '' || /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

/** A value as a cell: nothing for what is unset, `""` for an empty text, JSON for what has parts. */
export function cell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return quoted(harmless(value));
  return quoted(typeof value === 'object' ? JSON.stringify(value) : String(value));
}

/** A line of RFC 4180. */
export const line = (values: readonly unknown[]): string => `${values.map(cell).join(',')}\r\n`;

/** The values of a row in the order of the columns. */
export const cellsOf = (row: unknown, ways: readonly (readonly string[])[]): unknown[] =>
  ways.map((way) =>
    way.reduce<unknown>((found, part) => (typeof found === 'object' && found !== null ? Reflect.get(found, part) : null), row),
  );
