import type { Context } from '../context.js';
import type { Caller } from '../policy/caller.js';
import type { Policy } from '../policy/policy.js';
import type { Writers } from '../policy/writers.js';
import type { Param, Row } from '../row.js';

/**
 * SQL condition on a row of the record. It is built for an alias, `param.row`.
 *
 * - `rank` is the default order of the list: a float8, smallest first.
 * - `isSelective` means that few rows match. They are found by the index of the condition and then sorted. Otherwise PostgreSQL may scan the index of the
 *   order, and expect a match soon although all matches are at its end.
 * - `distance` is the value of the field `distance`.
 * - `branches` are equivalent to `where`: a row matches `where` if it matches a branch. Each branch can use its own index.
 * - `names` is the same condition over the name table of the record, aliased `n`. Then the branches are over that table, too.
 */
export type Condition =
  | string
  | { where: string; rank?: () => Rank; isSelective?: true; distance?: string; branches?: readonly Branch[]; names?: string };

/** SQL expression that ranks rows. It can use the columns of the record's table, and those of its name table under the alias `n`. */
export interface Rank {
  sql: string;
  names?: string;
}

/** A part of the rows that match a condition. */
export interface Branch {
  where: string;
  isSelective?: true;
  /** `rank` of all rows. They come before the rows of the next branch, which is read only if these do not fill the page. */
  rank?: number;
  /** SQL of `rank`, if it differs between the rows. */
  rowRank?: string;
}

/** A filter that is not derived from a column. */
export interface CustomFilter {
  type: () => object;
  description: string;
  /** `path` is the path of the value in the arguments, for error messages: `filter.or[0].near`. */
  // biome-ignore lint/suspicious/noExplicitAny: the value's type is that of `type`, which the schema has checked
  sql: (value: any, param: Param, caller: Caller, path: string) => Condition;
}

/** Geographic location of the rows of a record. */
export interface LocationOptions {
  /** Keys of the columns, in degrees. */
  latitude: string;
  longitude: string;
  /** Keys of further columns in the index. A list that uses only these columns in its conditions reads no rows that it does not return. */
  indexedColumns?: readonly string[];
  /** SQL condition for rows with a visible location, which is then rounded, built for `param.row`. Null: all rows, not rounded. Default: all rows. */
  visibleCondition?: (caller: Caller, param: Param) => string | null;
}

/**
 * Lists of keys that only some callers see. For other callers the lists are empty, also in filters and relations. Exception: every user can find the
 * rows that contain their own ID.
 */
export interface Restriction {
  /** Names of the fields. */
  fields: readonly string[];
  /** Columns that `canSee` reads. */
  columns: readonly string[];
  canSee: (row: Row, caller: Caller) => boolean;
  /** The same as SQL, built for `param.row`. Null if the caller sees the lists of all rows. */
  condition: (caller: Caller, param: Param) => string | null;
}

/** Root fields that the kernel generates for a record. */
export type RootField = 'one' | 'many' | 'create' | 'update' | 'upsert' | 'delete';

export interface OrderBy {
  /** Key of a column. */
  field: string;
  direction: 'ASC' | 'DESC';
}

/** Values of a record by column key, with groups flattened: `{ title: …, 'location.city': … }`. */
export type Values = Row;

/** Kind of write. An upsert creates or updates. */
export type WriteKind = 'create' | 'upsert' | 'update';

/** Name of an action on an existing row: `update`, `delete`, or an action that a module declares in its manifest. */
export type ActionName = string;

/** Permission rule for an action on a row. */
export interface ActionRule {
  /** Keys of the columns that `isAllowed` reads. */
  readonly columns: readonly string[];
  isAllowed(row: Row, context: Context): boolean | Promise<boolean>;
}

