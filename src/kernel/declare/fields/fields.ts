import { GraphQLJSON } from 'graphql-scalars';
import { Field, Float, ID, Int } from 'type-graphql';
import { type FieldKind, type FieldMeta, metaOf, type RecordClass, type Ref } from '../meta.js';
import { Instant, Money } from '../scalars/scalars.js';
import { isNamedRelation } from './legacy-fields.js';

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
/** Property decorator that the compiler accepts only on properties of exactly the type `T`. */
export type FieldDecorator<T> = <P extends object, K extends keyof P & string>(
  target: P,
  key: Same<P[K], T> extends true ? K : never,
) => void;
type Options = Partial<
  Pick<
    FieldMeta,
    | 'required'
    | 'readOnly'
    | 'secret'
    | 'private'
    | 'visibleTo'
    | 'filterableBy'
    | 'cannotBeCleared'
    | 'isChangedByTrigger'
    | 'isComputed'
    | 'isReadOnlyForOwner'
    | 'unique'
    | 'index'
    | 'default'
    | 'max'
    | 'format'
    | 'maxItems'
    | 'comparison'
    | 'range'
    | 'nullSortsAs'
    | 'isReported'
    | 'defaults'
    | 'isUpperCase'
    | 'instantField'
    | 'personal'
    | 'mentionsPeople'
    | 'nameReference'
    | 'legacyOnlyName'
  >
>;
/** Options without unknown keys. The compiler does not check a generic parameter for excess keys. */
type Exact<O> = O & Record<Exclude<keyof O, keyof Options>, never>;
type Maybe<T, O> = O extends { required: true } ? T : T | null;

/**
 * Returns the description of a field in the GraphQL type. The description of a foreign key names its relation and includes only the
 * sentences about null, empty values and visibility.
 */
function descriptionOfField({ kind, ref, description }: FieldMeta): string {
  if (kind !== 'ref' || !ref?.one) return description;
  const rules = description.split(/(?<=\.) /).filter((sentence) => /^(?:Visible|Null|Empty) /.test(sentence));
  return [`ID of \`${ref.one}\`.`, ...rules].join(' ');
}

/** Declares a property as a field: a column and a field of the GraphQL type. */
export function declare(kind: FieldKind, type: () => object, description: string, options: Partial<FieldMeta>) {
  return (target: object, key: string) => {
    const meta: FieldMeta = {
      name: key,
      kind,
      type,
      description,
      required: false,
      readOnly: false,
      secret: false,
      unique: false,
      index: false,
      default: null,
      max: 10_000,
      range: null,
      values: null,
      group: null,
      ref: null,
      ...options,
    };
    metaOf(target.constructor as RecordClass).fields.set(key, meta);
    if (meta.secret || meta.legacyOnlyName || isNamedRelation(meta)) return;
    Field(type, { nullable: !meta.required, description: descriptionOfField(meta) })(target, key);
  };
}

/** ID of a record, as a string. If the client does not send one, the server assigns a UUIDv7. */
export const id = (description: string): FieldDecorator<string> =>
  declare('id', () => ID, description, { required: true, max: 255 });

/** Text. At most 10,000 characters, or `max`. */
export const text = <const O extends Options = Record<never, never>>(
  description: string,
  options?: Exact<O>,
): FieldDecorator<Maybe<string, O>> => declare('text', () => String, description, options ?? {});

/** Long text. At most a million characters. */
export const longText = (description: string, options: Options = {}): FieldDecorator<string | null> =>
  declare('text', () => String, description, { max: 1_000_000, ...options });

/** Boolean. Default: false. */
export const flag = (description: string, options: Options = {}): FieldDecorator<boolean> =>
  declare('flag', () => Boolean, description, { required: true, default: 'false', ...options });

/** 32-bit integer. */
export const int = <const O extends Options = Record<never, never>>(
  description: string,
  options?: Exact<O>,
): FieldDecorator<Maybe<number, O>> => declare('int', () => Int, description, options ?? {});

/** Double-precision floating-point number. */
export const num = <const O extends Options = Record<never, never>>(
  description: string,
  options?: Exact<O>,
): FieldDecorator<Maybe<number, O>> => declare('num', () => Float, description, options ?? {});

