import 'reflect-metadata';
import type { RecordOptions } from './options.js';
import type { Policy } from './policy.js';

/** A class that a decorator of this folder has described. */
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

/** The column type of each kind; a group's own columns have those of its fields. */
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

/** A new class of that name, for a type that follows from a record's. */
export const classNamed = (name: string): RecordClass => Object.defineProperty(class {}, 'name', { value: name });

/** A form that texts must have. */
export interface Form {
  readonly fits: (text: string) => boolean;
  /** As a noun phrase: `an e-mail address such as ana@example.com`. */
  readonly expected: string;
}

/**
 * How the graph shows a column that stores what platforms send. Values that do not fit show as null or OTHER. The stored value is in the
 * object `legacy` of the type, which `/v1` reads and writes.
 */
export interface Shown {
  /** Every stored value can be shown, so that `legacy` does not have it. */
  readonly isLossless?: true;
  /** What is shown of a value that is kept, neither of them unset. */
  readonly show: (kept: unknown) => unknown;
  /** What is kept of a value that is given; undefined for one that nobody may write. */
  readonly keep: (given: unknown) => unknown;
  /** What is expected where `keep` gives nothing. */
  readonly expected: string;
  /** SQL of what is shown, over that of the column. */
  readonly sql: (column: string) => string;
  /** Its type in the database. */
  readonly type: string;
  /** Lists are ordered by what is shown; else by what is kept. */
  readonly isOrder?: true;
  /** The operators of its filter; those of its enumeration where there is none. */
  readonly filter?: 'id' | 'int' | 'money' | 'day' | 'local' | 'flag';
}

/** What one line of a record declares; everything else derives from it. */
export interface FieldMeta {
  name: string;
  kind: FieldKind;
  /** Its type in the graph. */
  type: () => object;
  description: string;
  required: boolean;
  /** Not in the input type: the server decides. */
  readOnly: boolean;
  /** A column without a GraphQL field: password hashes, token hashes. */
  secret: boolean;
  /** Null to everybody but those whom the record's `shows` lets see it; nobody filters or orders by it, unless `askedBy` names some. */
  private?: boolean;
  /** Callers who can filter and order by the field, because they see it in all rows. Refused to others. */
  askedBy?: readonly Policy[];
  /** A trigger may store another value than the one that is sent. */
  isAdjusted?: true;
  /** It counts the changes of its record, and nobody filters or orders by it. */
  isVersion?: true;
  /** Null and an empty text leave it as it is: it is changed, and never lost by what a sender leaves out. */
  isLasting?: boolean;
  /** Owners of a row cannot change this field. The record's other writers can. */
  isFixedForOwner?: true;
  /** It tells of the person whose the row is, and goes with the person. */
  personal?: true;
  /** A text that may name people beside whose the row is. */
  mentions?: true;
  unique: boolean;
  index: boolean;
  /** SQL expression of the column's default. */
  default: string | null;
  /** Most characters of a text. */
  max: number;
  /** What the text, or each of a list, has to look like. */
  form?: Form;
  /** Most items of a list, and what they are: `[100, 'origins']`. */
  most?: readonly [number, string];
  /** A text that is kept in capitals: filters ask for it in any case. */
  capitals?: boolean;
  /**
   * How a text is compared with what is asked for. Unset: in NFC, both of them. `exact`: letter by letter, as ids of elsewhere are.
   * `nfc`: it is kept in that form, so that an index on the column itself serves.
   */
  letters?: 'exact' | 'nfc';
  /** Bounds of a number, both included. */
  range: readonly [number, number] | null;
  /** The number as which an unset one is ordered; without it unset ones come last. */
  sortsAs?: number;
  /** Allowed values of a `values` field, an enumeration of the graph. */
  values: object | null;
  /** Class of a group, or in brackets that of a JSON list's items. */
  group: (() => RecordClass | [RecordClass]) | null;
  ref: Ref | null;
  /** The record that the text or number names, where there is one. */
  named?: Named;
  /** How the graph shows what the column keeps, where that is something else. */
  shown?: Shown;
  /** The field is in `legacy` only, under this name. */
  onlyInLegacy?: string;
  /** What others did before the record came here: FORBIDDEN but to callers who may report it. */
  isReported?: boolean;
  /** Of a group: SQL defaults of columns that are never unset in this record. */
  defaults?: Readonly<Record<string, string>>;
  /** It holds the user who set the instant of that name, and stays while a write leaves that as it is. */
  doneAt?: string;
  /** Of a list of values: the field by which a patch finds the entry that it changes. */
  mergedBy?: string;
}

