import type { Context } from '../context.js';
import type { RowReference, SqlExpression } from '../expression.js';
import type { Caller } from '../policy/caller.js';
import type { Policy } from '../policy/policy.js';
import type { Writers } from '../policy/writers.js';
import type { Row } from '../row.js';

/**
 * Condition of a filter on a row of the record.
 *
 * - `rank` is the default order of the list: a float8, smallest first.
 * - `isSelective` means that few rows match. They are read with the index of the condition, and sorted afterward. Otherwise, PostgreSQL
 * may scan the index of the order, which is slow if all matches are at its end.
 * - `distance` is the value of the field `distance`.
 * - `branches` are together equivalent to `where`: a row matches `where` if it matches any branch. Each branch can use a separate index.
 * - `names` is the same condition on the name table of the record, with the alias `n`. If it is set, the branches are conditions on
 * the name table.
 */
export interface FilterCondition {
  where: SqlExpression;
  rank?: () => Rank;
  isSelective?: true;
  distance?: SqlExpression;
  branches?: readonly Branch[];
  names?: SqlExpression;
}

/** SQL expressions that rank rows: `sql` for the table of the record, `names` for its name table with the alias `n`. */
export interface Rank {
  sql: SqlExpression;
  names?: SqlExpression;
}

/** Subset of the rows that match a condition. */
export interface Branch {
  where: SqlExpression;
  isSelective?: true;
  /** Rank of all rows in the branch. The next branch is read only if these rows do not fill the page. */
  rank?: number;
  /** SQL expression for the rank, if the rank differs between rows. */
  rowRank?: SqlExpression;
}

/** Filter that is not derived from a column. */
export interface CustomFilter {
  type: () => object;
  description: string;
  /** Builds the condition. `path` is the path of the value in the arguments, such as `filter.or[0].near`. Error messages contain it. */
  // biome-ignore lint/suspicious/noExplicitAny: GraphQL has checked the value against `type`
  sql: (value: any, row: RowReference, caller: Caller, path: string) => SqlExpression | FilterCondition;
}

/** Geographic location of a record's rows. */
export interface LocationOptions {
  /** Keys of the columns with the latitude and longitude, in degrees. */
  latitude: string;
  longitude: string;
  /**
   * Keys of other columns in the index. If a list has conditions only on these columns, PostgreSQL reads only the rows that the list
   * returns.
   */
  indexedColumns?: readonly string[];
  /**
   * SQL condition for rows that the caller can find by location. If there is a condition, the filter `near` uses rounded locations. Null if
   * the caller can find all rows by their exact locations. Default: null.
   */
  visibleCondition?: (caller: Caller, row: RowReference) => SqlExpression | null;
}

/**
 * Lists of IDs that only some callers see. For other callers, the lists are empty, including in filters and relations. Exception: all users
 * can find the rows that contain their own ID.
 */
