import 'reflect-metadata';
import type { RecordOptions } from './fields/options.js';
import type { Caller } from './policy/caller.js';
import type { Policy } from './policy/policy.js';

/** A class with the decorators of this folder. */
// biome-ignore lint/complexity/noBannedTypes: a class value is all that is known here
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

/** The column type of each kind. The columns of a group have the types of its fields. */
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

/** A required text format. */
export interface TextFormat {
  readonly matches: (text: string) => boolean;
  /** As a noun phrase: `an e-mail address such as ana@example.com`. */
  readonly expected: string;
}

/**
 * Conversion between a stored value, as platforms sent it, and the value in the graph. Stored values that do not fit become null or OTHER. The
 * object `legacy` of the type has the stored value. `/v1` reads and writes it there.
 */
export interface Conversion {
  /** The conversion loses nothing, so the object `legacy` does not have the field. */
  readonly isLossless?: true;
  /** Converts a stored value to the value in the graph. Not called for null. */
  readonly toGraph: (storedValue: unknown) => unknown;
  /** Converts an input value to the stored value. Undefined if the value cannot be written. */
  readonly toStored: (value: unknown) => unknown;
  /** Expected value, as a noun phrase, for the error if `toStored` returns undefined. */
  readonly expected: string;
  /** SQL of the value in the graph, from the SQL of the column. */
  readonly sql: (column: string) => string;
  /** SQL type of the value in the graph. */
  readonly type: string;
  /** Lists are ordered by the value in the graph. By default, they are ordered by the stored value. */
  readonly isOrder?: true;
  /** Operators of its filter. Default: those of its enumeration. */
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
  /** Not in the input type: the server sets the value. */
  readOnly: boolean;
  /** A column without a GraphQL field: password hashes, token hashes. */
  secret: boolean;
  /** Null unless `canSeePrivateFields` of the record is true for the caller. Only the callers in `filterableBy` can filter and order by it. */
  private?: boolean;
  /** Callers who see the field, and who can filter and order by it. It is null to others, or false for a flag. */
  visibleTo?: readonly Policy[];
  /** Callers who can filter and order by the field, because they see it in all rows. Other callers get FORBIDDEN. By default those of `visibleTo`. */
  filterableBy?: readonly Policy[];
  /** A trigger may change the value that is written. */
  isChangedByTrigger?: true;
  /** Row version: counts the changes of the row. Cannot be used in filters and orders. */
  isVersion?: true;
  /** Null and an empty text do not change it, so that incomplete requests cannot clear it. */
  cannotBeCleared?: boolean;
  /** Owners of a row cannot change this field. The record's other writers can. */
  isFixedForOwner?: true;
  /** Personal data of the owner of the row. Cleared when the user is erased. */
  personal?: true;
  /** A text that may name people other than the owner of the row. */
  mentionsPeople?: true;
  unique: boolean;
  index: boolean;
  /** SQL expression of the column's default. */
  default: string | null;
  /** Maximum length of a text, in characters. */
  max: number;
  /** Required format of the text, or of each text in a list. */
  format?: TextFormat;
  /** Maximum number of items of a list, and their name: `[100, 'origins']`. */
  maxItems?: readonly [number, string];
  /** A text that is stored in upper case. Filters ignore case. */
  isUpperCase?: boolean;
  /**
   * How filters compare the text. Default: both sides are normalized to NFC. `exact`: code point by code point, for IDs of other systems.
   * `nfc`: the text is stored in NFC, so that filters can use an index on the column itself.
   */
  comparison?: 'exact' | 'nfc';
  /** Minimum and maximum of a number, inclusive. */
  range: readonly [number, number] | null;
  /** Number that replaces null when rows are ordered. By default, nulls come last. */
  nullSortsAs?: number;
  /** Enumeration of a `values` field. */
  values: object | null;
  /** Class of a group, or in brackets the class of the items of a JSON list. */
  group: (() => RecordClass | [RecordClass]) | null;
  ref: Ref | null;
  /** The record that the text or number names, if any. */
  nameReference?: NameReference;
  /** Conversion to the value in the graph, if it differs from the stored value. */
  conversion?: Conversion;
  /** Name of the field in `legacy`, if only `legacy` has it. */
  legacyOnlyName?: string;
  /** History reported by the source of the record. FORBIDDEN unless the caller may report it. */
  isReported?: boolean;
  /** For groups: SQL defaults of columns that are never null in this record. */
  defaults?: Readonly<Record<string, string>>;
  /** Name of an instant field. This field has the user who set the instant, and changes only together with it. */
  instantField?: string;
  /** For lists of values: the key field. An update changes the entries with the same key. */
  mergeKey?: string;
}

