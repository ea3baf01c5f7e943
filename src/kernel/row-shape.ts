import type { Row } from './declare/row.js';

/** What a column of a statement holds, and how it is told that a value is that. */
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

/** What columns may hold. Instants and decimal numbers are texts, verbatim. */
export const is = {
  text: cell<string>('a text', (value) => typeof value === 'string'),
  number: cell<number>('a number', (value) => typeof value === 'number'),
  boolean: cell<boolean>('a boolean', (value) => typeof value === 'boolean'),
  bytes: cell<Buffer>('bytes', (value) => Buffer.isBuffer(value)),
  date: cell<Date>('a moment', (value) => value instanceof Date),
  texts: cell<string[]>('texts', (value) => Array.isArray(value)),
  /** One of the keys of an enum of the graph. */
  oneOf: <E extends object>(choices: E) =>
    cell<keyof E>(
      `one of ${Object.keys(choices).join(', ')}`,
      (value) => typeof value === 'string' && Object.hasOwn(choices, value),
    ),
  /** An object of JSON that this service has written itself, and nobody else. */
  written: <T extends object>() => cell<T>('an object', (value) => typeof value === 'object' && value !== null),
  orNull,
};

/** The columns of a statement's rows. */
export type RowShape = Readonly<Record<string, Cell<unknown>>>;

/** A row of that shape. */
export type RowShaped<S extends RowShape> = { [K in keyof S]: S[K] extends Cell<infer T> ? T : never };

/** The same rows, each of which is of the shape: where one is not, the statement and its shape do not belong together, and it throws. */
export function shaped<S extends RowShape>(rows: readonly Row[], shape: S): RowShaped<S>[] {
  for (const row of rows)
    for (const name in shape) {
      const column = shape[name];
      if (column && !column.holds(row[name])) throw new TypeError(`the column ${name} of a statement is not ${column.says}`);
    }
  return rows as RowShaped<S>[];
}
