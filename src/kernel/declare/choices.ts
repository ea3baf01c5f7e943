import { registerEnumType } from 'type-graphql';
import { declare, type On } from './fields.js';
import type { FieldMeta, Shown } from './meta.js';

type Kept = string | number;

/** A value of an enumeration. */
interface Choice<T extends Kept> {
  /** Stored values, in any letter case. The service writes the first one. */
  readonly raw: readonly [T, ...T[]];
  readonly description: string;
}

/** An enumeration over stored values. Stored values that it does not contain are shown as OTHER. */
export interface Choices<T extends Kept> {
  readonly values: object;
  readonly shown: Shown;
  readonly kind: 'text' | 'num';
  /** Never set. States the type of the stored value to the compiler. */
  readonly kept?: T;
}

const other = 'OTHER';
const names = new Set<string>();

/** Whether an enumeration value can appear in responses and filters, but not in inputs. */
export const isReadOnlyValue = (enumeration: string, value: string): boolean => value === other && names.has(enumeration);

/** Lower-cases ASCII letters only, like the collation "C" of the database. */
const lower = (text: string): string => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
const literal = (value: Kept): string => (typeof value === 'number' ? String(value) : `'${value.replaceAll("'", "''")}'`);

/** Registers an enumeration over stored values. Each enumeration also has the read-only value `OTHER`. */
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

/** Field with an enumeration value, stored as platforms sent it. Other stored values are shown as OTHER. */
export const choice =
  <T extends Kept>(
    { kind, shown, values }: Choices<T>,
    description: string,
    options: Pick<FieldMeta, 'isFixedForOwner'> = {},
  ): On<(T extends string ? string : number) | null> =>
  (target, key) =>
    declare(kind, () => values, description, { ...options, shown, values })(target, key);
