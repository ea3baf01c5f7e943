import 'reflect-metadata';
import type { RowReference, SqlExpression } from './expression.js';
import type { RecordOptions } from './fields/options.js';
import type { Caller } from './policy/caller.js';
import type { Policy } from './policy/policy.js';

/** Class of a record, a group or a list item, declared with the decorators in this folder. */
// biome-ignore lint/complexity/noBannedTypes: the class can be any class
export type RecordClass<T extends object = object> = (new () => T) & Function;

export type FieldKind =
  | 'id'
  | 'text'
  | 'flag'
  | 'int'
  | 'num'
  | 'money'
  | 'instant'
  | 'json'
  | 'list'
  | 'ref'
  | 'group'
  | 'values';

/** Column type for each kind of field. The columns of a group have the types of its fields. */
export const columnTypes: Readonly<Record<FieldKind, string>> = {
  id: 'text',
  text: 'text',
  ref: 'text',
  values: 'text',
  flag: 'boolean',
  int: 'int',
  num: 'double precision',
  money: 'numeric',
  instant: 'timestamptz',
  json: 'jsonb',
  list: 'text[]',
  group: 'jsonb',
};

/** Format that a text must have. */
export interface TextFormat {
  readonly matches: (text: string) => boolean;
  /** Description of the format, as a noun phrase, such as `an e-mail address such as ana@example.com`. */
  readonly expected: string;
}

/**
 * Conversion between a stored value, as platforms sent it, and the value in the graph. Stored values that have no equivalent become null or
 * OTHER. The field `legacy` of the type contains the stored value. `/v1` reads and writes it there.
 */
export interface Conversion {
  /** The conversion loses no information, so `legacy` omits the field. */
  readonly isLossless?: true;
  /** Converts a stored value to the value in the graph. Not called for null. */
  readonly toGraph: (storedValue: unknown) => unknown;
  /** Converts an input value to the stored value. Returns undefined if the value cannot be written. */
  readonly toStored: (value: unknown) => unknown;
  /** Description of the expected value, as a noun phrase, for the error message if `toStored` returns undefined. */
  readonly expected: string;
  /** Returns the SQL expression for the value in the graph, given the expression for the column and the row that contains it. */
  readonly sql: (column: SqlExpression, row: RowReference) => SqlExpression;
  /** SQL type of the value in the graph. */
  readonly type: string;
  /** Whether lists are ordered by the value in the graph instead of the stored value. */
  readonly isOrder?: true;
  /** Kind of filter, which determines the operators. Default: the filter for the field's enumeration. */
  readonly filter?: 'id' | 'int' | 'money' | 'day' | 'local' | 'flag';
}

