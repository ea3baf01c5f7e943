import type { BoundField, Codec, LegacyRecord } from '../engine/bind/binding.js';
import type { Codecs } from '../engine/bind/codec.js';
import { legacyField } from '../engine/bind/graph-path.js';
import { type Data, isObject } from '../engine/bind/json.js';

/** Record in a response of the legacy interface, converted to stored values. */
export interface DecodedRecord {
  /** GraphQL type. */
  readonly type: string;
  /**
   * Stored values, keyed by GraphQL path without `legacy`, such as `location.city`. A nested record or list of records consists of
   * `DecodedRecord` objects. Fields that the response does not contain are missing.
   */
  readonly values: ReadonlyMap<string, unknown>;
}

/** Reads legacy records of one kind. */
export interface RecordReader {
  /** Whether the records contain their ID. */
  readonly hasId: boolean;
  /** Whether the records contain other records. */
  readonly hasNested: boolean;
  readonly read: (item: Data) => DecodedRecord;
}

/** Field of a response, with the GraphQL path of its value. */
interface ReadableField {
  readonly name: string;
  readonly path: string;
  readonly field: BoundField;
}

const pathOf = ({ source }: BoundField): string | null =>
  source?.inverse?.path ?? source?.names?.filter((name) => name !== legacyField).join('.') ?? null;

/** Converts a response value to the stored value. Values that do not have the documented format are returned unchanged. */
function decodeValue({ source, responseFormat, requestFormat }: BoundField, value: unknown): unknown {
  if (value === null) return null;
  if (source?.inverse) return source.inverse.decode(value);
  if (value === responseFormat.unset && typeof value !== 'boolean') return null;
  try {
    return requestFormat.decode(value);
  } catch {
    // The import reports invalid values, with the table and the ID.
    return value;
  }
}

/**
 * Returns a reader of legacy records of one kind. The reader is the inverse of the response encoder, and uses the same declarations of
 * fields, GraphQL paths and formats.
 */
export function recordReader(codecs: Codecs, records: readonly LegacyRecord[], record: LegacyRecord): RecordReader {
  const codec = codecs.get(record);
  const fields = codec.fields.flatMap((field): ReadableField[] => {
    if (!field.source) return [];
    // A field can be computed in this record and have a path in another record of the same type.
    const readable = pathOf(field) === null ? siblingOf(codecs, records, codec, field.name) : field;
    const path = readable && pathOf(readable);
    return readable && path !== null ? [{ name: field.name, path, field: readable }] : [];
  });
  const readers = new Map<string, RecordReader>();
  const readNested = (fragment: string, value: unknown): unknown => {
    const nested = codecs.findByFragment(fragment);
    if (!nested) return null;
    const reader = readers.get(fragment) ?? recordReader(codecs, records, nested.record);
    readers.set(fragment, reader);
    if (Array.isArray(value)) return value.filter(isObject).map(reader.read);
    return isObject(value) ? reader.read(value) : null;
  };
  const read = (item: Data): DecodedRecord => ({
    type: record.type ?? '',
    values: new Map(
      fields.flatMap(({ name, path, field }) => {
        const [value, { fragment }] = [item[name], field.responseFormat];
        if (value === undefined) return [];
        return [[path, fragment === undefined ? decodeValue(field, value) : readNested(fragment, value)]];
      }),
    ),
  });
  return {
    hasId: fields.some(({ path }) => path === 'id'),
    hasNested: fields.some(({ field }) => field.responseFormat.fragment !== undefined),
    read,
  };
}

/** Returns a field with the given name and a GraphQL path, from another record of the same type. */
function siblingOf(codecs: Codecs, records: readonly LegacyRecord[], codec: Codec, name: string): BoundField | null {
  const siblings = records.filter(({ type }) => type === codec.record.type).flatMap((record) => codecs.get(record).fields);
  return siblings.find((field) => field.name === name && pathOf(field) !== null) ?? null;
}
