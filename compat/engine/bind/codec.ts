import type { GraphQLSchema } from 'graphql';
import { objectMaker } from '../../../src/graphql/run.js';
import type { BoundField, Codec, LegacyRecord } from './binding.js';
import { boundFieldsOf } from './bound-fields.js';
import { legacyField } from './graph-path.js';
import { InvalidValues, joinedPath, throwInvalidValue, withParentName } from './invalid-value-error.js';
import { type Data, isObject, type JsonSchema } from './json.js';
import { requestNamesOf } from './request-names.js';
import { anyJson } from './value-formats.js';

/** Returns a function that converts GraphQL objects to legacy records. A null becomes the `unset` value of the field's format. */
function encoderOf(fields: readonly BoundField[]): Codec['encode'] {
  const constants: Record<string, unknown> = {};
  const properties = fields.flatMap(({ name, source, responseFormat: { encode, unset } }, index): [string, string][] => {
    if (!source) return [];
    Object.assign(constants, { [`get${index}`]: source.get, [`encode${index}`]: encode, [`unset${index}`]: unset });
    const accessors = source.names?.map((step) => `?.[${JSON.stringify(step)}]`).join('');
    const value = accessors ? `from${accessors}` : `get${index}(from)`;
    return [[name, `(value = ${value}) == null ? unset${index} : ${encode ? `encode${index}(value)` : 'value'}`]];
  });
  return objectMaker(properties, constants);
}

const noNames: ReadonlySet<string> = new Set();

/** Returns the name that a request uses for a field: its own name, or else the first alias that the body contains. */
const nameInRequest = (body: Data, name: string, aliases: readonly string[]): string =>
  body[name] === undefined ? (aliases.find((alias) => body[alias] !== undefined) ?? name) : name;

function decoderOf(record: LegacyRecord, fields: readonly BoundField[]): Codec['decode'] {
  const { aliases, keysToOmit } = requestNamesOf(record);
  const writers = fields.flatMap(({ name, requestFormat: { decode }, target }) =>
    target ? [{ name, aliases: aliases.get(name) ?? [], decode, ...target }] : [],
  );
  return (value, { omit = noNames, patch = false, canReport = true, set = {} } = {}) => {
    if (!isObject(value)) return throwInvalidValue('an object');
    const input: Data = {};
    const mismatches = new InvalidValues();
    const hidden = keysToOmit(value);
    for (const { name, aliases, decode, path, defaultInput, isPreserved, isReported, isReadOnlyForOwner, setValue } of writers) {
      if (isReported && !canReport) continue;
      const label = nameInRequest(value, name, aliases);
      const requestValue = set[name] ?? value[label];
      // `fieldsToOmit` has no effect on the ID or on required fields.
      const isNeeded = path === 'id' ? requestValue !== undefined : defaultInput === undefined;
      const isOmitted = omit.has(name) || aliases.some((alias) => omit.has(alias));
      if (isOmitted && set[name] === undefined && !isNeeded) continue;
      if (requestValue === undefined && (patch || hidden.has(name) || (isReadOnlyForOwner && !canReport))) continue;
      mismatches.tryRead(() =>
        withParentName(label, () => {
          const decodedValue = requestValue === undefined || requestValue === null ? null : decode(requestValue);
          // Owner fields and other preserved fields keep their values if a request omits them, or sends null or an empty string (decision 46).
          if (isPreserved && decodedValue === null) return;
          const inputValue = decodedValue ?? defaultInput;
          setValue(input, inputValue === undefined ? throwInvalidValue('a value') : inputValue);
        }),
      );
    }
    mismatches.throwIfAny(input);
    return input;
  };
}

function fragmentOf({ name, type }: LegacyRecord, fields: readonly BoundField[]): string | null {
  if (!type) return null;
  const selections = fields
    .map(({ source, responseFormat }) => source?.select(responseFormat.fragment ? `...${responseFormat.fragment}` : ''))
    .filter(Boolean);
  return `fragment ${name} on ${type} { ${[...new Set(selections)].join(' ') || '__typename'} }`;
}

