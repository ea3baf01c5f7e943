import { registerEnumType } from 'type-graphql';
import { constantSql, expression } from '../expression.js';
import { declare, type FieldDecorator } from '../fields/fields.js';
import type { Conversion, FieldMeta } from '../meta.js';

type StoredValue = string | number;

/** Value of an enumeration. */
interface Choice<T extends StoredValue> {
  /** Stored values, in any letter case. The service writes the first one. */
  readonly raw: readonly [T, ...T[]];
  readonly description: string;
}

/** Enumeration for stored values. Stored values that have no equivalent are returned as OTHER. */
interface Choices<T extends StoredValue> {
  readonly values: object;
  readonly conversion: Conversion;
  readonly kind: 'text' | 'num';
  /** Never set. It exists only so that the compiler can infer the type of the stored value. */
  readonly storedType?: T;
}

const otherName = 'OTHER';
const enumerationNames = new Set<string>();

/** Whether a value of an enumeration can be used in responses and filters, but not in inputs. */
export const isReadOnlyValue = (enumeration: string, value: string): boolean =>
  value === otherName && enumerationNames.has(enumeration);

/** Converts ASCII letters to lower case, like PostgreSQL with the collation "C". */
const lowerCaseAscii = (text: string): string => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
const literal = (value: StoredValue): string => (typeof value === 'number' ? String(value) : `'${value.replaceAll("'", "''")}'`);

/** Registers an enumeration for stored values. Adds the read-only value `OTHER`. */
export function choices<const Name extends string, T extends StoredValue>(
  name: string,
  description: string,
  table: Readonly<Record<Name, Choice<T>>>,
): Choices<T> {
  const entries = Object.entries<Choice<T>>(table);
  const valuesByStored = new Map<unknown, string>();
  const storedByValue = new Map<unknown, StoredValue>();
  for (const [value, { raw }] of entries) {
    storedByValue.set(value, raw[0]);
    for (const storedValue of raw)
      valuesByStored.set(typeof storedValue === 'string' ? lowerCaseAscii(storedValue) : storedValue, value);
  }
  const isText = typeof [...storedByValue.values()][0] === 'string';
  const values = Object.fromEntries([...entries.map(([value]) => value), otherName].map((value) => [value, value]));
  enumerationNames.add(name);
  registerEnumType(values, {
    name,
    description,
    valuesConfig: {
      ...Object.fromEntries(entries.map(([value, { description: meaning }]) => [value, { description: meaning }])),
      [otherName]: { description: 'Any other value. Read-only.' },
    },
  });
  const cases = constantSql(
    [...valuesByStored]
      .map(([storedValue, value]) => `when ${literal(isText ? String(storedValue) : Number(storedValue))} then '${value}'`)
      .join(' '),
  );
  const other = constantSql(otherName);
  const conversion: Choices<T>['conversion'] = {
    toGraph: (storedValue) =>
      storedValue === ''
        ? null
        : (valuesByStored.get(typeof storedValue === 'string' ? lowerCaseAscii(storedValue) : storedValue) ?? otherName),
    toStored: (value) => storedByValue.get(value),
    expected: `one of ${[...storedByValue.keys()].join(', ')}`,
    sql: (column) => {
      const comparedValue = isText ? expression`lower(${column} collate "C") when '' then null` : column;
      return expression`(case ${comparedValue} ${cases} else case when ${column} is not null then '${other}' end end)`;
    },
    type: 'text',
  };
  return { values, conversion, kind: isText ? 'text' : 'num' };
}

/** Declares a field with an enumeration value, stored as platforms sent it. Values that are not in the enumeration are returned as OTHER. */
export const choice = <T extends StoredValue>(
  { kind, conversion, values }: Choices<T>,
  description: string,
  options: Pick<FieldMeta, 'isReadOnlyForOwner'> = {},
): FieldDecorator<(T extends string ? string : number) | null> =>
  declare(kind, () => values, description, { ...options, conversion, values });
