import type { Caller } from './caller.js';
import type { Context } from './context.js';
import type { Policy } from './policy.js';
import type { Param, Row } from './row.js';
import type { Writers } from './writers.js';

/**
 * SQL over the record's table, aliased `r`. With `rank` (a float8, small first) the list is ordered by it, unless it asks for another order.
 * With `isFew` its rows are found by an index of its own and sorted: PostgreSQL would rather walk an index in the order asked for and
 * expects to meet such rows soon, though they may lie together at its end. `distance` is what the rows' field of that name tells then.
 * `branches` say the same as `where`: each row that it lets through meets one of them, so that each can be found by an index of its own.
 * `names` says the same over the record's name table, aliased `n`; branches are over that then, too.
 */
export type Condition =
  | string
  | { where: string; rank?: () => string; isFew?: true; distance?: string; branches?: readonly Branch[]; names?: string };

/** Some of the rows that a condition lets through. */
export interface Branch {
  where: string;
  isFew?: true;
  /** What `rank` is for all of them. They come before those of the next branch, which is looked at only where they do not fill a page. */
  rank?: number;
  /** SQL of what `rank` is for each of them, where it is not the same. */
  ranked?: string;
}

/** A filter beyond those of the columns. */
export interface CustomFilter {
  type: () => object;
  description: string;
  /** `path` is where in the arguments the value stands, for what it rejects: `filter.or[0].near`. */
  // biome-ignore lint/suspicious/noExplicitAny: the value's type is that of `type`, which the schema has checked
  sql: (value: any, param: Param, caller: Caller, path: string) => Condition;
}

/** Where on earth the rows of a record are. */
export interface Whereabouts {
  /** Keys of the columns with the degrees. */
  latitude: string;
  longitude: string;
  /** Keys of columns that its index has, too: where it has all that a list asks for, no row is read that is not shown. */
  beside?: readonly string[];
  /** Which rows let a caller know, and then only about where, as SQL over the table, aliased `r`; null for all, exactly. All by default. */
  shown?: (caller: Caller, param: Param) => string | null;
}

/**
 * Lists of keys that a row shows to some callers only. To the others they are empty, and neither filters nor the relations over them tell
 * who is in them: but everybody finds the rows that hold their own id.
 */
export interface Restriction {
  /** Names of the fields. */
  of: readonly string[];
  /** Columns that `shows` reads. */
  reads: readonly string[];
  shows: (row: Row, caller: Caller) => boolean;
  /** The same as SQL over the table, aliased `r`; null where the caller sees the lists of all rows. */
  where: (caller: Caller, param: Param) => string | null;
}

/** The operations that the kernel opens for a record. */
export type RootField = 'one' | 'many' | 'create' | 'update' | 'upsert' | 'delete';

export interface OrderBy {
  /** Key of a column. */
  field: string;
  direction: 'ASC' | 'DESC';
}

/** Values of a record by column key, groups unfolded: `{ title: …, 'location.city': … }`. */
export type Values = Row;

/** What is done to a row; an upsert may do either. */
export type WriteKind = 'create' | 'upsert' | 'update';

/** What a caller does with a row that is there, as far as apps show buttons for it. */
export type Doing = 'update' | 'delete' | 'approve' | 'register' | 'withdraw';

/** Whether a caller may do something with a row. */
export interface Can {
  /** Keys of the columns that it reads. */
  readonly reads: readonly string[];
  allows(row: Row, context: Context): boolean | Promise<boolean>;
}

