import type { RecordOptions, Values } from '../../kernel/declare/fields/options.js';
import { type RecordClass, snakeCase } from '../../kernel/declare/meta.js';
import { Problems } from '../../kernel/declare/problems.js';
import { optionsOf } from '../../kernel/declare/record.js';
import { hashSecret, hintFor, type ImportedColumn, InvalidValue, importedColumnsOf } from './column-parser.js';

/** Reason why a row is refused. `column` is empty if the whole line is invalid. */
export interface RowProblem {
  readonly column: string;
  readonly expected: string;
}

/** Row of a file. Keys are names of columns. */
export type FileRow = Readonly<Record<string, unknown>>;

const needsEscape = /[\\\t\n\r]/;
const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };
const escapeText = (text: string): string =>
  needsEscape.test(text) ? text.replace(/[\\\t\n\r]/g, (character) => escapes[character] ?? '') : text;

/** Whether a row has no value for a secret. */
const isEmpty = (secret: unknown): boolean => secret === undefined || secret === null || secret === '';

/** Returns the hash of a row that contains both a hash and a secret. Returns an InvalidValue if the hash is not that of the secret. */
const matchingHash = (
  hash: string | InvalidValue,
  secret: unknown,
  { valueKey, secretFormat }: ImportedColumn,
): string | InvalidValue =>
  typeof hash === 'string' && hash !== hashSecret(secret, secretFormat)
    ? new InvalidValue(`the SHA-256 of the value in \`${valueKey}\``)
    : hash;

/** Parses the rows of a table and returns them in the text format of COPY. */
export class RecordParser {
  readonly columns: readonly ImportedColumn[];
  /** Names of the columns that occurred in the parsed rows. */
  readonly presentColumns = new Set<string>();
  /** Names of the columns that parsed rows omit. */
  readonly omittedColumns = new Set<string>();
  /** Names that are not columns of the table. */
  readonly unknownColumns = new Set<string>();
  readonly #check: RecordOptions['check'];
  readonly #knownKeys: ReadonlySet<string>;
  #lastKeys = '';

  constructor(cls: RecordClass) {
    this.columns = importedColumnsOf(cls);
    this.#check = optionsOf(cls).check;
    this.#knownKeys = new Set(this.columns.flatMap(({ name, valueKey }) => (valueKey ? [name, valueKey] : [name])));
  }

  /**
   * Returns a row in the text format of COPY: one bit per column, which is 1 if the row contains the column, and the values. If the row is
   * invalid, returns its problems.
   */
  parse(row: FileRow): string | readonly RowProblem[] {
    let keys = '';
    let text = '';
    let knownKeyCount = 0;
    const problems: RowProblem[] = [];
    for (const column of this.columns) {
      const { name, parse, missing, valueKey, secretFormat, hint, ignoresEmpty } = column;
      const value = row[name];
      const secret = valueKey === null ? undefined : row[valueKey];
      if (value !== undefined) knownKeyCount++;
      if (secret !== undefined) knownKeyCount++;
      const isDerived = hint !== null && (row[hint.valueKey] !== undefined || row[hint.hashColumn] !== undefined);
      keys += value !== undefined || secret !== undefined || isDerived ? '1' : '0';
      if (!isEmpty(secret) && !isEmpty(value)) this.#append(matchingHash(parse(value), secret, column), name, problems);
      if (!isEmpty(secret)) text += this.#append(hashSecret(secret, secretFormat), valueKey ?? name, problems);
      else if (value === undefined || value === null || (ignoresEmpty && value === '')) {
        const hasSecret = hint !== null && !isEmpty(row[hint.valueKey]);
        // If the secret is invalid, its own column reports the problem.
        text += this.#append(hasSecret ? hintFor(hint, row[hint.valueKey]) : missing, name, problems);
      } else text += this.#append(parse(value), name, problems);
    }
    if (keys !== this.#lastKeys) this.#addKeys(keys);
    if (Object.keys(row).length !== knownKeyCount) this.#addUnknown(row);
    if (problems.length > 0) return problems;
    const rowProblems = this.#check ? this.#checkRow(row) : [];
    return rowProblems.length > 0 ? rowProblems : `\t${keys}${text}`;
  }

  /** Returns a value in the text format of COPY, after a tab. Adds a problem if the value is invalid. */
  #append(value: string | null | InvalidValue, column: string, problems: RowProblem[]): string {
    if (value === null) return '\t\\N';
    if (typeof value === 'string') return `\t${escapeText(value)}`;
    problems.push({ column, expected: value.expected });
    return '';
  }

  #addKeys(keys: string): void {
    this.#lastKeys = keys;
    for (const [index, { name }] of this.columns.entries())
      (keys[index] === '1' ? this.presentColumns : this.omittedColumns).add(name);
  }

  #addUnknown(row: FileRow): void {
    for (const key of Object.keys(row)) if (!this.#knownKeys.has(key)) this.unknownColumns.add(key);
  }

  /** Runs the check of the record, which can involve several columns. */
  #checkRow(row: FileRow): RowProblem[] {
    const values: Values = {};
    for (const { name, key } of this.columns) if (row[name] !== undefined) values[key] = row[name];
    const problems = new Problems();
    problems.try(() => this.#check?.(values, 'upsert'));
    return problems.list.map(({ field, expected }) => ({
      column: snakeCase(field.replace(/^input\./, '').replaceAll('.', '_')),
      expected,
    }));
  }
}