/** Exact decimal number, as a string. */
export const money = <const O extends Options = Record<never, never>>(
  description: string,
  options?: Exact<O>,
): FieldDecorator<Maybe<string, O>> => declare('money', () => Money, description, options ?? {});

/** Point in time, as an RFC 3339 string in UTC. */
export const instant = <const O extends Options = Record<never, never>>(
  description: string,
  options?: Exact<O>,
): FieldDecorator<Maybe<string, O>> => declare('instant', () => Instant, description, options ?? {});

/** Creation time. Set by the service. */
export const createdAt = (description = 'Time of creation.'): FieldDecorator<string> =>
  declare('instant', () => Instant, description, { required: true, readOnly: true, default: 'clock_timestamp()', index: true });

/** Time of the last write. Set by the service. */
export const updatedAt = (description = 'Time of the last change.'): FieldDecorator<string> =>
  declare('instant', () => Instant, description, { required: true, readOnly: true, default: 'clock_timestamp()' });

/**
 * List of values, stored as JSON. Default: empty. `mergeKey` is the name of the field that identifies an item. With `mergeKey`, an update
 * changes only the items whose keys it contains, or removes all items if it is empty. Concurrent updates to separate items are all applied.
 */
export const listOf = <T extends object>(
  type: () => RecordClass<T>,
  description: string,
  { mergeKey }: { mergeKey?: keyof T & string } = {},
): FieldDecorator<T[]> =>
  declare('json', () => [type()], description, { group: () => [type()], required: true, default: "'[]'", mergeKey });

/** Any JSON document. */
export const json = (description: string, options: Options = {}): FieldDecorator<unknown> =>
  declare('json', () => GraphQLJSON, description, options);

/** List of strings. Default: empty. */
export const texts = (description: string, options: Options = {}): FieldDecorator<string[]> =>
  declare('list', () => [String], description, { required: true, default: `'{}'`, ...options });

/** Value of an enumeration that was registered with `enumeration`. */
export const values = <E extends Record<string, string>, const O extends Options = Record<never, never>>(
  type: E,
  description: string,
  options?: Exact<O>,
): FieldDecorator<Maybe<E[keyof E], O>> => declare('values', () => type, description, { values: type, ...options });

/** Name and description of the inverse list of a relation, and the directions that clients can filter by. */
interface RelationNames {
  readonly many?: string;
  readonly manyDescription?: string;
  /** Directions that clients can filter by, such as `['one', 'many']`. Default: none. */
  readonly filterable?: readonly string[];
}

const refOf = (target: () => RecordClass, one: string | undefined, names: RelationNames): Ref => ({
  target,
  one: one ?? null,
  many: names.many ?? null,
  manyDescription: names.manyDescription ?? null,
  isPaged: false,
  isFilterable: names.filterable?.some((direction) => direction !== 'many') ?? false,
  isInverseFilterable: names.filterable?.includes('many') ?? false,
});

/** Foreign key, stored as sent. If no record has this ID, the relation is null, and no inverse list contains the row (decision 8). */
export const ref = <const O extends Options = Record<never, never>>(
  target: () => RecordClass,
  names: RelationNames & { one?: string; filterable?: readonly ('one' | 'many')[] },
  description: string,
  options?: Exact<O>,
): FieldDecorator<Maybe<string, O>> =>
  declare('ref', () => ID, description, {
    max: 255,
    index: true,
    ref: refOf(target, names.one, names),
    ...options,
  });

/**
 * List of foreign keys for a many-to-many relation, stored as sent. The relation omits IDs that no record has. `all` declares a plain list,
 * for a small number of records. `list` declares a paginated list.
 */
export const refs = (
  target: () => RecordClass,
  names: RelationNames & { all?: string; list?: string; filterable?: readonly ('all' | 'list' | 'many')[] },
  description: string,
  options: Options = {},
): FieldDecorator<string[]> =>
  declare('list', () => [ID], description, {
    max: 255,
    required: true,
    default: `'{}'`,
    index: true,
    ref: { ...refOf(target, names.all ?? names.list, names), isPaged: names.list !== undefined },
    ...options,
  });

/** Related fields, stored as columns of the record and exposed as one object. */
export const group = <T extends object>(
  type: () => RecordClass<T>,
  description: string,
  options: Options = {},
): FieldDecorator<T> => declare('group', type, description, { required: true, group: type, ...options });
