import type { GraphQLInputField } from 'graphql';
import type { PathStep } from './graph-path.js';
import type { Data, JsonSchema } from './json.js';
import type { KeyNaming } from './keys.js';
import type { Kind } from './kinds.js';

/** GraphQL path of a field, with dots. Two paths if they differ for reads and writes. */
export type Path = string | { readonly read: string; readonly write: string };

/** Definition of a legacy record. */
export interface RecordTable {
  /** GraphQL object type of responses. Missing for records that are only in requests. */
  readonly type?: string;
  /** GraphQL input type of requests. Missing for records that are only in responses. */
  readonly input?: string;
  /** Converts a legacy key to the name of its GraphQL field. Default: `camel`. */
  readonly keys?: KeyNaming;
  /** Legacy names in the order of the interface document, separated by spaces. */
  readonly fields: string;
  /**
   * GraphQL paths that do not follow from the key, such as `'location.city'` or `'images(first: 100).nodes'`.
   */
  readonly paths?: Readonly<Record<string, Path>>;
  /** The field with the owner of a record. It keeps its value if a request omits it, or sends null or an empty text. */
  readonly owner?: string;
  /** Fields that keep their value if a request omits them or sends null, separated by spaces. */
  readonly preserved?: string;
  /**
   * Records that show the same rows in responses. Requests may also use their field names, so that clients can send a record back as they read it.
   */
  readonly responseRecords?: readonly LegacyRecord[];
  /** Overrides the `/v1` format of fields that differ from their GraphQL type. In a list, each shape wraps the one before it. */
  readonly as?: Readonly<Record<string, FieldShape | readonly FieldShape[]>>;
}

/** A legacy record that is not bound to a schema yet. Its name is the name of its fragment. */
export interface LegacyRecord extends Omit<RecordTable, 'fields' | 'keys'> {
  readonly name: string;
  readonly fields: readonly string[];
  readonly keys: KeyNaming;
}

/** Source of a field in responses. */
export interface Origin {
  /** Selection for the field, around the fragment of a nested record. Empty if nothing is selected. */
  readonly select: (inner: string) => string;
  readonly get: (data: Data) => unknown;
  /** Field names on the path, if it does not contain a list item. */
  readonly names?: readonly string[];
  readonly description?: string;
  /** Why the path is invalid. */
  readonly problem?: string;
}

/** Target of a field in requests. */
export interface Target {
  readonly steps: readonly PathStep[];
  readonly field?: GraphQLInputField;
  /** Whether only platforms and admins may set it. */
  readonly isReported?: boolean;
  /** Whether owners of a row may not change it. */
  readonly isFixedForOwner?: boolean;
  readonly problem?: string;
}

/** Definition of a field, which shapes can change. */
export interface FieldDraft {
  /** Null: the field is not in responses. */
  readonly source: Origin | null;
  /** Null: the field is not in requests. */
  readonly target: Target | null;
  readonly out: Kind;
  readonly in: Kind;
}

/** Options for reading a record in a request. */
export interface DecodeOptions {
  /** Legacy names of fields that keep their values (fieldsToOmit). The ID and fields in `set` are always read, because they identify the record. */
  readonly omit?: ReadonlySet<string>;
  /** Whether missing fields keep their values. Otherwise they get their defaults (decision 3). */
  readonly patch?: boolean;
  /** Whether the caller may set fields about earlier actions of others. Otherwise they are omitted. */
  readonly canReport?: boolean;
  /** Values that take precedence over those in the request, by legacy name. */
  readonly set?: Data;
}

/** A legacy record bound to a schema. */
export interface Codec {
  readonly record: LegacyRecord;
  /** Fragment definition, such as `fragment Team on Team { … }`. Null for a record that is only in requests. */
  readonly fragment: string | null;
  /** Converts a GraphQL object to the legacy record, with keys in the documented order. */
  readonly encode: (data: Data) => Data;
  /** Converts a legacy record to GraphQL input. Throws a `Mismatch` with all invalid values. */
  readonly decode: (value: unknown, reading?: DecodeOptions) => Data;
  /** Legacy names by path of the GraphQL input, for error messages. */
  readonly names: ReadonlyMap<string, string>;
  /** Formats of the record as a nested value, in responses and in requests. */
  readonly responseKind: Kind;
  readonly requestKind: Kind;
  readonly response: JsonSchema;
  readonly request: JsonSchema;
}

/** Changes the format of a field. `field` derives the default from GraphQL. A shape that does not call it needs no GraphQL field. */
export type FieldShape = (field: () => FieldDraft, codecOf: (record: LegacyRecord) => Codec) => FieldDraft;
