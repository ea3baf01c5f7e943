import type { IsGroup } from './table.js';

type Own<T> = { [K in keyof T as IsGroup<T[K]> extends true ? never : K]: T[K] };

type Grouped<T> = {
  [G in keyof T & string]: IsGroup<T[G]> extends true ? { [K in keyof T[G] & string as `${G}.${K}`]: T[G][K] } : never;
}[keyof T & string];

type Both<U> = (U extends unknown ? (value: U) => void : never) extends (value: infer I) => void ? I : never;

/** What a record's columns hold, by their keys: groups unfolded, `location.city` being the city of the group `location`. */
type Keyed<T> = Own<T> & ([Grouped<T>] extends [never] ? unknown : Both<Grouped<T>>);

declare const record: unique symbol;

/**
 * A row of a record as statements of the kernel give it, by the keys of its columns: those that were named, or where a query names them any,
 * each of which may be missing. A row of one record is none of another.
 */
export type RowOf<T, K extends string = string> = (string extends K
  ? Partial<Keyed<T>>
  : { readonly [Key in K & keyof Keyed<T>]: Keyed<T>[Key] }) & { readonly [record]?: T };
