import { type GraphQLInputType, type GraphQLOutputType, getNamedType } from 'graphql';
import { Extensions, Field, Float } from 'type-graphql';
import { memoize } from '../memoize.js';
import { type Column, type FieldKind, type FieldMeta, metaOf, type RecordClass, type RecordMeta } from '../meta.js';
import { Instant, Money } from '../scalars/scalars.js';
import { type FieldSpec, GeneratedType } from './generated.js';
import { resolvedBy, storedResolver } from './stored-fields.js';

/** Name of the field that contains the stored values in types, inputs and filters. */
export const legacyField = 'legacy';

/** Name of the argument that makes a mutation accept the same values as `/v1`. */
export const legacyArgumentName = 'acceptsLegacyValues';

/** GraphQL extensions for the types of `legacy` fields. */
export const legacyExtensions = { isLegacy: true } as const;

/** Marks a handwritten type as the type of a `legacy` field. */
export const asLegacyType: ClassDecorator = Extensions(legacyExtensions);

/** Whether a field is a `legacy` field, according to its type. */
export const isLegacy = ({ type }: { readonly type: GraphQLOutputType | GraphQLInputType }): boolean =>
  getNamedType(type).extensions.isLegacy === true;

/** Returns the path of a stored value in an input, such as `input.legacy.currency` for `input.` and `currency`. */
export const legacyPath = (path: string, name: string): string => `${path}${legacyField}.${name}`;

/** Returns the path of a column's field in the graph, such as `approval.state`. */
export const pathOf = ({ key, field }: Column): string =>
  field.legacyOnlyName ? key.replace(/[^.]+$/, `${legacyField}.${field.legacyOnlyName}`) : key;

const storedTypes: Readonly<Partial<Record<FieldKind, () => object>>> = {
  num: () => Float,
  money: () => Money,
  instant: () => Instant,
};

/** Whether the column contains a name and the field returns the record with this name. The name itself is in `legacy`. */
export const isNamedRelation = ({ nameReference }: FieldMeta): boolean =>
  nameReference !== undefined && nameReference.relation === undefined;

const legacyFields = new WeakMap<FieldMeta, FieldMeta>();

/** Returns the field of `legacy` that contains the stored value. Null if the graph shows the stored value unchanged. */
export function legacyFieldOf(field: FieldMeta): FieldMeta | null {
  const { name, kind, conversion, legacyOnlyName } = field;
  if (!isNamedRelation(field) && !legacyOnlyName && (!conversion || conversion.isLossless)) return null;
  const existingField = legacyFields.get(field);
  if (existingField) return existingField;
  const visibility = field.private ? ' Visible to the same callers as that field.' : '';
  const legacyMeta: FieldMeta = {
    ...field,
    name: legacyOnlyName ?? name,
    type: storedTypes[kind] ?? (() => String),
    description: conversion ? `Unconverted value of \`${name}\`.${visibility}` : field.description,
    conversion: undefined,
    values: null,
  };
  legacyFields.set(field, legacyMeta);
  return legacyMeta;
}

/** Returns the record with the reference data that a field refers to by ID or name. Null for other fields. */
export function referenceDataOf({ nameReference, ref }: FieldMeta): RecordClass | null {
  const target = (nameReference ?? ref)?.target();
  return target && metaOf(target).options?.constant ? target : null;
}

/**
 * Returns the field of `legacy` in an input. The field accepts a stored value, or the ID of unknown reference data. Null if there is no
 * such field.
 */
export const legacyInputFieldOf = (field: FieldMeta): FieldMeta | null =>
  legacyFieldOf(field) ?? (field.ref && referenceDataOf(field) ? field : null);

/** Returns the fields of a record's `legacy` type. */
const legacyFieldsOf = (meta: RecordMeta): Readonly<Record<string, FieldSpec>> =>
  Object.fromEntries(
    [...meta.fields.values()].flatMap((field) => {
      const storedField = field.secret ? null : legacyFieldOf(field);
      if (!storedField) return [];
      const { name, type, description } = storedField;
      const resolve = storedResolver(meta, field);
      return [[name, { type, isNullable: true, description, extensions: { readsColumns: [field.name] }, resolve }] as const];
    }),
  );

/** Adds the field `legacy` to a record or value and returns the type of the field. */
export const addLegacyField: (cls: RecordClass) => GeneratedType = memoize((cls) => {
  const type = new GeneratedType(`${cls.name}Legacy`, {
    kind: 'object',
    description: `Fields of \`${cls.name}\` in legacy \`/v1\` format.`,
    extensions: legacyExtensions,
    fields: () => legacyFieldsOf(metaOf(cls)),
  });
  Field(() => type, { description: 'Fields in legacy `/v1` format.' })(cls.prototype, legacyField);
  // The fields of `legacy` are resolved from the row of the record.
  resolvedBy((source) => source)(cls.prototype, legacyField);
  return type;
});

/** Adds the field `legacy` to a record or value if some of its stored values are visible only in this field. */
export function addLegacyFieldIfNeeded(cls: RecordClass): void {
  const meta = metaOf(cls);
  if ([...meta.fields.values()].some((field) => !field.secret && legacyFieldOf(field))) addLegacyField(cls);
}
