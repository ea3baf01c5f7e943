import type { Row } from './declare/row.js';

/** Type of a column in the result of a statement: its name, for errors, and a type guard. */
export interface Cell<T> {
  readonly says: string;
  readonly holds: (value: unknown) => value is T;
}

const cell = <T>(says: string, holds: (value: unknown) => boolean): Cell<T> => ({
  says,
  holds: (value): value is T => holds(value),
});

const orNull = <T>({ says, holds }: Cell<T>): Cell<T | null> =>
  cell<T | null>(`${says} or null`, (value) => value === null || holds(value));

/** Column types. Instants and decimal numbers are texts, verbatim. */
export const is = {
  text: cell<string>('a text', (value) => typeof value === 'string'),
  number: cell<number>('a number', (value) => typeof value === 'number'),
  boolean: cell<boolean>('a boolean', (value) => typeof value === 'boolean'),
  bytes: cell<Buffer>('bytes', (value) => Buffer.isBuffer(value)),
  date: cell<Date>('a moment', (value) => value instanceof Date),
  texts: cell<string[]>('texts', (value) => Array.isArray(value)),
  /** A key of a GraphQL enumeration. */
  oneOf: <E extends object>(choices: E) =>
    cell<keyof E>(
      `one of ${Object.keys(choices).join(', ')}`,
      (value) => typeof value === 'string' && Object.hasOwn(choices, value),
    ),
  /** A JSON object that only this service writes. Its properties are not checked. */
  written: <T extends object>() => cell<T>('an object', (value) => typeof value === 'object' && value !== null),
  orNull,
};

/** Columns that a statement returns, with their types. */
export type RowShape = Readonly<Record<string, Cell<unknown>>>;

/** A row with the columns of a shape. */
export type RowShaped<S extends RowShape> = { [K in keyof S]: S[K] extends Cell<infer T> ? T : never };

/** Returns the rows, typed by the shape. Throws a TypeError if a row does not match, which is a bug in the statement. */
export function shaped<S extends RowShape>(rows: readonly Row[], shape: S): RowShaped<S>[] {
  for (const row of rows)
    for (const name in shape) {
      const column = shape[name];
      if (column && !column.holds(row[name])) throw new TypeError(`the column ${name} of a statement is not ${column.says}`);
    }
  return rows as RowShaped<S>[];
}
