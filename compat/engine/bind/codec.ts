import type { GraphQLSchema } from 'graphql';
import { objectMaker } from '../../../src/gateway/run.js';
import type { Codec, LegacyRecord } from './binding.js';
import { type BoundField, boundFieldsOf } from './bound-fields.js';
import { legacyField } from './graph-path.js';
import { type Data, isObject, type JsonSchema } from './json.js';
import { anything } from './kinds.js';
import { expected, joinedPath, named, Readings } from './mismatch.js';
import { readNamesOf } from './read-names.js';

/** Converts a GraphQL object to a legacy record. Null becomes the unset value of the field. */
function encoderOf(columns: readonly BoundField[]): Codec['encode'] {
  const constants: Record<string, unknown> = {};
  const properties = columns.flatMap(({ name, source, out: { encode, unset } }, index): [string, string][] => {
    if (!source) return [];
    Object.assign(constants, { [`get${index}`]: source.get, [`encode${index}`]: encode, [`unset${index}`]: unset });
    const found = source.names?.map((step) => `?.[${JSON.stringify(step)}]`).join('');
    const value = found ? `from${found}` : `get${index}(from)`;
    return [[name, `(value = ${value}) == null ? unset${index} : ${encode ? `encode${index}(value)` : 'value'}`]];
  });
  return objectMaker(properties, constants);
}

const nothing: ReadonlySet<string> = new Set();

/** Name of a field in a request: its own name, or else an alias. */
const sentName = (sent: Data, name: string, aliases: readonly string[]): string =>
  sent[name] === undefined ? (aliases.find((alias) => sent[alias] !== undefined) ?? name) : name;

function decoderOf(record: LegacyRecord, columns: readonly BoundField[]): Codec['decode'] {
  const { aliases, hiddenIn } = readNamesOf(record);
  const writers = columns.flatMap(({ name, in: { decode }, target }) =>
    target ? [{ name, aliases: aliases.get(name) ?? [], decode, ...target }] : [],
  );
  return (value, { omit = nothing, patch = false, reports = true, set = {} } = {}) => {
    if (!isObject(value)) return expected('an object');
    const input: Data = {};
    const readings = new Readings();
    const hidden = hiddenIn(value);
    for (const { name, aliases, decode, path, absent, isLasting, isReported, isFixedForOwner, put } of writers) {
      if (isReported && !reports) continue;
      const label = sentName(value, name, aliases);
      const given = set[name] ?? value[label];
      // The ID and required fields are never omitted.
      const isNeeded = path === 'id' ? given !== undefined : absent === undefined;
      const isOmitted = omit.has(name) || aliases.some((alias) => omit.has(alias));
      if (isOmitted && set[name] === undefined && !isNeeded) continue;
      if (given === undefined && (patch || hidden.has(name) || (isFixedForOwner && !reports))) continue;
      readings.try(() =>
        named(label, () => {
          const decoded = given === undefined || given === null ? null : decode(given);
          // The owner of a record does not change if a request omits it or sends an empty text (decision 46).
          if (isLasting && decoded === null) return;
          const taken = decoded ?? absent;
          put(input, taken === undefined ? expected('a value') : taken);
        }),
      );
    }
    readings.check(input);
    return input;
  };
}

function fragmentOf({ name, type }: LegacyRecord, columns: readonly BoundField[]): string | null {
  if (!type) return null;
  const selections = columns.map(({ source, out }) => source?.select(out.fragment ? `...${out.fragment}` : '')).filter(Boolean);
  return `fragment ${name} on ${type} { ${[...new Set(selections)].join(' ') || '__typename'} }`;
}

/** Matches `legacy.` before the last name of a path. */
const inLegacy = new RegExp(`\\b${legacyField}\\.(?=\\w+$)`);

function namesOf(columns: readonly BoundField[]): Map<string, string> {
  const names = new Map<string, string>();
  for (const {
    name,
    target,
    in: { names: inner },
  } of columns) {
    if (!target) continue;
    names.set(target.path, name);
    // GraphQL may report an error at the field itself although the request set the field in `legacy`.
    const shown = target.path.replace(inLegacy, '');
    if (shown !== target.path) names.set(shown, name);
    for (const [graph, legacy] of inner ?? []) names.set(joinedPath(target.path, graph), joinedPath(name, legacy));
  }
  return names;
}

function schemaOf(columns: readonly BoundField[], direction: 'out' | 'in'): JsonSchema {
  const present = columns.filter(({ source, target }) => (direction === 'out' ? source : target));
  const described = present.map((column) => {
    const description = direction === 'out' ? column.source?.description : column.target?.description;
    return [column.name, { ...column[direction].schema, ...(description ? { description } : {}) }];
  });
  const strict = direction === 'out' ? { required: present.map(({ name }) => name), additionalProperties: false } : {};
  return { type: 'object', properties: Object.fromEntries(described), ...strict };
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
  const columns = boundFieldsOf(schema, record, codecs, report);
  const encode = encoderOf(columns);
  const decode = decoderOf(record, columns);
  const names = namesOf(columns);
  return {
    record,
    fragment: fragmentOf(record, columns),
    encode,
    decode,
    names,
    shown: {
      ...anything,
      encode: (value) => encode(value as Data),
      schema: schemaRef(record, 'out'),
      fragment: record.name,
      problem: record.type ? undefined : `the record ${record.name} has no type to be shown with`,
    },
    taken: {
      ...anything,
      decode: (value) => decode(value),
      schema: schemaRef(record, 'in'),
      names,
      problem: record.input ? undefined : `the record ${record.name} has no input to be taken with`,
    },
    response: schemaOf(columns, 'out'),
    request: schemaOf(columns, 'in'),
  };
}

/** All records of the interface, bound to one schema. */
export interface Codecs {
  of(record: LegacyRecord): Codec;
  /** Finds a record by the name of its fragment. */
  named(fragment: string): Codec | undefined;
}

/** Binds records to a schema, including nested records. Each is bound on first use. */
export function codecsOf(
  schema: GraphQLSchema,
  records: readonly LegacyRecord[],
  report: (problem: string) => void,
  { lazily = false } = {},
): Codecs {
  const bound = new Map<LegacyRecord, Codec>();
  const byName = new Map<string, LegacyRecord>();
  const of = (record: LegacyRecord): Codec => {
    const known = bound.get(record);
    if (known) return known;
    const codec = codecOf(schema, record, of, report);
    bound.set(record, codec);
    const other = byName.get(record.name) ?? record;
    if (other !== record) report(`record ${record.name}: there are two tables of this name`);
    byName.set(record.name, record);
    return codec;
  };
  if (lazily) for (const record of records) byName.set(record.name, record);
  else for (const record of records) of(record);
  return {
    of,
    named(fragment) {
      const record = byName.get(fragment);
      return record && of(record);
    },
  };
}
