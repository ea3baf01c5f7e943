import type { IsGroup } from './table.js';

type UngroupedColumns<T> = { [K in keyof T as IsGroup<T[K]> extends true ? never : K]: T[K] };

type GroupColumns<T> = {
  [G in keyof T & string]: IsGroup<T[G]> extends true ? { [K in keyof T[G] & string as `${G}.${K}`]: T[G][K] } : never;
}[keyof T & string];

type UnionToIntersection<U> = (U extends unknown ? (value: U) => void : never) extends (value: infer I) => void ? I : never;

/** Types of the columns of a record, by key. The city of the group `location` has the key `location.city`. */
type ColumnValues<T> = UngroupedColumns<T> & ([GroupColumns<T>] extends [never] ? unknown : UnionToIntersection<GroupColumns<T>>);

declare const record: unique symbol;

/**
 * Row of a record by column key, as statements of the kernel return it. `K` is the union of the selected keys. If the keys are determined at run
 * time, any column may be absent. Rows of different records are incompatible types.
 */
export type RowOf<T, K extends string = string> = (string extends K
  ? Partial<ColumnValues<T>>
  : { readonly [Key in K & keyof ColumnValues<T>]: ColumnValues<T>[Key] }) & { readonly [record]?: T };