export interface IdListRestriction {
  /** Names of the fields. */
  fields: readonly string[];
  /** Columns that `canSee` reads. */
  columns: readonly string[];
  canSee: (row: Row, caller: Caller) => boolean;
  /** SQL condition that is equivalent to `canSee`. Null if the caller sees the lists of all rows. */
  condition: (caller: Caller, row: RowReference) => SqlExpression | null;
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

/** Kind of write. An upsert creates or updates a row. */
export type WriteKind = 'create' | 'upsert' | 'update';

/** Name of an action on an existing row: `update`, `delete`, or an action that a module declares in its manifest. */
export type ActionName = string;

/** Permission rule for an action on a row. */
export interface ActionRule {
  /** Keys of the columns that `isAllowed` reads. */
  readonly columns: readonly string[];
  isAllowed(row: Row, context: Context): boolean | Promise<boolean>;
}

/** Rows of another record type. They are deleted together with the row that they refer to. */
export interface Dependent {
  /** Name of the related record type. It is a name instead of a class, because the class would cause a circular import. */
  readonly record: string;
  /** Key of the column that refers to the row by its ID. */
  readonly idKey: string;
  /** For polymorphic references: the key of the column that contains the record type, and the value of this column for this record. */
  readonly type?: { readonly key: string; readonly value: string };
}

export interface RecordOptions {
  table: string;
  /** Names of the root fields, such as `team` and `teams`. The names of the mutations are derived from `one`. */
  one: string;
  many: string;
  /** Callers with permission to read the record, at the root and through relations. */
  read: readonly Policy[];
  /** Callers with permission to create, update, upsert and delete rows. */
  write: Writers;
  /** Permission rules for handwritten mutations, keyed by action, if they differ from `write`. */
  actionRules?: Readonly<Record<ActionName, ActionRule>>;
  /** Whether the caller sees the private fields of a row. Default: no caller sees them. */
  canSeePrivateFields?: (row: Row, caller: Caller) => boolean;
  /** Columns that `canSeePrivateFields` reads, in addition to the ID. */
  privateFieldColumns?: readonly string[];
  /** Callers with permission to read the list at the root. Default: `read`. */
  readList?: readonly Policy[];
  /**
   * Callers with permission to read lists of this record on other records, such as `Tournament.discountCodes`, and to filter by them.
   * Default: `read`.
   */
  readRelated?: readonly Policy[];
  /** GraphQL interfaces that the type of the record implements, in addition to `Node`. */
  implements?: readonly (new () => object)[];
  /** Root fields that the kernel generates. Default: all. */
  rootFields?: readonly RootField[];
  /**
   * Field that contains the owner of a row, if users see only their own rows. Its value is a user ID, or the ID of a row that has an owner,
   * such as the invoice of an invoice item.
   */
  ownerField?: string;
  /** Callers who see the rows of all owners. Requires `ownerField`. Default: platforms. */
  readAll?: readonly Policy[];
  /** SQL condition for rows that the caller sees, in lists, by ID and through relations. Null or absent: all rows. */
  visibleCondition?: (caller: Caller, row: RowReference) => SqlExpression | null;
  /**
   * SQL condition for the past row states that the caller sees in the change log. It can use only the `changeLogColumns`, and related rows
   * may have been deleted. Default: `visibleCondition`.
   */
  historyCondition?: (caller: Caller, row: RowReference) => SqlExpression | null;
  /**
   * Makes users visible to visitors if a public row refers to them. `columns` are the keys of the columns that contain user IDs. `isPublic`
   * is the SQL condition for public rows.
   */
  publicUsers?: { readonly columns: readonly string[]; readonly isPublic: (row: RowReference) => SqlExpression };
  /**
   * SQL condition for the visible rows that appear in lists. The other visible rows can be reached only by ID or through to-one relations.
   * Default: all rows.
   */
  listCondition?: (caller: Caller, row: RowReference) => SqlExpression | null;
  /** The rows are the users of the service, which `caller.user` refers to. Exactly one record has this option. */
  isUser?: true;
  /** The rows are part of the release and are never written. Relations to them are read from memory. */
  constant?: true;
  /** Columns of the natural key. An upsert without an ID finds the row by this key (decision 21). */
  key?: readonly string[];
  /**
   * Key of the flag column that locks the row. While the flag is true, the row cannot be changed or deleted (CONFLICT). Only platforms and
   * super admins can unlock it, by setting the flag to false. A write that repeats the values of the row returns it unchanged.
   */
  lock?: string;
  /**
   * Optimistic locking. `version` counts the changes to a row. Updates and upserts fail with CONFLICT if `ifVersion` is not the current
   * version.
   */
  versioned?: true;
  /**
   * Keys of the columns whose values are in the audit trail. A trigger adds an entry for each write, with these values, the actor and the
   * names of all changed columns. The columns must not be secret or personal.
   */
  audited?: readonly string[];
  /**
   * Keys of the columns whose values are in the change log, before and after each change. Subscribers select changes by these values. They
   * also determine who sees the changes to deleted rows.
   */
  changeLogColumns?: readonly string[];
  /** Writes to the record are not added to the change log. */
  unlogged?: true;
  /**
   * Field that contains the person that a row belongs to. Its value is a user ID, or the ID of a row of another record that has this
   * option. When the user is erased, the `personal` fields are cleared. With `deletesRows`, the rows are deleted instead.
   */
  person?: { readonly field: string; readonly deletesRows?: true };
  /** Rows of other records that are deleted together with rows of the record. */
  dependents?: readonly Dependent[];
  /** Tables that triggers fill from the rows of the record. These tables change whenever the record changes. */
  derivedTables?: readonly string[];
  /** A trigger maintains the row count in the table `row_count`, so that the totals of large tables are cheap. */
  hasRowCount?: true;
  /** Order of lists without `orderBy`. Default: newest first. */
  order?: readonly OrderBy[];
  /**
   * Orders that are not derived from columns, keyed by their name in the graph. `sql` returns an expression for a point in time.
   */
  orders?: Readonly<Record<string, { description: string; sql: (row: RowReference) => SqlExpression }>>;
  /** Filters that are not derived from columns. */
  filters?: Record<string, CustomFilter>;
  /** Geographic location of the rows. Adds the filter `near`, the field `distance` and the order `DISTANCE`. */
  location?: LocationOptions;
  /** Keys of the columns that form the name of a row. Adds the filter `search`. */
  names?: readonly string[];
  /**
   * The root field `search` finds the rows by name, venue and city. Triggers copy these texts to the table `search_text`. `nameKey` is the
   * key of the location column that contains the name of another record, such as a state.
   */
  search?: { readonly nameKey?: string };
  /**
   * Table for searches by name, filled by triggers. Its columns are the ID, each name in lower case, `name` with all names, and the columns
   * of the default order. With this option, the table of the record has no index for names.
   */
  nameTable?: string;
  /**
   * Table with the words of the names in `nameTable`, filled by triggers. The SQL functions `<table>s_like`, `<table>s_named`,
   * `<table>s_close` and `<table>s_near` search this table.
   */
  wordTable?: string;
  /** SQL condition for rows that the root field `search` can return. Null or absent: all rows that the caller sees. */
  searchable?: (caller: Caller, row: RowReference) => SqlExpression | null;
  /**
   * Whether the caller may look up a row by its ID or `nodeId`. Default: all rows that the caller sees. Does not apply to relations and
   * lists.
   */
  canLookUp?: (sql: Context['sql'], id: string) => Promise<boolean>;
  /**
   * Additional indexes, keyed by the suffix of the index name. Each value is the end of a `create index` statement, such as `using hash
   * (title)`.
   */
  indexes?: Record<string, string>;
  /**
   * Returns generated values for a new row, such as a slug. If another row has one of the values, the function is called again with the
   * next `attempt`.
   */
  onInsert?: (values: Values, context: Context, attempt: number) => Values | Promise<Values>;
  /** Checks a row that its owner creates and returns the values that the service sets. Not called for updates. */
  onOwnerInsert?: (values: Values, context: Context) => Promise<Values>;
  /** Whether a user who may write only their own rows may create this row for another user. Default: no. */
  createsForOther?: (values: Values, context: Context) => Promise<boolean>;
  /** Validates the values of a write. Its problems are reported together with type and range errors. */
  check?: (values: Values, write: WriteKind) => void;
  /** Returns the values to write. Called for every create, update and upsert. */
  onSave?: (values: Values, context: Context, write: WriteKind) => Values | Promise<Values>;
  /** Lists of IDs that only some callers see. */
  restriction?: IdListRestriction;
  /** Functions that are called in the same transaction, after an update or upsert has changed an existing row. */
  onChange?: ChangeHook | readonly ChangeHook[];
}

/** Function that is called when at least one of the `columns` of a row has changed. */
export interface ChangeHook {
  columns: readonly string[];
  /** Both rows contain the ID and the columns of all hooks that the record declares. */
  onChange: (before: Row, after: Row, context: Context) => Promise<void>;
}