/** A relation without a key: the value names a record by what people call it. */
export interface Named {
  target: () => RecordClass;
  /** Field of this record, or value, that holds the one named; if unset, it has the name of the text, and the text is in `legacy`. */
  one?: string;
  /** Fields of the other record by which it is known, compared in any case of letters. A record that is not constant has one of them, unique. */
  by: readonly string[];
  /** The field beside it that names, in the same way, what the other record belongs to, and the foreign key that says so. */
  within?: { readonly field: string; readonly key: string };
}

/** Both ways of a relation, declared by the foreign key. */
export interface Ref {
  target: () => RecordClass;
  /** Field of this record that holds the other one, or for a list of keys the other ones. */
  one: string | null;
  /** Field of the other record that lists these. */
  many: string | null;
  manyDescription: string | null;
  /** The records behind a list of keys are given page by page. */
  isPaged: boolean;
  /** Filters of this record take conditions on the other one, under the name `one`. */
  isFilterable: boolean;
  /** Filters of the other record take conditions on these, under the name `many`. */
  isInverseFilterable: boolean;
}

export interface RecordMeta {
  name: string;
  cls: RecordClass;
  fields: Map<string, FieldMeta>;
  /** Null for a group: fields without a table of their own. */
  options: RecordOptions | null;
  description: string;
}

const metas = new Map<RecordClass, RecordMeta>();

/** What is known of a class; a class seen for the first time has no fields yet. */
export function metaOf(cls: RecordClass): RecordMeta {
  let meta = metas.get(cls);
  if (!meta) {
    meta = { name: cls.name, cls, fields: new Map(), options: null, description: '' };
    metas.set(cls, meta);
  }
  return meta;
}

/** What is known of every record. */
export const recordMetas = (): RecordMeta[] => [...metas.values()].filter(({ options }) => options !== null);

/** The record of that name, if there is one. */
export const findRecord = (name: string): RecordClass | null => recordMetas().find((meta) => meta.name === name)?.cls ?? null;

/** A record by its name, where importing its class would make a circle of files; a name that is none is a mistake in the code. */
export function recordNamed(name: string): RecordClass {
  const found = findRecord(name);
  if (!found) throw new Error(`there is no record ${name}`);
  return found;
}

/** What a class has from the one that it extends, its own fields first. */
export function inherited(cls: RecordClass): FieldMeta[] {
  const parent = metas.get(Object.getPrototypeOf(cls));
  const { fields } = metaOf(cls);
  return parent ? [...parent.fields.values()].filter(({ name }) => !fields.has(name)) : [];
}

/** A column of a table: a field, or a field of a group with the group's name before it. */
export interface Column {
  /** Key of a row: `title`, `location.city`. */
  key: string;
  /** Name in the database: `title`, `location_city`. */
  column: string;
  field: FieldMeta;
}

/** A name as the database has it: `startsAt` is `starts_at`. */
export const snake = (name: string): string => name.replace(/(?<=[a-z0-9])[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
const columnLists = new Map<RecordMeta, Map<string, Column>>();

/** Every column of a record by its key, groups unfolded. */
export function columnsOf(meta: RecordMeta): Map<string, Column> {
  let columns = columnLists.get(meta);
  if (!columns) {
    columns = new Map();
    for (const field of meta.fields.values()) {
      if (field.kind === 'group') {
        for (const inner of columnsOf(groupOf(field)).values()) {
          const key = `${field.name}.${inner.key}`;
          const fallback = field.defaults?.[inner.key];
          const own = fallback ? { ...inner.field, required: true, default: fallback, index: true } : inner.field;
          columns.set(key, { key, column: `${snake(field.name)}_${inner.column}`, field: own });
        }
      } else columns.set(field.name, { key: field.name, column: snake(field.name), field });
    }
    columnLists.set(meta, columns);
  }
  return columns;
}

/** The fields inside a group. */
export function groupOf(field: FieldMeta): RecordMeta {
  const cls = field.group?.();
  if (!cls || Array.isArray(cls)) throw new Error(`${field.name} is no group`);
  return metaOf(cls);
}

/** The column with that key; a key that is none is a mistake in the code. */
export function columnOf(meta: RecordMeta, key: string): Column {
  const column = columnsOf(meta).get(key);
  if (!column) throw new Error(`${meta.name} has no field ${key}`);
  return column;
}

/** Whether a text is too long to filter and order by. */
export const isProse = ({ max }: FieldMeta): boolean => max > 100_000;

/** Whether anybody filters and orders by a field, as far as its privacy goes. */
export const isAskable = ({ private: isPrivate, askedBy }: FieldMeta): boolean => !isPrivate || askedBy !== undefined;