/** Matches `legacy.` before the last name of a path. */
const legacyPrefix = new RegExp(`\\b${legacyField}\\.(?=\\w+$)`);

function namesOf(fields: readonly BoundField[]): Map<string, string> {
  const names = new Map<string, string>();
  for (const {
    name,
    target,
    requestFormat: { names: inner },
  } of fields) {
    if (!target) continue;
    names.set(target.path, name);
    // GraphQL can report an error for the field `x` although the request sets `legacy.x`.
    const plainPath = target.path.replace(legacyPrefix, '');
    if (plainPath !== target.path) names.set(plainPath, name);
    for (const [graph, legacy] of inner ?? []) names.set(joinedPath(target.path, graph), joinedPath(name, legacy));
  }
  return names;
}

/** Whether a record is part of a response or a request. */
export type Direction = 'response' | 'request';

/** Returns the name of a record's schema in OpenAPI documents. */
export const schemaName = ({ name }: LegacyRecord, direction: Direction): string =>
  direction === 'response' ? name : `${name}Request`;
/** Returns a reference to a record's schema in OpenAPI documents. */
export const schemaRef = (record: LegacyRecord, direction: Direction): JsonSchema => ({
  $ref: `#/components/schemas/${schemaName(record, direction)}`,
});

/** Returns the codec of a record. Calls `report` with each mismatch between the record and the GraphQL schema. */
function codecOf(
  schema: GraphQLSchema,
  record: LegacyRecord,
  codecFor: (record: LegacyRecord) => Codec,
  report: (problem: string) => void,
): Codec {
  const fields = boundFieldsOf(schema, record, codecFor, report);
  const encode = encoderOf(fields);
  const decode = decoderOf(record, fields);
  const names = namesOf(fields);
  return {
    record,
    fields,
    fragment: fragmentOf(record, fields),
    encode,
    decode,
    names,
    responseFormat: {
      ...anyJson,
      encode: (value) => encode(value as Data),
      schema: schemaRef(record, 'response'),
      fragment: record.name,
      problem: record.type ? undefined : `the record ${record.name} has no type, so it cannot be used in responses`,
    },
    requestFormat: {
      ...anyJson,
      decode: (value) => decode(value),
      schema: schemaRef(record, 'request'),
      names,
      problem: record.input ? undefined : `the record ${record.name} has no input type, so it cannot be used in requests`,
    },
  };
}

/** Codecs of all legacy records, for one GraphQL schema. */
export interface Codecs {
  get(record: LegacyRecord): Codec;
  /** Finds a codec by the name of its fragment. */
  findByFragment(fragment: string): Codec | undefined;
}

/**
 * Returns the codecs of records and of their nested records. Calls `report` with each mismatch between a record and the GraphQL schema.
 * With `isLazy`, each record is checked on first use.
 */
export function codecsOf(
  schema: GraphQLSchema,
  records: readonly LegacyRecord[],
  report: (problem: string) => void,
  { isLazy = false } = {},
): Codecs {
  const codecsByRecord = new Map<LegacyRecord, Codec>();
  const byName = new Map<string, LegacyRecord>();
  const get = (record: LegacyRecord): Codec => {
    const existingCodec = codecsByRecord.get(record);
    if (existingCodec) return existingCodec;
    const codec = codecOf(schema, record, get, report);
    codecsByRecord.set(record, codec);
    const registeredRecord = byName.get(record.name) ?? record;
    if (registeredRecord !== record) report(`record ${record.name}: two record tables have this name`);
    byName.set(record.name, record);
    return codec;
  };
  if (isLazy) for (const record of records) byName.set(record.name, record);
  else for (const record of records) get(record);
  return {
    get: get,
    findByFragment(fragment) {
      const record = byName.get(fragment);
      return record && get(record);
    },
  };
}
