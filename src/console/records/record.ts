import type { FieldType } from 'courtside-console/catalog';
import type { Json } from 'courtside-sdk';
import { isRelation, membersOf, recordTypeOf } from './catalog.ts';
import { labelOfName } from './words.ts';

/** Values of the selected fields of a record or value, keyed by field name. */
export interface Values {
  readonly [field: string]: Json;
}

export const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);

export const isValues = (value: Json | undefined): value is Values =>
  typeof value === 'object' && value !== null && !isList(value);

export const textOf = (value: Json | undefined): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

/** Returns the value at a path such as `location.city`. If a part of the path is a list, uses its first item. */
export function valueAt(values: Json | undefined, path: string): Json {
  let value: Json | undefined = values;
  for (const name of path.split('.')) {
    const item: Json | undefined = isList(value) ? value[0] : value;
    value = isValues(item) ? item[name] : undefined;
  }
  return value ?? null;
}

/** Returns the fields that name a record of a type. */
export const labelFieldsOf = (type: string): readonly FieldType[] => {
  const recordType = recordTypeOf(type);
  return recordType?.label.flatMap((name) => recordType.fields.find((field) => field.name === name) ?? []) ?? [];
};

/**
 * Maximum number of relations that lead from a record to its name. For example, the name of a final standing contains the name of its team,
 * which contains the names of two players.
 */
const maxLabelDepth = 2;

/**
 * Returns the selection that names a record. In unions, the response keys have the type as a prefix, because fields of the same name can
 * have different types.
 */
export function labelSelectionOf(type: string, depth = 0, prefix = ''): string {
  const members = membersOf(type);
  if (members)
    return `__typename ${members.map((member) => `... on ${member} { ${labelSelectionOf(member, depth, `${member}_`)} }`).join(' ')}`;
  const recordType = recordTypeOf(type);
  const code = recordType?.code && !recordType.label.includes(recordType.code) ? [recordType.code] : [];
  const parts = labelFieldsOf(type).flatMap((field) => {
    const alias = prefix && `${prefix}${field.name}: `;
    if (!isRelation(field)) return [`${alias}${field.name}`];
    return depth < maxLabelDepth ? [`${alias}${field.name} { ${labelSelectionOf(field.type, depth + 1)} }`] : [];
  });
  return ['id', ...(prefix ? [] : code), ...parts].join(' ');
}

/** Returns the type of a selected record: the declared type or, if this type is a union, one of its members. */
export const typeOfRecord = (declaredType: string, record: Values): string =>
  membersOf(declaredType) ? textOf(record.__typename) : declaredType;

/** Returns the name of a record from the fields in `labelSelectionOf`. */
export function recordLabel(declaredType: string, record: Values): string {
  const type = typeOfRecord(declaredType, record);
  const prefix = membersOf(declaredType) ? `${type}_` : '';
  const fields = labelFieldsOf(type);
  const parts = fields.flatMap((field) => {
    const value = record[prefix + field.name];
    return (isValues(value) ? recordLabel(field.type, value) : textOf(value)) || [];
  });
  const separator = fields.some(({ name }) => name === 'lastName') ? ' ' : ' – ';
  return parts.join(separator) || `${labelOfName(type)} ${textOf(record.id)}`;
}