/** Declaration of a field. Columns, inputs, filters and orders are derived from it. */
export interface FieldMeta {
  name: string;
  kind: FieldKind;
  /** GraphQL type. */
  type: () => object;
  description: string;
  required: boolean;
  /** Whether only the server sets the value. The input type omits the field. */
  readOnly: boolean;
  /** Whether the column has no GraphQL field. Example: a password hash. */
  secret: boolean;
  /** The field is null unless `canSeePrivateFields` is true for the caller. Only callers in `filterableBy` can filter and order by it. */
  private?: boolean;
  /** Callers who see the field and can filter and order by it. For other callers, it is null, or false for a flag. */
  visibleTo?: readonly Policy[];
  /** Callers who can filter and order by the field, because they see it in all rows. Other callers get FORBIDDEN. Default: `visibleTo`. */
  filterableBy?: readonly Policy[];
  /** A trigger may change the value that is written. */
  isChangedByTrigger?: true;
  /** A trigger computes the value and replaces values that are written. Imports ignore the column. */
  isComputed?: true;
  /** Row version, which counts the changes to the row. It cannot be used in filters and orders. */
  isVersion?: true;
  /** Null or an empty string does not change the field, so that incomplete requests cannot clear it. */
  cannotBeCleared?: boolean;
  /** Whether the owner of a row cannot change this field. Other callers with write permission can change it. */
  isReadOnlyForOwner?: true;
  /** Personal data of the row's owner. Cleared when the user is erased. */
  personal?: true;
  /** Text that may name people other than the row's owner. */
  mentionsPeople?: true;
  unique: boolean;
  index: boolean;
  /** SQL expression for the default value of the column. */
  default: string | null;
  /** Maximum length of a text, in characters. */
  max: number;
  /** Required format of the text, or of each text in a list. */
  format?: TextFormat;
  /** Maximum number of items in a list, and a noun for the items, such as `[100, 'origins']`. */
  maxItems?: readonly [number, string];
  /** The text is stored in upper case. Filters ignore case. */
  isUpperCase?: boolean;
  /**
   * How filters compare the text. Default: both sides are normalized to NFC. `exact`: no normalization, for IDs of other systems. `nfc`:
   * the text is stored in NFC, and filters can use an index on the column.
   */
  comparison?: 'exact' | 'nfc';
  /** Minimum and maximum of a number, inclusive. */
  range: readonly [number, number] | null;
  /** Number that replaces null when rows are sorted. By default, nulls come last. */
  nullSortsAs?: number;
  /** Enumeration of a `values` field. */
  values: object | null;
  /** Class of a group, or an array that contains the class of the items in a JSON list. */
  group: (() => RecordClass | [RecordClass]) | null;
  ref: Ref | null;
  /** Relation to the record that the field refers to by name, if any. */
  nameReference?: NameReference;
  /** Conversion to the value in the graph, if it differs from the stored value. */
  conversion?: Conversion;
  /** Name of the field in `legacy`, if the graph shows the field only there. */
  legacyOnlyName?: string;
  /**
   * The field describes the creation or last change of the record, as reported by a platform. Only platforms and administrators can set it:
   * other callers get FORBIDDEN.
   */
  isReported?: boolean;
  /** For groups: SQL expressions for the default values of columns that are never null in this record. */
  defaults?: Readonly<Record<string, string>>;
  /** Name of an instant field. The field with this option contains the user who set the instant, and changes only together with it. */
  instantField?: string;
  /**
   * For lists of values: the field that identifies an item. An update changes only the items whose keys it contains. An empty list removes
   * all items.
   */
  mergeKey?: string;
}

/** Relation by name instead of by ID. The field contains a name of the related record, such as `USD`. */
export interface NameReference {
  target: () => RecordClass;
  /** Name of the relation field. By default, the relation has the name of the text field, and the text is only in `legacy`. */
  relation?: string;
  /**
   * Fields of the related record that contain its names. Case is ignored. If that record is not constant, there must be exactly one such
   * field, with a unique index.
   */
  columns: readonly string[];
  /**
   * Parent of the related record, such as the country of a state. `field` is the field of this record that contains the parent's name.
   * `key` is the related record's foreign key to the parent.
   */
  parent?: { readonly field: string; readonly key: string };
  /** Description of the name, as a noun phrase, such as `the code of a currency, such as USD`. */
  readonly expected: string;
}

/** Names and options of both directions of a relation. Declared on the foreign key. */
export interface Ref {
  target: () => RecordClass;
  /**
   * Name of the relation field on this record. The field returns the other record or, for a list of IDs, a list of records. Null if there
   * is no such field.
   */
  one: string | null;
  /** Name of the relation field on the other record. The field returns a list of records of this type. Null if there is no such field. */
  many: string | null;
  manyDescription: string | null;
  /** Whether the relation from a list of IDs is paginated. */
  isPaged: boolean;
  /** Whether filters of this record have the field `one`, with conditions on the other record. */
  isFilterable: boolean;
  /** Whether filters of the other record have the field `many`, with conditions on records of this type. */
  isInverseFilterable: boolean;
}

export interface RecordMeta {
  name: string;
  cls: RecordClass;
  fields: Map<string, FieldMeta>;
  /** Null for a group or list item, which has no table. */
  options: RecordOptions | null;
  /** Description of a record. Null for a group or list item. */
  description: string | null;
}

const metas = new Map<RecordClass, RecordMeta>();

/** Returns the metadata of a class. On first use, creates it without fields. */
export function metaOf(cls: RecordClass): RecordMeta {
  let meta = metas.get(cls);
  if (!meta) {
    meta = { name: cls.name, cls, fields: new Map(), options: null, description: null };
    metas.set(cls, meta);
  }
  return meta;
}

const byName = (a: RecordMeta, b: RecordMeta) => (a.name < b.name ? -1 : 1);

