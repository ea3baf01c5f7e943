import type { IsGroup, UnionToIntersection } from './table.js';

/** Row that a statement returns. The properties have the names of the selected columns. */
export type Row = Record<string, unknown>;

/** Map of rows, keyed by the value of a unique column, which is the ID by default. */
export type RowsById = ReadonlyMap<unknown, Row>;

/** Builder for the SQL of a condition on a row. Provides the alias and placeholders, and collects the dependencies of the condition. */
export interface Param {
  /** Adds a value to the statement, and returns its placeholder. */
  (value: unknown): string;
  /** Alias of the row. */
  readonly row: string;
  /** SQL expression for the key that identifies the row, such as the ID of its parent row. */
  readonly key: string;
  /** SQL expression for the change log position at which a past state of the row is evaluated. Undefined for the current state. */
  readonly position: string | undefined;
  /** Adds a table that the condition reads, and returns its name. */
  table(name: string): string;
  /** Adds the current time to the dependencies, and returns the SQL call of the function. */
  time(name: 'now' | 'clock_timestamp'): string;
  /** Adds a dependency other than rows, such as a setting. */
  dependOn(dependency: string): void;
  /** Returns a builder for another row of the same statement. */
  for(row: string, key?: string): Param;
  /** Returns a builder for a past state of the row. */
  at(position: string): Param;
}

type UngroupedColumns<T> = { [K in keyof T as IsGroup<T[K]> extends true ? never : K]: T[K] };

type GroupColumns<T> = {
  [G in keyof T & string]: IsGroup<T[G]> extends true ? { [K in keyof T[G] & string as `${G}.${K}`]: T[G][K] } : never;
}[keyof T & string];

/** Column types of a record, by key. The city in the group `location` has the key `location.city`. */
type ColumnValues<T> = UngroupedColumns<T> & ([GroupColumns<T>] extends [never] ? unknown : UnionToIntersection<GroupColumns<T>>);

declare const record: unique symbol;

/**
 * Row of a record, keyed by column key, as kernel statements return it. `K` is the union of the selected keys. If the keys are determined
 * at run time, any column may be absent. Rows of different records have incompatible types.
 */
export type RowOf<T, K extends string = string> = (string extends K
  ? Partial<ColumnValues<T>>
  : { readonly [Key in K & keyof ColumnValues<T>]: ColumnValues<T>[Key] }) & { readonly [record]?: T };
