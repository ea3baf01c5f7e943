import { registerEnumType } from 'type-graphql';
import { declare, type On } from './fields.js';
import type { FieldMeta, Shown } from './meta.js';

type Kept = string | number;

/** One of the values of a set. */
interface Choice<T extends Kept> {
  /** What platforms send for it, in any case of letters; the first is what the service writes. */
  readonly raw: readonly [T, ...T[]];
  readonly description: string;
}

/** A closed set of values, of which others may still be kept: they are OTHER. */
export interface Choices<T extends Kept> {
  readonly values: object;
  readonly shown: Shown;
  readonly kind: 'text' | 'num';
  /** Nothing: tells the compiler what is kept. */
  readonly kept?: T;
}

const other = 'OTHER';
const names = new Set<string>();

/** Whether a value of an enumeration is shown, and asked for in filters, but never written. */
export const isReadOnlyValue = (enumeration: string, value: string): boolean => value === other && names.has(enumeration);

/** ASCII letters in lower case, as the collation "C" of the database has them. */
const lower = (text: string): string => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
const literal = (value: Kept): string => (typeof value === 'number' ? String(value) : `'${value.replaceAll("'", "''")}'`);

/** Registers an enumeration over what platforms send. `OTHER` is in each of them, and read only. */
export function choices<const Name extends string, T extends Kept>(
  name: string,
  description: string,
  table: Readonly<Record<Name, Choice<T>>>,
): Choices<T> {
  const entries = Object.entries<Choice<T>>(table);
  const byKept = new Map<unknown, string>();
  const kept = new Map<unknown, Kept>();
  for (const [value, { raw }] of entries) {
    kept.set(value, raw[0]);
    for (const sent of raw) byKept.set(typeof sent === 'string' ? lower(sent) : sent, value);
  }
  const isText = typeof [...kept.values()][0] === 'string';
  const values = Object.fromEntries([...entries.map(([value]) => value), other].map((value) => [value, value]));
  names.add(name);
  registerEnumType(values, {
    name,
    description,
    valuesConfig: {
      ...Object.fromEntries(entries.map(([value, { description: meaning }]) => [value, { description: meaning }])),
      [other]: { description: 'Another value. Read only.' },
    },
  });
  const cases = [...byKept].map(([sent, value]) => `when ${literal(isText ? String(sent) : Number(sent))} then '${value}'`);
  const shown: Choices<T>['shown'] = {
    show: (sent) => (sent === '' ? null : (byKept.get(typeof sent === 'string' ? lower(sent) : sent) ?? other)),
    keep: (value) => kept.get(value),
    expected: `one of ${[...kept.keys()].join(', ')}`,
    sql: (column) =>
      `(case ${isText ? `lower(${column} collate "C") when '' then null` : column} ${cases.join(' ')} else case when ${column} is not null then '${other}' end end)`,
    type: 'text',
  };
  return { values, shown, kind: isText ? 'text' : 'num' };
}

/** One of a set of values, kept as platforms send it; what is none of them reads as OTHER. */
export const choice =
  <T extends Kept>(
    { kind, shown, values }: Choices<T>,
    description: string,
    options: Pick<FieldMeta, 'isFixedForOwner'> = {},
  ): On<(T extends string ? string : number) | null> =>
  (target, key) =>
    declare(kind, () => values, description, { ...options, shown, values })(target, key);
