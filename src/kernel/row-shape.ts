import type { Row } from './declare/row.js';

/** Type of a column in the result of a statement, with a description for error messages. */
interface ColumnType<T> {
  readonly description: string;
  readonly matches: (value: unknown) => value is T;
}

const columnType = <T>(description: string, test: (value: unknown) => boolean): ColumnType<T> => ({
  description,
  matches: (value): value is T => test(value),
});

const orNull = <T>({ description, matches }: ColumnType<T>): ColumnType<T | null> =>
  columnType<T | null>(`${description} or null`, (value) => value === null || matches(value));

/** Column types. Instants and decimal numbers are `text`. */
export const is = {
  text: columnType<string>('a string', (value) => typeof value === 'string'),
  number: columnType<number>('a number', (value) => typeof value === 'number'),
  boolean: columnType<boolean>('a boolean', (value) => typeof value === 'boolean'),
  bytes: columnType<Buffer>('bytes', (value) => Buffer.isBuffer(value)),
  date: columnType<Date>('a timestamp', (value) => value instanceof Date),
  texts: columnType<string[]>('a list of strings', (value) => Array.isArray(value)),
  /** Key of a GraphQL enumeration. */
  oneOf: <E extends object>(choices: E) =>
    columnType<keyof E>(
      `one of ${Object.keys(choices).join(', ')}`,
      (value) => typeof value === 'string' && Object.hasOwn(choices, value),
    ),
  /** JSON object that only this service writes. Its properties are not checked. */
  json: <T extends object>() => columnType<T>('an object', (value) => typeof value === 'object' && value !== null),
  orNull,
};

/** Columns that a statement returns, with their types. */
export type RowShape = Readonly<Record<string, ColumnType<unknown>>>;

/** Row with the columns of a shape. */
export type RowOfShape<S extends RowShape> = { [K in keyof S]: S[K] extends ColumnType<infer T> ? T : never };

/** Returns the rows with the type of the shape. Throws a TypeError if a row does not match, which indicates a bug in the statement. */
export function checkedRows<S extends RowShape>(rows: readonly Row[], shape: S): RowOfShape<S>[] {
  for (const row of rows)
    for (const name in shape) {
      const column = shape[name];
      if (column && !column.matches(row[name]))
        throw new TypeError(`the column ${name} of a statement is not ${column.description}`);
    }
  return rows as RowOfShape<S>[];
}
