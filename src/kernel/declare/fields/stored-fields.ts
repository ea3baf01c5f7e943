import { Extensions } from 'type-graphql';
import { columnsOf, type FieldMeta, groupOf, isFieldVisibleTo, metaOf, type RecordClass, type RecordMeta } from '../meta.js';
import { objectMaker } from '../object-maker.js';
import type { Row } from '../row.js';
import type { Resolve } from './generated.js';

/** Value of a column without a value: null or, if it cannot be null, its default. */
export const unsetValue = (field: FieldMeta): unknown => {
  if (field.kind === 'flag') return field.default === 'true';
  return field.kind === 'list' || field.default === "'[]'" ? [] : null;
};

/** Decorator: the resolver of a property. Without one, a field has the value of the property. */
export const resolvedBy = (resolve: Resolve): PropertyDecorator => Extensions({ resolve });

/** Creates the object of a group from the selected columns of its record. Its computed fields read `$type` and `$id`, the record. */
function groupResolver(meta: RecordMeta, field: FieldMeta): Resolve {
  let createObject: ((row: Row) => Row) | undefined;
  const createMaker = () => {
    const name = groupOf(field) && field.name;
    const parts = [...columnsOf(meta).keys()]
      .filter((key) => key.startsWith(`${name}.`))
      .map((key): [string, string] => [key.slice(name.length + 1), `from[${JSON.stringify(key)}]`]);
    return objectMaker<Row, Row>([['$type', JSON.stringify(meta.name)], ['$id', 'from.id'], ...parts]);
  };
  return (source) => {
    createObject ??= createMaker();
    return createObject(source as Row);
  };
}

/** Whether a field is hidden from some callers. */
const isHidden = (field: FieldMeta): boolean => field.private === true || field.visibleTo !== undefined;

/** Resolves a hidden field. Callers without access get null, or false for a flag. */
function hiddenResolver({ options }: RecordMeta, field: FieldMeta): Resolve {
  const { name, kind, private: isPrivate } = field;
  const hiddenValue = kind === 'flag' ? false : null;
  return (source, _, { caller }) => {
    const isShown = isFieldVisibleTo(field, caller) && (!isPrivate || options?.canSeePrivateFields?.(source as Row, caller));
    return isShown ? (source as Row)[name] : hiddenValue;
  };
}

/** Returns the stored value of a field to callers who may see it. */
export const storedResolver = (meta: RecordMeta, field: FieldMeta): Resolve =>
  isHidden(field) ? hiddenResolver(meta, field) : (source) => (source as Row)[field.name];

/** Converts the stored value of a field to its value in the graph. */
function convertedResolver(meta: RecordMeta, field: FieldMeta, convert: (stored: unknown) => unknown): Resolve {
  const resolveStored = storedResolver(meta, field);
  return (source, args, context, info) => {
    const value: unknown = resolveStored(source, args, context, info);
    return value === null || value === undefined ? null : convert(value);
  };
}

/** Resolver of a restricted list of keys: empty for callers who cannot see the list of the row. */
function restrictedResolver(
  name: string,
  canSee: (row: Row, caller: Parameters<typeof isFieldVisibleTo>[1]) => boolean,
): Resolve {
  return (source, _, { caller }) => (canSee(source as Row, caller) ? (source as Row)[name] : []);
}

/** JSON values omit unset fields. */
function sparseResolver({ name }: FieldMeta, defaultValue: unknown): Resolve {
  return (source) => (source as Row)[name] ?? defaultValue;
}

/** The resolver of a field; undefined if the field has the value of the property. */
function resolverOf(meta: RecordMeta, field: FieldMeta): Resolve | undefined {
  const { kind, name, required, conversion } = field;
  const { options } = meta;
  if (conversion) return convertedResolver(meta, field, conversion.toGraph);
  if (kind === 'group') return groupResolver(meta, field);
  if (isHidden(field)) return hiddenResolver(meta, field);
  if (options?.restriction?.fields.includes(name)) return restrictedResolver(name, options.restriction.canSee);
  const defaultValue = unsetValue(field);
  return !options && required && defaultValue !== null ? sparseResolver(field, defaultValue) : undefined;
}

/** Declares the resolvers of the fields of a record or value. */
export function addResolvers(cls: RecordClass): void {
  const meta = metaOf(cls);
  for (const field of meta.fields.values()) {
    const resolve = resolverOf(meta, field);
    if (resolve) resolvedBy(resolve)(cls.prototype, field.name);
  }
}
