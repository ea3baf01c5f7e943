import type { GraphQLInputField } from 'graphql';
import type { PathSegment } from './graph-path.js';
import type { Data } from './json.js';
import type { ValueFormat } from './value-formats.js';

/** GraphQL path of a field, such as `location.city`. Two paths if responses and requests use different fields. */
export type FieldPath = string | { readonly read: string; readonly write: string };

/** Converts a legacy name to its GraphQL path. */
export type KeyNaming = (key: string) => string;

/** Fields of a legacy record, and the GraphQL fields that they represent. */
export interface RecordTable {
  /** GraphQL object type in responses. Omitted for records that only requests contain. */
  readonly type?: string;
  /** GraphQL input type in requests. Omitted for records that only responses contain. */
  readonly input?: string;
  /** Converts a legacy name to its GraphQL path. Default: `camel`. */
  readonly keys?: KeyNaming;
  /** Legacy names in the order of the interface document, separated by spaces. */
  readonly fields: string;
  /** GraphQL paths that override the result of `keys`, keyed by legacy name, such as `'location.city'` or `'images(first: 100).nodes'`. */
  readonly paths?: Readonly<Record<string, FieldPath>>;
  /**
   * Legacy name of the field that identifies the owner of a record. The field keeps its value if a request omits it, or sends null or an
   * empty string.
   */
  readonly owner?: string;
  /** Fields that keep their values if a request omits them, or sends null or an empty string. Separated by spaces. */
  readonly preserved?: string;
  /**
   * Records that represent the same data in responses. Requests may also use their field names, so clients can send a response back
   * unchanged.
   */
  readonly responseRecords?: readonly LegacyRecord[];
  /**
   * Shapes of the fields that have a different format in `/v1` than in GraphQL, keyed by legacy name. If a field has several shapes, each
   * shape changes the result of the previous shape.
   */
  readonly as?: Readonly<Record<string, FieldShape | readonly FieldShape[]>>;
}

/** A legacy record before it is bound to a GraphQL schema. */
export interface LegacyRecord extends Omit<RecordTable, 'fields' | 'keys'> {
  /** Name of the record and of its GraphQL fragment. */
  readonly name: string;
  readonly fields: readonly string[];
  readonly keys: KeyNaming;
}

/** Source of a response field: its GraphQL selection, and the function that reads its value. */
export interface FieldSource {
  /** Returns the GraphQL selection of the field. `inner` is the selection within the last field of the path. It is empty for scalars. */
  readonly select: (inner: string) => string;
  readonly get: (data: Data) => unknown;
  /** Names of the GraphQL fields along the path. Undefined if the path selects a list item, or if the value is computed. */
  readonly names?: readonly string[];
  /** Function that converts a computed value back to the GraphQL value at `path`. Undefined for values that are not computed. */
  readonly inverse?: { readonly path: string; readonly decode: (value: unknown) => unknown };
  readonly description?: string;
  /** Reason why the path is invalid. Undefined for a valid path. */
  readonly problem?: string;
}

/** GraphQL input field that a request field sets. */
export interface FieldTarget {
  readonly segments: readonly PathSegment[];
  readonly field?: GraphQLInputField;
  /** Whether only platforms and admins may set the field. */
  readonly isReported?: boolean;
  /** Whether the field is read-only for the owner of the record. */
  readonly isReadOnlyForOwner?: boolean;
  readonly problem?: string;
}

/** Binding of a legacy field to the GraphQL schema. Shapes can change it. */
export interface FieldDraft {
  /** Source of the field in responses. Null if responses do not contain the field. */
  readonly source: FieldSource | null;
  /** GraphQL field that the field sets in requests. Null if requests do not contain the field. */
  readonly target: FieldTarget | null;
  readonly responseFormat: ValueFormat;
  readonly requestFormat: ValueFormat;
}

/** A field of a legacy record, checked against the GraphQL schema. */
export interface BoundField {
  readonly name: string;
  readonly source: FieldSource | null;
  readonly responseFormat: ValueFormat;
  readonly requestFormat: ValueFormat;
  readonly target: {
    readonly path: string;
    readonly description: string | undefined;
    /** GraphQL value to set if a request omits the field or sends null. Undefined if GraphQL requires a value. */
    readonly defaultInput: unknown;
    /** Whether the field keeps its value if a request omits it, or sends null or an empty string. */
    readonly isPreserved: boolean;
    /** Whether only platforms and admins may set the field. Values from other callers are ignored. */
    readonly isReported: boolean;
    /** Whether the field is read-only for the owner of the record. It keeps its value if an owner omits it. */
    readonly isReadOnlyForOwner: boolean;
    readonly setValue: (input: Data, value: unknown) => void;
  } | null;
}

/** Options of `Codec.decode`. */
export interface DecodeOptions {
  /**
   * Legacy names of fields that keep their values, from `fieldsToOmit`. Has no effect on the ID, on required fields or on fields in `set`.
   */
  readonly omit?: ReadonlySet<string>;
  /** Whether missing fields keep their values. Default: false, which sets missing fields to their defaults (decision 3). */
  readonly patch?: boolean;
  /**
   * Whether the caller may set fields that only platforms and admins may set, such as the author of an earlier action. If false, these
   * fields are ignored. Default: true.
   */
  readonly canReport?: boolean;
  /** Values that replace the values in the request, keyed by legacy name. */
  readonly set?: Data;
}

/** Converts GraphQL objects to legacy records, and legacy records to GraphQL input. */
export interface Codec {
  readonly record: LegacyRecord;
  readonly fields: readonly BoundField[];
  /** Fragment definition, such as `fragment Team on Team { … }`. Null for a record that only requests contain. */
  readonly fragment: string | null;
  /** Converts a GraphQL object to a legacy record, with keys in the documented order. */
  readonly encode: (data: Data) => Data;
  /** Converts a legacy record to GraphQL input. Throws an `InvalidValueError` with all invalid values. */
  readonly decode: (value: unknown, options?: DecodeOptions) => Data;
  /** Legacy names keyed by GraphQL input path, for error messages. */
  readonly names: ReadonlyMap<string, string>;
  /** Formats of the record if it is nested in another record. */
  readonly responseFormat: ValueFormat;
  readonly requestFormat: ValueFormat;
}

/**
 * Changes the binding of a field. `field` returns the previous binding. If the shape does not call `field`, the legacy field needs no
 * corresponding GraphQL field.
 */
export type FieldShape = (field: () => FieldDraft, codecOf: (record: LegacyRecord) => Codec) => FieldDraft;
