import type { GraphQLSchema } from 'graphql';
import { objectMaker } from '../../../src/graphql/run.js';
import type { Codec, LegacyRecord } from './binding.js';
import { type BoundField, boundFieldsOf } from './bound-fields.js';
import { legacyField } from './graph-path.js';
import { type Data, isObject, type JsonSchema } from './json.js';
import { anything } from './kinds.js';
import { joinedPath, Mismatches, throwExpected, withParentName } from './mismatch.js';
import { requestNamesOf } from './request-names.js';

/** Converts a GraphQL object to a legacy record. Null becomes the unset value of the field. */
function encoderOf(fields: readonly BoundField[]): Codec['encode'] {
  const constants: Record<string, unknown> = {};
  const properties = fields.flatMap(({ name, source, out: { encode, unset } }, index): [string, string][] => {
    if (!source) return [];
    Object.assign(constants, { [`get${index}`]: source.get, [`encode${index}`]: encode, [`unset${index}`]: unset });
    const accessors = source.names?.map((step) => `?.[${JSON.stringify(step)}]`).join('');
    const value = accessors ? `from${accessors}` : `get${index}(from)`;
    return [[name, `(value = ${value}) == null ? unset${index} : ${encode ? `encode${index}(value)` : 'value'}`]];
  });
  return objectMaker(properties, constants);
}

const noNames: ReadonlySet<string> = new Set();

/** Name of a field in a request: its own name, or else an alias. */
const nameInRequest = (body: Data, name: string, aliases: readonly string[]): string =>
  body[name] === undefined ? (aliases.find((alias) => body[alias] !== undefined) ?? name) : name;

function decoderOf(record: LegacyRecord, fields: readonly BoundField[]): Codec['decode'] {
  const { aliases, omittedBy } = requestNamesOf(record);
  const writers = fields.flatMap(({ name, in: { decode }, target }) =>
    target ? [{ name, aliases: aliases.get(name) ?? [], decode, ...target }] : [],
  );
  return (value, { omit = noNames, patch = false, canReport = true, set = {} } = {}) => {
    if (!isObject(value)) return throwExpected('an object');
    const input: Data = {};
    const mismatches = new Mismatches();
    const hidden = omittedBy(value);
    for (const { name, aliases, decode, path, defaultInput, isPreserved, isReported, isFixedForOwner, setValue } of writers) {
      if (isReported && !canReport) continue;
      const label = nameInRequest(value, name, aliases);
      const requestValue = set[name] ?? value[label];
      // The ID and required fields are never omitted.
      const isNeeded = path === 'id' ? requestValue !== undefined : defaultInput === undefined;
      const isOmitted = omit.has(name) || aliases.some((alias) => omit.has(alias));
      if (isOmitted && set[name] === undefined && !isNeeded) continue;
      if (requestValue === undefined && (patch || hidden.has(name) || (isFixedForOwner && !canReport))) continue;
      mismatches.tryRead(() =>
        withParentName(label, () => {
          const decodedValue = requestValue === undefined || requestValue === null ? null : decode(requestValue);
          // The owner of a record does not change if a request omits it or sends an empty text (decision 46).
          if (isPreserved && decodedValue === null) return;
          const inputValue = decodedValue ?? defaultInput;
          setValue(input, inputValue === undefined ? throwExpected('a value') : inputValue);
        }),
      );
    }
    mismatches.throwIfAny(input);
    return input;
  };
}

function fragmentOf({ name, type }: LegacyRecord, fields: readonly BoundField[]): string | null {
  if (!type) return null;
  const selections = fields.map(({ source, out }) => source?.select(out.fragment ? `...${out.fragment}` : '')).filter(Boolean);
  return `fragment ${name} on ${type} { ${[...new Set(selections)].join(' ') || '__typename'} }`;
}

/** Matches `legacy.` before the last name of a path. */
const inLegacy = new RegExp(`\\b${legacyField}\\.(?=\\w+$)`);

