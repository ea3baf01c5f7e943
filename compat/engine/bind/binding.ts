import type { GraphQLInputField } from 'graphql';
import type { PathStep } from './graph-path.js';
import type { Data, JsonSchema } from './json.js';
import type { KeyNaming } from './keys.js';
import type { Kind } from './kinds.js';

/** Where a field lives in the graph: one dotted path, or two where reading and writing differ. */
export type Path = string | { readonly read: string; readonly write: string };

/** What a legacy record is: a rule and its exceptions. */
export interface RecordTable {
  /** The graph's object type, from which responses are made; a record that is only ever sent has none. */
  readonly type?: string;
  /** The graph's input type, which requests become; a record that is only ever returned has none. */
  readonly input?: string;
  /** From a legacy key to its graph field; `camel` unless said otherwise. */
  readonly keys?: KeyNaming;
  /** The legacy names in the order of the interface document, between spaces. */
  readonly fields: string;
  /**
   * Fields whose place does not follow from the key, dotted for nested objects: `'location.city'`, `'images(first: 100).nodes'`.
   */
  readonly paths?: Readonly<Record<string, Path>>;
  /** The field that says whose a record is: a request that leaves it out, or sends null or an empty text, leaves it as it is. */
  readonly owner?: string;
  /** Fields that keep their value if a request leaves them out or sends null, between spaces. */
  readonly lasting?: string;
  /**
   * Records that show the same rows in responses. Requests may use their names of the fields, too, so that a record can be sent back as it was
   * read.
   */
  readonly readAs?: readonly LegacyRecord[];
  /** Fields whose form does not follow from the graph's type: one shape, or several from the inside out. */
  readonly as?: Readonly<Record<string, FieldShape | readonly FieldShape[]>>;
}

/** A legacy record before it meets a schema. Its name is that of its fragment. */
export interface LegacyRecord extends Omit<RecordTable, 'fields' | 'keys'> {
  readonly name: string;
  readonly fields: readonly string[];
  readonly keys: KeyNaming;
}

/** Where a response takes a field from. */
export interface Origin {
  /** What is selected for it, around the spread of a nested record; empty where nothing is. */
  readonly select: (inner: string) => string;
  readonly get: (data: Data) => unknown;
  /** The names on the way there, where it leads through no item of a list. */
  readonly names?: readonly string[];
  readonly description?: string;
  /** Why there is no such place. */
  readonly problem?: string;
}

/** Where a request's field goes to. */
export interface Target {
  readonly steps: readonly PathStep[];
  readonly field?: GraphQLInputField;
  /** What the graph takes from platforms and admins only. */
  readonly isReported?: boolean;
  /** Owners of a row cannot change this field in the graph. */
  readonly isFixedForOwner?: boolean;
  readonly problem?: string;
}

/** One field between table and schema: what shapes change. */
export interface Draft {
  /** Null: responses leave it out. */
  readonly source: Origin | null;
  /** Null: requests are not asked for it. */
  readonly target: Target | null;
  readonly out: Kind;
  readonly in: Kind;
}

/** How a request's record is read. */
export interface Reading {
  /** Legacy names that are left alone (fieldsToOmit), except for the id sent and what is set: they say which record is meant. */
  readonly omit?: ReadonlySet<string>;
  /** Absent fields are left alone, too; else they are set to their defaults (decision 3). */
  readonly patch?: boolean;
  /** The caller may tell what others did before a record came; else that is left out. */
  readonly reports?: boolean;
  /** Values that win over what was sent, by legacy name. */
  readonly set?: Data;
}

/** A legacy record bound to a schema: everything that follows from its table. */
export interface Codec {
  readonly record: LegacyRecord;
  /** `fragment Team on Team { … }`; null for a record that is never returned. */
  readonly fragment: string | null;
  /** A graph object as the legacy record, keys in the document's order. */
  readonly encode: (data: Data) => Data;
  /** A legacy record as the graph's input. Throws a Mismatch that names all that is wrong. */
  readonly decode: (value: unknown, reading?: Reading) => Data;
  /** From paths of the graph's input to legacy names, for messages. */
  readonly names: ReadonlyMap<string, string>;
  /** As a value inside another record's response, and inside its request. */
  readonly shown: Kind;
  readonly taken: Kind;
  readonly response: JsonSchema;
  readonly request: JsonSchema;
}

/** Changes how one field travels. `field` derives it from the graph; a shape that does not call it needs no place in the graph. */
export type FieldShape = (field: () => Draft, codecOf: (record: LegacyRecord) => Codec) => Draft;
