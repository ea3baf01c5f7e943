/** First characters that make spreadsheets read a cell as a formula. */
const formulaStart = /^[=+\-@\t\r\n＝＋－＠]/;
const numberPattern = /^-?\d+(?:\.\d+)?$/;

/** Prevents formula injection. Strings that look like a formula get a leading apostrophe, which spreadsheets do not display. */
const withoutFormula = (text: string): string => (formulaStart.test(text) && !numberPattern.test(text) ? `'${text}` : text);

const quoteCell = (text: string): string =>
  text === '' || /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

/** Formats a value as a cell: empty for null, `""` for an empty string, JSON for arrays and objects. */
export function formatCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return quoteCell(withoutFormula(value));
  return quoteCell(typeof value === 'object' ? JSON.stringify(value) : String(value));
}

/** Formats a line (RFC 4180). */
export const formatLine = (values: readonly unknown[]): string => `${values.map(formatCell).join(',')}\r\n`;

/** Values of a row in the order of the columns. */
export const cellsOf = (row: unknown, paths: readonly (readonly string[])[]): unknown[] =>
  paths.map((path) =>
    path.reduce<unknown>((value, name) => (typeof value === 'object' && value !== null ? Reflect.get(value, name) : null), row),
  );