/** Returns the metadata of all records, sorted by name, because the order of `metas` depends on imports. */
export const recordMetas = (): RecordMeta[] => [...metas.values()].filter(({ options }) => options !== null).sort(byName);

/** Returns the record with the given name. Null if the name is unknown. */
export function findRecord(name: string): RecordClass | null {
  for (const { cls, name: recordName, options } of metas.values()) if (recordName === name && options) return cls;
  return null;
}

/** Returns the record with the given name, for code that cannot import its class without a cycle. Throws if the name is unknown. */
export function recordNamed(name: string): RecordClass {
  const record = findRecord(name);
  if (!record) throw new Error(`the record ${name} does not exist`);
  return record;
}

let cachedUserRecord: RecordClass | undefined;

/** Returns the record that contains the users of the service. */
export function userRecord(): RecordClass {
  cachedUserRecord ??= recordMetas().find(({ options }) => options?.isUser)?.cls;
  if (!cachedUserRecord) throw new Error('no record has the option `isUser`');
  return cachedUserRecord;
}

/** Returns the fields that a class inherits from its direct base class. Excludes fields that it declares again. */
export function inheritedFields(cls: RecordClass): FieldMeta[] {
  const parent = metas.get(Object.getPrototypeOf(cls));
  const { fields } = metaOf(cls);
  return parent ? [...parent.fields.values()].filter(({ name }) => !fields.has(name)) : [];
}

/** Column of a table, for a field of the record or of one of its groups. */
export interface Column {
  /** Key in rows, such as `title` or `location.city`. */
  key: string;
  /** Name in the database, such as `title` or `location_city`. */
  column: string;
  field: FieldMeta;
}

/** Converts a name to snake case, for example `startsAt` to `starts_at`. */
export const snakeCase = (name: string): string => name.replace(/(?<=[a-z0-9])[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
const columnLists = new Map<RecordMeta, Map<string, Column>>();

/** Returns all columns of a record, including those of its groups, by their keys. */
export function columnsOf(meta: RecordMeta): Map<string, Column> {
  let columns = columnLists.get(meta);
  if (!columns) {
    columns = new Map();
    for (const field of meta.fields.values()) {
      if (field.kind === 'group') {
        for (const groupColumn of columnsOf(groupOf(field)).values()) {
          const key = `${field.name}.${groupColumn.key}`;
          const fallback = field.defaults?.[groupColumn.key];
          const groupField = fallback
            ? { ...groupColumn.field, required: true, default: fallback, index: true }
            : groupColumn.field;
          columns.set(key, { key, column: `${snakeCase(field.name)}_${groupColumn.column}`, field: groupField });
        }
      } else columns.set(field.name, { key: field.name, column: snakeCase(field.name), field });
    }
    columnLists.set(meta, columns);
  }
  return columns;
}

/** Returns the metadata of a group field's class. */
export function groupOf(field: FieldMeta): RecordMeta {
  const cls = field.group?.();
  if (!cls || Array.isArray(cls)) throw new Error(`the field ${field.name} is not a group of fields`);
  return metaOf(cls);
}

/** Returns the column with the given key. Throws if the key is unknown. */
export function columnOf(meta: RecordMeta, key: string): Column {
  const column = columnsOf(meta).get(key);
  if (!column) throw new Error(`${meta.name} has no field ${key}`);
  return column;
}

/** Whether a field can hold text that is too long to filter or order by. */
export const isLongText = ({ max }: FieldMeta): boolean => max > 100_000;

/** Whether any caller can filter and order by a field. False for private fields without `filterableBy`. */
export const canBeFilterable = ({ private: isPrivate, filterableBy }: FieldMeta): boolean =>
  !isPrivate || filterableBy !== undefined;

/** Returns the policies of callers who can filter and order by a field. Undefined if all callers can. */
export const filterPoliciesOf = ({ filterableBy, visibleTo }: FieldMeta): readonly Policy[] | undefined =>
  filterableBy ?? visibleTo;

/** Whether the `visibleTo` option of a field permits a caller. */
export const isFieldVisibleTo = ({ visibleTo }: FieldMeta, caller: Caller): boolean =>
  visibleTo?.some((policy) => policy.permitsCaller(caller)) ?? true;
