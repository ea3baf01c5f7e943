import { Extensions, Field, Float, ID, Int, ObjectType } from 'type-graphql';
import type { Resolve } from './fields/generated.js';
import { addLegacyFieldIfNeeded } from './fields/legacy-fields.js';
import type { RecordOptions } from './fields/options.js';
import { addResolvers } from './fields/stored-fields.js';
import { type FieldMeta, inheritedFields, metaOf, type RecordClass } from './meta.js';
import { Node, nodeIdDescription, nodeIdOf } from './node.js';
import type { Row } from './row.js';
import { Instant } from './scalars/scalars.js';

/**
 * Returns the key of the column that the order "newest first" uses. This is the reported creation time if the record has one, or else the
 * creation time that the service sets.
 */
export const creationTimeKey = (cls: RecordClass): string => {
  const fields = [...metaOf(cls).fields.values()];
  for (const { name, defaults } of fields) if (defaults?.createdAt) return `${name}.createdAt`;
  for (const field of fields) if (field.default === 'clock_timestamp()') return field.name;
  throw new Error(`${cls.name} has no creation time`);
};

const insertedAt: FieldMeta = {
  name: 'insertedAt',
  kind: 'instant',
  type: () => Instant,
  description: 'When the row was inserted.',
  required: true,
  readOnly: true,
  secret: true,
  unique: false,
  index: true,
  default: 'clock_timestamp()',
  max: 0,
  range: null,
  values: null,
  group: null,
  ref: null,
};

const version: FieldMeta = {
  ...insertedAt,
  name: 'version',
  kind: 'int',
  type: () => Int,
  description: 'Version number, increased by every change. Pass it as `ifVersion` to detect concurrent changes.',
  secret: false,
  isVersion: true,
  index: false,
  default: '1',
};

const distance =
  'Distance from the center of the filter `near`, in kilometers, or in miles if `near.unit` is MILES. Null without `near`.';

/** Whether a record is part of the GraphQL schema. */
export const isInSchema = ({ rootFields }: RecordOptions): boolean => rootFields?.length !== 0;

function addNodeId({ name, prototype }: RecordClass): void {
  Field(() => ID, { description: nodeIdDescription })(prototype, 'nodeId');
  const resolve: Resolve = (source) => nodeIdOf(name, (source as Row).id);
  Extensions({ shared: true, resolve })(prototype, 'nodeId');
}

/** Decorator: declares a class as a record with a table, a GraphQL object type, and an input type (`inputOf`). */
export const record = (options: RecordOptions, description: string) => (cls: RecordClass) => {
  const meta = metaOf(cls);
  meta.options = options;
  meta.description = description;
  for (const field of [...inheritedFields(cls), ...(options.versioned ? [version] : [])]) {
    meta.fields.set(field.name, field);
    if (!field.secret)
      Field(field.type, { nullable: !field.required, description: field.description })(cls.prototype, field.name);
  }
  if (![...meta.fields.values()].some((field) => field.default === 'clock_timestamp()'))
    meta.fields.set('insertedAt', insertedAt);
  // The distance is not a column. Lists with the filter `near` compute it.
  if (options.location) Field(() => Float, { nullable: true, description: distance })(cls.prototype, 'distance');
  addLegacyFieldIfNeeded(cls);
  addResolvers(cls);
  if (isInSchema(options)) addNodeId(cls);
  ObjectType(cls.name, { description, implements: [...(isInSchema(options) ? [Node] : []), ...(options.implements ?? [])] })(cls);
};

/**
 * Decorator: declares a class as a value, an object without a table of its own. `@group` and `@listOf` store it in a record. If the
 * description depends on manifests, pass a function. It is called when the schema is built.
 */
export const value = (description: string | (() => string)) => (cls: RecordClass) => {
  addLegacyFieldIfNeeded(cls);
  addResolvers(cls);
  if (typeof description === 'string') ObjectType(cls.name, { description })(cls);
  else {
    Extensions({ describe: description })(cls);
    ObjectType(cls.name)(cls);
  }
};

/** `unknown` if a type has exactly these keys. Otherwise `never`, so that the compiler rejects the decorator. */
type Exactly<Root, Key> = [Exclude<keyof Root, Key> | Exclude<Key, keyof Root>] extends [never] ? unknown : never;

/**
 * Decorator: declares the columns that a computed field reads. Queries that select the field also select these columns. The first parameter
 * of the method, the `@Root()`, must be a `Pick` of exactly these columns.
 */
export const readsColumns =
  <const Key extends string>(...columns: Key[]) =>
  <Root, Rest extends unknown[], Result>(
    target: object,
    name: string,
    descriptor: TypedPropertyDescriptor<(root: Root, ...rest: Rest) => Result> & Exactly<Root, Key>,
  ): void => {
    Extensions({ readsColumns: columns })(target, name, descriptor);
  };

/** Returns the options of a record. Throws if the class is not a record. */
export function optionsOf(cls: RecordClass): RecordOptions {
  const { options, name } = metaOf(cls);
  if (!options) throw new Error(`${name} is not a record`);
  return options;
}
