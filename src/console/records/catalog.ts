import type { EnumValue, FieldType, RecordType, RequiredRoles } from 'courtside-console/catalog';
import catalog from 'courtside-console/catalog';
import { hasRole, type Viewer } from '../data/index.ts';

/** Returns the value of an own property, so that URLs with names such as `constructor` find nothing. */
const ownValueOf = <Value>(values: Readonly<Record<string, Value>>, key: string): Value | undefined =>
  Object.hasOwn(values, key) ? values[key] : undefined;

export const recordTypes: readonly (readonly [name: string, type: RecordType])[] = Object.entries(catalog.records);

export const recordTypeOf = (name: string): RecordType | undefined => ownValueOf(catalog.records, name);

/** Returns the fields of a value or an input. Undefined for other types. */
export const fieldsOfValue = (name: string): readonly FieldType[] | undefined => ownValueOf(catalog.objects, name);

export const enumValuesOf = (name: string): readonly EnumValue[] | undefined => ownValueOf(catalog.enums, name);

/** Returns the record types of a union. Undefined for other types. */
export const membersOf = (name: string): readonly string[] | undefined => ownValueOf(catalog.unions, name);

/** Whether a field refers to one record. */
export const isRelation = ({ type, isList, isConnection }: FieldType): boolean =>
  !isList && !isConnection && (recordTypeOf(type) ?? membersOf(type)) !== undefined;

/** Whether the viewer has one of the required roles. The service checks the permissions of each request regardless. */
export const isPermitted = (viewer: Viewer, roles: RequiredRoles | undefined): boolean =>
  roles === undefined || roles.some((role) => (role === 'super admin' ? viewer.isSuperAdmin : hasRole(viewer, role)));

/** Whether the viewer can list the records of a type, and therefore open their pages. */
export const isListed = (viewer: Viewer, name: string): boolean => {
  const type = recordTypeOf(name);
  return type !== undefined && isPermitted(viewer, type.roles);
};
