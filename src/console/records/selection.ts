import type { FieldType, RecordType } from 'courtside-console/catalog';
import type { Viewer } from '../data/index.ts';
import { fieldsOfValue, isPermitted, isRelation, membersOf, recordTypeOf } from './catalog.ts';
import { labelSelectionOf } from './record.ts';

/** Maximum depth of nested values. */
const maxValueDepth = 3;

/** Selects a field with all subfields that are needed to display it. Undefined for lists that are read page by page. */
function selectionOf(viewer: Viewer, field: FieldType, depth = 0): string | undefined {
  const { name, type, isConnection, roles } = field;
  if (isConnection || !isPermitted(viewer, roles)) return;
  if (recordTypeOf(type) || membersOf(type)) return `${name} { ${labelSelectionOf(type)} }`;
  const parts = fieldsOfValue(type);
  if (!parts) return name;
  const selections = depth < maxValueDepth ? parts.flatMap((part) => selectionOf(viewer, part, depth + 1) ?? []) : [];
  return selections.length > 0 ? `${name} { ${selections.join(' ')} }` : undefined;
}

/** Selects all fields of a record. */
export const allFieldsOf = (viewer: Viewer, { fields }: RecordType): string =>
  fields.flatMap((field) => selectionOf(viewer, field) ?? []).join(' ');

/** Column of a list: a path, and the field at its end. */
export interface PathField {
  readonly path: string;
  readonly field: FieldType;
}

/** Returns the field at a path such as `location.city`. */
export function fieldAt({ fields }: RecordType, path: string): FieldType | undefined {
  const [first, ...rest] = path.split('.');
  let field = fields.find(({ name }) => name === first);
  for (const name of rest) field = field && fieldsOfValue(field.type)?.find((part) => part.name === name);
  return field;
}

/** Returns the fields that a list shows in addition to the name of the record. */
export const columnFieldsOf = (type: RecordType): readonly PathField[] =>
  type.columns.flatMap((path) => {
    const field = fieldAt(type, path);
    return field ? [{ path, field }] : [];
  });

/** Selects a path, such as `location.city`. Also selects the IDs of the objects along the path. */
function pathSelectionOf(fields: readonly FieldType[], path: string): string {
  const [name = '', ...rest] = path.split('.');
  const field = fields.find((each) => each.name === name);
  if (!field) return '';
  if (rest.length === 0) return isRelation(field) ? `${name} { ${labelSelectionOf(field.type)} }` : name;
  const parts = recordTypeOf(field.type)?.fields ?? fieldsOfValue(field.type) ?? [];
  const id = parts.some((part) => part.name === 'id') ? 'id ' : '';
  return `${name} { ${id}${pathSelectionOf(parts, rest.join('.'))} }`;
}

/** Selects the name of a record and the columns of its list. */
export const rowSelectionOf = (name: string, type: RecordType): string => {
  const hasAmount = columnFieldsOf(type).some(({ field }) => field.type === 'Money');
  const paths = [...type.columns, ...(hasAmount && type.currency ? [type.currency] : [])];
  return [labelSelectionOf(name), ...paths.map((path) => pathSelectionOf(type.fields, path))].join(' ');
};

/** Selects the currency of the amounts of a record. */
export const currencySelectionOf = ({ currency, fields }: RecordType): string =>
  currency ? pathSelectionOf(fields, currency) : '';

/** Returns the lists of related records that the viewer may see. */
export const relatedListsOf = (viewer: Viewer, { fields }: RecordType): readonly FieldType[] =>
  fields.filter(({ isConnection, roles }) => isConnection && isPermitted(viewer, roles));
