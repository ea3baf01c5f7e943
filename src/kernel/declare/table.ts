import type { Generated } from 'kysely';

type SnakeLetters<S extends string> = S extends `${infer Head}${infer Tail}`
  ? Head extends Lowercase<Head>
    ? `${Head}${SnakeLetters<Tail>}`
    : `_${Lowercase<Head>}${SnakeLetters<Tail>}`
  : '';

/** Name in snake case, such as `starts_at` for `startsAt`. */
type Snake<K> = K extends string ? SnakeLetters<K> : never;

type UngroupedValue = string | number | boolean | null | undefined | readonly unknown[];
export type IsGroup<V> = unknown extends V ? false : V extends UngroupedValue ? false : true;

/** Type of a column. Flags, lists and the times that the service sets have database defaults, so they are optional on insert. */
type InsertableColumn<K, V> = [V] extends [boolean]
  ? Generated<V>
  : [V] extends [readonly unknown[]]
    ? Generated<V>
    : K extends 'createdAt' | 'updatedAt'
      ? Generated<V>
      : V;

type UngroupedColumns<T, Prefix extends string> = {
  [K in keyof T as IsGroup<T[K]> extends true ? never : `${Prefix}${Snake<K>}`]: InsertableColumn<K, T[K]>;
};

export type UnionToIntersection<U> = (U extends unknown ? (value: U) => void : never) extends (value: infer I) => void
  ? I
  : never;
type Groups<T, Prefix extends string> = {
  [K in keyof T]: IsGroup<T[K]> extends true ? Table<T[K], `${Prefix}${Snake<K>}_`> : never;
}[keyof T];

/** Columns of a record's table, for typed statements. The field `city` in the group `location` becomes `location_city`. */
export type Table<T, Prefix extends string = ''> = UngroupedColumns<T, Prefix> &
  ([Groups<T, Prefix>] extends [never] ? unknown : UnionToIntersection<Groups<T, Prefix>>);