function namesOf(fields: readonly BoundField[]): Map<string, string> {
  const names = new Map<string, string>();
  for (const {
    name,
    target,
    in: { names: inner },
  } of fields) {
    if (!target) continue;
    names.set(target.path, name);
    // GraphQL may report an error at the field itself although the request set the field in `legacy`.
    const plainPath = target.path.replace(inLegacy, '');
    if (plainPath !== target.path) names.set(plainPath, name);
    for (const [graph, legacy] of inner ?? []) names.set(joinedPath(target.path, graph), joinedPath(name, legacy));
  }
  return names;
}

function schemaOf(fields: readonly BoundField[], direction: 'out' | 'in'): JsonSchema {
  const includedFields = fields.filter(({ source, target }) => (direction === 'out' ? source : target));
  const properties = includedFields.map((column) => {
    const description = direction === 'out' ? column.source?.description : column.target?.description;
    return [column.name, { ...column[direction].schema, ...(description ? { description } : {}) }];
  });
  const strictKeywords =
    direction === 'out' ? { required: includedFields.map(({ name }) => name), additionalProperties: false } : {};
  return { type: 'object', properties: Object.fromEntries(properties), ...strictKeywords };
}

/** Name of the schema of a record in OpenAPI documents. */
export const schemaName = ({ name }: LegacyRecord, direction: 'out' | 'in'): string =>
  direction === 'out' ? name : `${name}Request`;
export const schemaRef = (record: LegacyRecord, direction: 'out' | 'in'): JsonSchema => ({
  $ref: `#/components/schemas/${schemaName(record, direction)}`,
});

/** Binds a record to a schema. Problems go to `report`. */
export function codecOf(
  schema: GraphQLSchema,
  record: LegacyRecord,
  codecs: (record: LegacyRecord) => Codec,
  report: (problem: string) => void,
): Codec {
  const fields = boundFieldsOf(schema, record, codecs, report);
  const encode = encoderOf(fields);
  const decode = decoderOf(record, fields);
  const names = namesOf(fields);
  return {
    record,
    fragment: fragmentOf(record, fields),
    encode,
    decode,
    names,
    responseKind: {
      ...anything,
      encode: (value) => encode(value as Data),
      schema: schemaRef(record, 'out'),
      fragment: record.name,
      problem: record.type ? undefined : `the record ${record.name} has no type to be shown with`,
    },
    requestKind: {
      ...anything,
      decode: (value) => decode(value),
      schema: schemaRef(record, 'in'),
      names,
      problem: record.input ? undefined : `the record ${record.name} has no input to be taken with`,
    },
    response: schemaOf(fields, 'out'),
    request: schemaOf(fields, 'in'),
  };
}

/** All records of the interface, bound to one schema. */
export interface Codecs {
  of(record: LegacyRecord): Codec;
  /** Finds a record by the name of its fragment. */
  byFragment(fragment: string): Codec | undefined;
}

/** Binds records to a schema, including nested records. Each is bound on first use. */
export function codecsOf(
  schema: GraphQLSchema,
  records: readonly LegacyRecord[],
  report: (problem: string) => void,
  { lazily = false } = {},
): Codecs {
  const codecsByRecord = new Map<LegacyRecord, Codec>();
  const byName = new Map<string, LegacyRecord>();
  const of = (record: LegacyRecord): Codec => {
    const existingCodec = codecsByRecord.get(record);
    if (existingCodec) return existingCodec;
    const codec = codecOf(schema, record, of, report);
    codecsByRecord.set(record, codec);
    const sameName = byName.get(record.name) ?? record;
    if (sameName !== record) report(`record ${record.name}: there are two tables of this name`);
    byName.set(record.name, record);
    return codec;
  };
  if (lazily) for (const record of records) byName.set(record.name, record);
  else for (const record of records) of(record);
  return {
    of,
    byFragment(fragment) {
      const record = byName.get(fragment);
      return record && of(record);
    },
  };
}
