/** Characters with which spreadsheets start a formula. */
const formulaStart = /^[=+\-@\t\r\n＝＋－＠]/;
const number = /^-?\d+(?:\.\d+)?$/;

/** Prevents formula injection: prefixes texts that look like a formula with an apostrophe, which spreadsheets remove. */
const withoutFormula = (text: string): string => (formulaStart.test(text) && !number.test(text) ? `'${text}` : text);

const quoteCell = (text: string): string =>
  text === '' || /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

/** Formats a value as a cell: empty for null, `""` for an empty text, JSON for arrays and objects. */
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
    path.reduce<unknown>((value, part) => (typeof value === 'object' && value !== null ? Reflect.get(value, part) : null), row),
  );