/** A relation without a foreign key: the value is a name of the record, such as `USD`. */
export interface NameReference {
  target: () => RecordClass;
  /** Name of the relation field. By default, the relation has the name of the text field, and the text is only in `legacy`. */
  relation?: string;
  /** Fields of the other record that contain the name. Case is ignored. A record that is not constant has exactly one, with a unique index. */
  columns: readonly string[];
  /** Field of this record that names the parent of the other record, and the foreign key to that parent. For example, the country of a state. */
  parent?: { readonly field: string; readonly key: string };
  /** The expected name, as a noun phrase: `the code of a currency, such as USD`. */
  readonly expected: string;
}

/** Both directions of a relation, declared at the foreign key. */
export interface Ref {
  target: () => RecordClass;
  /** Relation field of this record: to the other record, or to all records of a list of keys. */
  one: string | null;
  /** Relation field of the other record: the list of these records. */
  many: string | null;
  manyDescription: string | null;
  /** The relation over a list of keys is paginated. */
  isPaged: boolean;
  /** Filters of this record have the field `one`, with conditions on the other record. */
  isFilterable: boolean;
  /** Filters of the other record have the field `many`, with conditions on these records. */
  isInverseFilterable: boolean;
}

export interface RecordMeta {
  name: string;
  cls: RecordClass;
  fields: Map<string, FieldMeta>;
  /** Null for a group, which has no table of its own. */
  options: RecordOptions | null;
}

const metas = new Map<RecordClass, RecordMeta>();

/** Returns the metadata of a class. Creates it without fields on first use. */
export function metaOf(cls: RecordClass): RecordMeta {
  let meta = metas.get(cls);
  if (!meta) {
    meta = { name: cls.name, cls, fields: new Map(), options: null };
    metas.set(cls, meta);
  }
  return meta;
}

/** Metadata of all records. */
export const recordMetas = (): RecordMeta[] => [...metas.values()].filter(({ options }) => options !== null);

/** Returns the record with the given name, or null if there is none. */
export const findRecord = (name: string): RecordClass | null => recordMetas().find((meta) => meta.name === name)?.cls ?? null;

/** Returns the record with a name, where an import of its class would be circular. Throws if the name is unknown. */
export function recordNamed(name: string): RecordClass {
  const record = findRecord(name);
  if (!record) throw new Error(`the record ${name} does not exist`);
  return record;
}

let users: RecordClass | undefined;

/** The record whose rows are the users of the service. */
export function userRecord(): RecordClass {
  users ??= recordMetas().find(({ options }) => options?.isUser)?.cls;
  if (!users) throw new Error('no record has the option `isUser`');
  return users;
}

/** Fields that a class inherits from its direct base class, without those that it redeclares. */
export function inheritedFields(cls: RecordClass): FieldMeta[] {
  const parent = metas.get(Object.getPrototypeOf(cls));
  const { fields } = metaOf(cls);
  return parent ? [...parent.fields.values()].filter(({ name }) => !fields.has(name)) : [];
}

/** A column of a table: a field of the record, or a field of one of its groups, prefixed with the name of the group. */
export interface Column {
  /** Key of a row: `title`, `location.city`. */
  key: string;
  /** Name in the database: `title`, `location_city`. */
  column: string;
  field: FieldMeta;
}

/** Converts a name to snake case for the database: `startsAt` → `starts_at`. */
export const snakeCase = (name: string): string => name.replace(/(?<=[a-z0-9])[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
const columnLists = new Map<RecordMeta, Map<string, Column>>();

/** All columns of a record by key, including those of its groups. */
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

/** Metadata of the class of a group field. */
export function groupOf(field: FieldMeta): RecordMeta {
  const cls = field.group?.();
  if (!cls || Array.isArray(cls)) throw new Error(`the field ${field.name} is not a group of fields`);
  return metaOf(cls);
}

/** Returns the column with a key. Throws if the key is unknown. */
export function columnOf(meta: RecordMeta, key: string): Column {
  const column = columnsOf(meta).get(key);
  if (!column) throw new Error(`${meta.name} has no field ${key}`);
  return column;
}

/** Whether a text is too long to filter and order by. */
export const isProse = ({ max }: FieldMeta): boolean => max > 100_000;

/** Whether any caller can filter and order by a field. False for private fields without `filterableBy`. */
export const canBeFilterable = ({ private: isPrivate, filterableBy }: FieldMeta): boolean =>
  !isPrivate || filterableBy !== undefined;

/** Callers who can filter and order by a field; undefined for all. */
export const filterPoliciesOf = ({ filterableBy, visibleTo }: FieldMeta): readonly Policy[] | undefined =>
  filterableBy ?? visibleTo;

/** Whether `visibleTo` shows a field to a caller. */
export const isFieldVisibleTo = ({ visibleTo }: FieldMeta, caller: Caller): boolean =>
  visibleTo?.some((policy) => policy.permitsCaller(caller)) ?? true;