export interface RecordOptions {
  table: string;
  /** Names of the root fields: `team(id)`, `teams(…)`. The names of the mutations are derived from `one`. */
  one: string;
  many: string;
  /** Callers that may read it, at the root and through relations. */
  read: readonly Policy[];
  /** Callers that may create, update, upsert and delete it. */
  write: Writers;
  /** Permissions of handwritten mutations by action, if they differ from `write`. */
  actionRules?: Readonly<Record<ActionName, ActionRule>>;
  /** Whether the caller sees the private fields of a row. Default: never. */
  canSeePrivateFields?: (row: Row, caller: Caller) => boolean;
  /** Columns that `canSeePrivateFields` reads, in addition to the ID. */
  privateFieldColumns?: readonly string[];
  /** Callers that may read the list at the root. Default: `read`. */
  readList?: readonly Policy[];
  /** Callers that may read lists of it on other records, such as `Tournament.discountCodes`, and filter by them. Default: `read`. */
  readRelated?: readonly Policy[];
  /** GraphQL interfaces of its type, in addition to `Node`. */
  implements?: readonly (new () => object)[];
  /** Root fields that the kernel generates. Others are handwritten or absent. Default: all. */
  rootFields?: readonly RootField[];
  /**
   * Field with the owner of a row, if users see only their own rows: the ID of a user, or of a row of another record with an owner, such as the
   * invoice of an invoice item. Platforms see all rows.
   */
  ownerField?: string;
  /** SQL condition for rows that the caller sees in lists, by ID and through relations, built for `param.row`. Null or absent: all rows. */
  visibleCondition?: (caller: Caller, param: Param) => string | null;
  /**
   * The same for a past state of a row in the change log. Only the columns of `changesBy` are available, and related rows may have been deleted.
   * Default: `visibleCondition`.
   */
  historyCondition?: (caller: Caller, param: Param) => string | null;
  /**
   * Makes users visible to visitors if a public row refers to them. `columns` are the keys of the columns with their IDs. `isPublic` is the SQL
   * condition for public rows.
   */
  publicUsers?: { readonly columns: readonly string[]; readonly isPublic: (param: Param) => string };
  /** SQL condition for visible rows that lists contain. Other visible rows are found only by ID and by relations to one row. Default: all. */
  listCondition?: (caller: Caller, param: Param) => string | null;
  /** Its rows are the users of the service: `caller.user` has the ID of one. Exactly one record has this option. */
  isUser?: true;
  /** The rows are part of the service and never written. Relations to them are read from memory. */
  constant?: true;
  /** Natural key, by which an upsert without an ID finds its row (decision 21). */
  key?: readonly string[];
  /**
   * Key of a flag. While it is true, a write that would change or delete the row is a CONFLICT, unless a platform or a super admin sets it to
   * false. A write that repeats the values of the row returns it unchanged.
   */
  lock?: string;
  /** Optimistic locking: `version` counts the changes of a row. Updates and upserts with another `ifVersion` are a CONFLICT. */
  versioned?: true;
  /**
   * Keys of the columns whose values the audit trail records. A trigger adds an entry for each write, with the actor and the names of all changed
   * columns. The columns must not be secret or personal.
   */
  audited?: readonly string[];
  /**
   * Keys of the columns that the change log stores with each change, before and after it. Subscribers select changes by them, and they
   * determine the visibility of changes of deleted rows.
   */
  changeLogColumns?: readonly string[];
  /** Its writes are not in the change log. */
  unlogged?: true;
  /**
   * Field with the person that a row belongs to: the ID of a user, or of a row of another record with this option. When the user is erased, the
   * `personal` fields are cleared. With `deletesRows`, the rows are deleted instead.
   */
  person?: { readonly field: string; readonly deletesRows?: true };
  /** Tables that triggers fill from its rows. They change whenever the record changes. */
  derivedTables?: readonly string[];
  /** A trigger maintains the number of rows in `row_count`, so that totals of large tables are cheap. */
  hasRowCount?: true;
  /** Order of lists without `orderBy`. Default: newest first. */
  order?: readonly OrderBy[];
  /**
   * Orders in addition to those of the columns, by name in the graph. `sql` is a point in time, computed from the table, aliased `r`, and from
   * `readTables`.
   */
  orders?: Readonly<Record<string, { description: string; sql: string; readTables?: readonly string[] }>>;
  /** Filters that are not derived from columns. */
  filters?: Record<string, CustomFilter>;
  /** Location of its rows. Adds the filter `near`, the field `distance` and the order `DISTANCE`. */
  location?: LocationOptions;
  /** Keys of the texts that form its name. Adds the filter `search`. */
  names?: readonly string[];
  /**
   * The root field `search` finds its rows by name, venue and city. Triggers copy these texts to the table `search_text`. `nameKey` is the key
   * of the location column that names another record, such as a state.
   */
  search?: { readonly nameKey?: string };
  /**
   * Table for searches by name, filled by triggers. Columns: the ID, each name in lower case, `name` with all names, and the columns of the default
   * order. The table of the record then has no index for its names.
   */
  nameTable?: string;
  /**
   * Table with the words of these names, also filled by triggers. SQL functions search it: `<table>s_like`, `<table>s_named`, `<table>s_close` and
   * `<table>s_near`.
   */
  wordTable?: string;
  /**
   * SQL condition for rows that the root field `search` may find. The condition refers to the row by the alias `param.row`. Null or absent: all
   * rows that the caller sees.
   */
  searchable?: (caller: Caller, param: Param) => string | null;
  /** Whether the caller may look up a row by its ID or `nodeId`. By default, all rows that the caller sees. Relations and lists do not use it. */
  canLookUp?: (sql: Context['sql'], id: string) => Promise<boolean>;
  /** SQL of further indexes by name, with `TABLE` for the table. */
  indexes?: Record<string, string>;
  /** Returns values for new rows: codes, slugs, numbers. Called again with the next `attempt` if another row already has one of the values. */
  onInsert?: (values: Values, context: Context, attempt: number) => Values | Promise<Values>;
  /** Checks a new row that a user who writes only own rows creates, and returns the values that the service sets. Not called for updates. */
  onOwnerInsert?: (values: Values, context: Context) => Promise<Values>;
  /** Whether a user who writes only own rows may create this row for another user. Default: never. */
  createsForOther?: (values: Values, context: Context) => Promise<boolean>;
  /** Validates the values of a write. Its errors are reported together with those for wrong types and ranges. */
  check?: (values: Values, write: WriteKind) => void;
  /** Returns the values to write. Called for every create, update and upsert. */
  onSave?: (values: Values, context: Context, write: WriteKind) => Values | Promise<Values>;
  /** Lists of keys that only some callers see. */
  restriction?: Restriction;
  /** Called in the same transaction after an update or upsert has changed an existing row. */
  onChange?: Follower | readonly Follower[];
}

/** Handler for changes of some columns. */
export interface Follower {
  columns: readonly string[];
  /** Both rows contain the ID and the columns of all followers of the record. */
  onChange: (before: Row, after: Row, context: Context) => Promise<void>;
}
