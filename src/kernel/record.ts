import { Extensions, Field, ObjectType } from 'type-graphql';
import type { Caller } from './caller.js';
import type { Context } from './context.js';
import type { CustomFilter } from './filter.js';
import { type FieldMeta, inherited, metaOf, type RecordClass } from './meta.js';
import type { Policy } from './policy.js';
import type { Restriction } from './restriction.js';
import { Instant } from './scalars.js';
import type { Param, Row } from './sql.js';
import type { Writers } from './writers.js';

/** The operations that the kernel opens for a record. */
export type Door = 'one' | 'many' | 'create' | 'update' | 'upsert' | 'delete';

export interface OrderBy {
  /** Key of a column. */
  field: string;
  direction: 'ASC' | 'DESC';
}

/** Values of a record by column key, groups unfolded: `{ title: …, 'location.city': … }`. */
export type Values = Row;

/** What is done to a row; an upsert may do either. */
export type WriteKind = 'create' | 'upsert' | 'update';

export interface RecordOptions {
  table: string;
  /** Root fields: `team(id)`, `teams(…)`; the mutations take their names from `one`. */
  one: string;
  many: string;
  /** Who may read it, at the root and through relations. */
  read: readonly Policy[];
  /** Who creates, updates, upserts and deletes it. */
  write: Writers;
  /** Who sees the private fields of a row; nobody unless it is stated. */
  shows?: (row: Row, caller: Caller) => boolean;
  /** Who reads the list at the root, where fewer do than read one. */
  readList?: readonly Policy[];
  /** Doors that the kernel opens; the others are written by hand or absent. All by default. */
  doors?: readonly Door[];
  /** The column that says whose a row is, where users see no rows but their own; platforms see all. */
  seenBy?: string;
  /** Which rows a caller sees, in lists, by id and through relations: SQL over the table, aliased `r`; null for all. All by default. */
  visible?: (caller: Caller, param: Param) => string | null;
  /** Its rows come with the service and nobody writes them: relations to them are read from memory. */
  constant?: true;
  /** The natural key, by which an upsert without an id finds its row (decision 21). */
  key?: readonly string[];
  /** Key of a flag: while it is true the row is neither changed nor deleted (CONFLICT), unless an update takes the flag back. */
  lock?: string;
  /** Order of lists that ask for none; newest first by default. */
  order?: readonly OrderBy[];
  /** Filters beyond those of the columns. */
  filters?: Record<string, CustomFilter>;
  /** SQL of indexes beyond those of the fields, by name, with the table as `TABLE`. */
  indexes?: Record<string, string>;
  /** Values that only the creation of a row sets: codes, slugs, numbers. Called for new rows only, and again, with the next attempt, when another row took one of them. */
  onInsert?: (values: Values, context: Context, attempt: number) => Values | Promise<Values>;
  /** Checks and completes the values of every create, update and upsert. */
  onSave?: (values: Values, context: Context, write: WriteKind) => Values | Promise<Values>;
  /** Lists of keys that its rows show to some callers only. */
  restricted?: Restriction;
  /** What follows, in the same transaction, when an update or upsert changes a row that was there. */
  onChange?: Follower | readonly Follower[];
}

/** What follows a change of one of some columns. */
export interface Follower {
  of: readonly string[];
  /** Both rows hold the id and the columns that the record's followers watch. */
  follow: (before: Row, after: Row, context: Context) => Promise<void>;
}

/** The key of the column that orders a list from newest to oldest: when it was made, as a platform tells or else as the service knows. */
export const newestBy = (cls: RecordClass): string => {
  const fields = [...metaOf(cls).fields.values()];
  for (const { name, defaults } of fields) if (defaults?.createdAt) return `${name}.createdAt`;
  for (const field of fields) if (field.default === 'clock_timestamp()') return field.name;
  throw new Error(`${cls.name} has no creation time`);
};

const insertedAt: FieldMeta = {
  name: 'insertedAt',
  kind: 'instant',
  type: () => Instant,
  description: 'When the row was made.',
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

/** Makes a class a record: a table, a federated object type and, through `inputOf`, an input type. */
export const record = (options: RecordOptions, description: string) => (cls: RecordClass) => {
  const meta = metaOf(cls);
  meta.options = options;
  meta.description = description;
  for (const field of inherited(cls)) {
    meta.fields.set(field.name, field);
    Field(field.type, { nullable: !field.required, description: field.description })(cls.prototype, field.name);
  }
  if (![...meta.fields.values()].some((field) => field.default === 'clock_timestamp()'))
    meta.fields.set('insertedAt', insertedAt);
  ObjectType(cls.name, { description })(cls);
};

/** Makes a class a value: an object without a table, kept inside a record by `@group` or `@json`. */
export const value = (description: string) => (cls: RecordClass) => {
  metaOf(cls).description = description;
  ObjectType(cls.name, { description })(cls);
};

/** States which columns a computed field reads, so that a query selects them with it. */
export const needs = (...columns: string[]): ReturnType<typeof Extensions> => Extensions({ needs: columns });

/** What a record was declared with; a value has none. */
export function optionsOf(cls: RecordClass): RecordOptions {
  const { options, name } = metaOf(cls);
  if (!options) throw new Error(`${name} is no record`);
  return options;
}