export interface RecordOptions {
  table: string;
  /** Root fields: `team(id)`, `teams(…)`; the mutations take their names from `one`. */
  one: string;
  many: string;
  /** Who may read it, at the root and through relations. */
  read: readonly Policy[];
  /** Who creates, updates, upserts and deletes it. */
  write: Writers;
  /** What mutations that are written by hand let a caller do, where it is something else than `write` says. */
  can?: Readonly<Partial<Record<Doing, Can>>>;
  /** Who sees the private fields of a row; nobody unless it is stated. */
  shows?: (row: Row, caller: Caller) => boolean;
  /** Columns that `shows` reads, beside the id. */
  showsBy?: readonly string[];
  /** Who reads the list at the root, where fewer do than read one. */
  readList?: readonly Policy[];
  /** Callers that may read lists of it on other records, such as `Tournament.discountCodes`, and filter by them. Default: `read`. */
  readRelated?: readonly Policy[];
  /** Interfaces of the graph that its type has beside `Node`. */
  implements?: readonly (new () => object)[];
  /** Root fields that the kernel makes; the others are written by hand or absent. All by default. */
  rootFields?: readonly RootField[];
  /**
   * The field that says whose a row is, where users see no rows but their own: the id of a user, or of a row of another such record, as
   * the invoice is for its items. Platforms see all.
   */
  seenBy?: string;
  /** Which rows a caller sees, in lists, by id and through relations: SQL over the table, aliased `r`; null for all. All by default. */
  visible?: (caller: Caller, param: Param) => string | null;
  /**
   * The same of a row as it was, by the columns that its changes are found by (`changesBy`), where `visible` says more of one whose other rows are
   * gone since; like `visible` by default.
   */
  visibleThen?: (caller: Caller, param: Param) => string | null;
  /**
   * Rows that make players public to visitors: keys of the columns with the players, and SQL for the public rows, over the table with the given alias.
   */
  namesPlayers?: { readonly by: readonly string[]; readonly isPublic: (row: string) => string };
  /** Which of these rows lists have; the others are found by their ids and by what leads to one of them. SQL like that of `visible`; all by default. */
  listed?: (caller: Caller, param: Param) => string | null;
  /** Its rows come with the service and nobody writes them: relations to them are read from memory. */
  constant?: true;
  /** The natural key, by which an upsert without an id finds its row (decision 21). */
  key?: readonly string[];
  /**
   * Key of a flag. While it is true, a write that would change or delete the row is a CONFLICT, unless a platform or a super admin sets it to
   * false. A write that repeats the values of the row returns it unchanged.
   */
  lock?: string;
  /** It counts its changes in `version`, and updates and upserts take `ifVersion`: CONFLICT where another change came before. */
  versioned?: true;
  /**
   * A trigger notes each write of it in the audit, with who wrote: names of the columns that changed, and what these columns held, by their
   * keys. Nothing secret or personal stands among them.
   */
  audited?: readonly string[];
  /**
   * Keys of the columns by whose values those find a change who wait for changes of such rows, and by which it is known of a row that is gone
   * who saw it: they stand with each, before and after.
   */
  changesBy?: readonly string[];
  /** Its writes stand in no log of changes. */
  unlogged?: true;
  /**
   * The field that says which person's a row is: the id of a user, or of a row of another record that says so. When the person is erased the
   * rows go, or lose their fields that are `personal`.
   */
  person?: { readonly by: string; readonly goes?: true };
  /** Tables that triggers fill from its rows. A change of the record is a change of these tables. */
  derivedTables?: readonly string[];
  /** A trigger counts its rows (`row_count`), which takes no time however many there are. */
  counted?: true;
  /** Order of lists that ask for none; newest first by default. */
  order?: readonly OrderBy[];
  /** Orders in addition to those of the columns, by name in the graph. `sql` is a point in time, computed from the table, aliased `r`. */
  orders?: Readonly<Record<string, { description: string; sql: string }>>;
  /** Filters beyond those of the columns. */
  filters?: Record<string, CustomFilter>;
  /** What gives it the filter `near`, the field `distance` and an order by it. */
  place?: Whereabouts;
  /** Keys of the texts that together are its name: they give it the filter `search`, and a search over several records finds its rows by them. */
  names?: readonly string[];
  /**
   * The root field `search` finds its rows by the table `search_text`, which triggers keep up to date: by the name, and by the venue and city of
   * the location. `named` is the property of the location that names a record, such as a state.
   */
  search?: { readonly named?: string };
  /**
   * The table that keeps its names for those who look for them: the id, each name in lower case under the name of its column, all of them as
   * they are searched as `name`, and what lists are ordered by. Triggers fill it; the record has no index of its own for its names then.
   */
  nameTable?: string;
  /**
   * The table of the words of those names, which triggers fill, too. Functions of its name find in it: `<table>s_like`, `_named`, `_close` and
   * `_near`.
   */
  wordTable?: string;
  /** SQL condition for rows that the root field `search` may find, over the table, aliased `r`. Null or absent: all rows that the caller sees. */
  findable?: (caller: Caller, param: Param) => string | null;
  /** SQL of indexes beyond those of the fields, by name, with the table as `TABLE`. */
  indexes?: Record<string, string>;
  /** Values that only the creation of a row sets: codes, slugs, numbers. Called for new rows only, and again, with the next attempt, when another row took one of them. */
  onInsert?: (values: Values, context: Context, attempt: number) => Values | Promise<Values>;
  /** Checks a new row that a user who writes only own rows creates, and returns the values that the service sets. Not called for updates. */
  onOwnerInsert?: (values: Values, context: Context) => Promise<Values>;
  /** Whether a user who writes only own rows creates the new row of another user whom the values name. Never by default. */
  createsForOther?: (values: Values, context: Context) => Promise<boolean>;
  /** Rules of a write that need nothing but its values: what they reject is told together with what has a wrong type or is out of bounds. */
  check?: (values: Values, write: WriteKind) => void;
  /** Completes the values of every create, update and upsert. */
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
