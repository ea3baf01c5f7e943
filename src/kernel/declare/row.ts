import type { IsGroup, UnionToIntersection } from './table.js';

/** Row that a statement returns. The properties have the names of the selected columns. */
export type Row = Record<string, unknown>;

/** Map of rows, keyed by the value of a unique column, which is the ID by default. */
export type RowsById = ReadonlyMap<unknown, Row>;

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
