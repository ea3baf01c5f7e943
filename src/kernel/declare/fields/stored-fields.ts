import { Extensions } from 'type-graphql';
import { columnsOf, type FieldMeta, groupOf, isFieldVisibleTo, metaOf, type RecordClass, type RecordMeta } from '../meta.js';
import { objectMaker } from '../object-maker.js';
import type { Row } from '../row.js';
import type { Resolve } from './generated.js';

/** Returns the value that a field has when it is not set: null, or the default value if the field cannot be null. */
export const valueWhenUnset = (field: FieldMeta): unknown => {
  if (field.kind === 'flag') return field.default === 'true';
  return field.kind === 'list' || field.default === "'[]'" ? [] : null;
};

/** Decorator: sets the resolver of a field. Without a resolver, a field returns the property with its name. */
export const resolvedBy = (resolve: Resolve): PropertyDecorator => Extensions({ resolve });

/**
 * Returns the resolver of a group. The resolver creates an object from the selected columns of the record. The properties `$type` and `$id`
 * identify the record, for computed fields.
 */
function groupResolver(meta: RecordMeta, field: FieldMeta): Resolve {
  let createObject: ((row: Row) => Row) | undefined;
  const createMaker = () => {
    const name = groupOf(field) && field.name;
    const properties = [...columnsOf(meta).keys()]
      .filter((key) => key.startsWith(`${name}.`))
      .map((key): [string, string] => [key.slice(name.length + 1), `from[${JSON.stringify(key)}]`]);
    return objectMaker<Row, Row>([['$type', JSON.stringify(meta.name)], ['$id', 'from.id'], ...properties]);
  };
  return (source) => {
    createObject ??= createMaker();
    return createObject(source as Row);
  };
}

/** Whether some callers cannot see a field. */
const isHidden = (field: FieldMeta): boolean => field.private === true || field.visibleTo !== undefined;

/** Returns the resolver of a hidden field. For callers without access, the resolver returns null, or false for a flag. */
function hiddenResolver({ options }: RecordMeta, field: FieldMeta): Resolve {
  const { name, kind, private: isPrivate } = field;
  const hiddenValue = kind === 'flag' ? false : null;
  return (source, _, { caller }) => {
    const isShown = isFieldVisibleTo(field, caller) && (!isPrivate || options?.canSeePrivateFields?.(source as Row, caller));
    return isShown ? (source as Row)[name] : hiddenValue;
  };
}

/** Returns the resolver for the stored value of a field. For callers without access, the resolver returns null, or false for a flag. */
export const storedResolver = (meta: RecordMeta, field: FieldMeta): Resolve =>
  isHidden(field) ? hiddenResolver(meta, field) : (source) => (source as Row)[field.name];

/** Returns a resolver that converts the stored value of a field to its value in the graph. */
function convertedResolver(meta: RecordMeta, field: FieldMeta, convert: (storedValue: unknown) => unknown): Resolve {
  const resolveStored = storedResolver(meta, field);
  return (source, args, context, info) => {
    const value: unknown = resolveStored(source, args, context, info);
    return value === null || value === undefined ? null : convert(value);
  };
}

/** Returns the resolver of a restricted list of IDs. For callers who cannot see the list, it is empty. */
function restrictedResolver(
  name: string,
  canSee: (row: Row, caller: Parameters<typeof isFieldVisibleTo>[1]) => boolean,
): Resolve {
  return (source, _, { caller }) => (canSee(source as Row, caller) ? (source as Row)[name] : []);
}

/**
 * Returns the resolver of a field that is stored in a JSON value. For fields that the JSON omits, the resolver returns the default value.
 */
function sparseResolver({ name }: FieldMeta, defaultValue: unknown): Resolve {
  return (source) => (source as Row)[name] ?? defaultValue;
}

/** Returns the resolver of a field. Undefined if the field returns the property with its name. */
function resolverOf(meta: RecordMeta, field: FieldMeta): Resolve | undefined {
  const { kind, name, required, conversion } = field;
  const { options } = meta;
  if (conversion) return convertedResolver(meta, field, conversion.toGraph);
  if (kind === 'group') return groupResolver(meta, field);
  if (isHidden(field)) return hiddenResolver(meta, field);
  if (options?.restriction?.fields.includes(name)) return restrictedResolver(name, options.restriction.canSee);
  const defaultValue = valueWhenUnset(field);
  return !options && required && defaultValue !== null ? sparseResolver(field, defaultValue) : undefined;
}

/** Declares the field resolvers of a record or value. */
export function addResolvers(cls: RecordClass): void {
  const meta = metaOf(cls);
  for (const field of meta.fields.values()) {
    const resolve = resolverOf(meta, field);
    if (resolve) resolvedBy(resolve)(cls.prototype, field.name);
  }
}
