import { type GraphQLType, getNamedType, getNullableType, isEnumType, isLeafType, isListType } from 'graphql';
import { normalizeInstant } from '../../../src/graphql/run.js';
import { instantExpectation, instantFrom } from './instant.js';
import { InvalidValues, joinedPath, throwInvalidValue, withParentName } from './invalid-value-error.js';
import { decimalPattern, decimalText, isObject, isRawNumber, type JsonSchema, type RawNumber } from './json.js';

/** Format of a value in `/v1` requests and responses (section 2.0, decisions 3 to 5). */
export interface ValueFormat {
  /** Value that responses contain instead of a GraphQL null. */
  readonly unset: unknown;
  /** Converts a non-null GraphQL value to its response value. Null if both values have the same format. */
  readonly encode: ((value: unknown) => unknown) | null;
  /**
   * Converts a non-null request value to a GraphQL value. Returns null if the value is unset, such as an empty string. Throws an
   * `InvalidValueError` for an invalid value.
   */
  readonly decode: (value: unknown) => unknown;
  readonly schema: JsonSchema;
  /** Name of the fragment that selects the value. Undefined for scalars. */
  readonly fragment?: string;
  /** Legacy names keyed by GraphQL input path, relative to this value. */
  readonly names?: ReadonlyMap<string, string>;
  /** Values of the GraphQL enum. Undefined for other types. */
  readonly values?: readonly string[];
  /** Reason why a field of this type needs a shape. Undefined if the type needs no shape. */
  readonly problem?: string;
}

/** Returns a JSON Schema that also permits null. */
export const orNull = (schema: JsonSchema): JsonSchema =>
  '$ref' in schema || 'enum' in schema
    ? { anyOf: [schema, { type: 'null' }] }
    : { ...schema, ...('type' in schema ? { type: [...new Set([schema.type, 'null'].flat())] } : {}) };

function plainText(value: string): string {
  if (value.includes('\0')) return throwInvalidValue('text without NUL characters');
  // A lone surrogate would be stored as another character.
  return value.isWellFormed() ? value : throwInvalidValue('well-formed Unicode text');
}

/** Whether a value is a finite number. JSON can contain numbers that are too large for a double, such as 1e400. */
const isNumber = (value: unknown): value is number | RawNumber =>
  typeof value === 'number' ? Number.isFinite(value) : isRawNumber(value);

/** A string. An empty string means null. Requests may send a number instead. */
export const text: ValueFormat = {
  unset: '',
  encode: null,
  decode(value) {
    if (typeof value === 'string') return value === '' ? null : plainText(value);
    return isNumber(value) ? decimalText(value) : throwInvalidValue('a string');
  },
  schema: { type: 'string' },
};

/** Converts a number, or a string in decimal notation, to decimal text with all digits. */
function decimalDigits(value: unknown, expectation: string): string {
  if (typeof value === 'string') return decimalPattern.test(value) ? value : throwInvalidValue(expectation);
  return isNumber(value) ? decimalText(value) : throwInvalidValue(expectation);
}

/** A number. Requests may send a string in decimal notation instead. */
export const number: ValueFormat = {
  unset: 0,
  encode: null,
  decode(value) {
    const result = Number(decimalDigits(value, 'a number'));
    return Number.isFinite(result) ? result : throwInvalidValue('a number');
  },
  schema: { type: 'number' },
};

const integerExpectation = 'a whole number of 32 bits';

/** A 32-bit integer. Requests may send a string in decimal notation instead. */
export const integer: ValueFormat = {
  unset: 0,
  encode: null,
  decode(value) {
    const result = Number(decimalDigits(value, integerExpectation));
    return Number.isInteger(result) && result >= -(2 ** 31) && result < 2 ** 31 ? result : throwInvalidValue(integerExpectation);
  },
  schema: { type: 'integer' },
};

/** Converts decimal text to a JSON number without losing digits. */
function numberOf(value: unknown): unknown {
  const text = String(value);
  return String(Number(text)) === text ? Number(text) : JSON.rawJSON(text);
}

/** An exact decimal: a string in GraphQL, and a number with all digits in `/v1`. */
export const money: ValueFormat = {
  ...number,
  encode: numberOf,
  decode(value) {
    const digits = decimalDigits(value, 'a number');
    if (typeof value === 'number') return value;
    return String(Number(digits)) === digits ? Number(digits) : digits;
  },
};

/** A boolean. */
export const flag: ValueFormat = {
  unset: false,
  encode: null,
  decode: (value) => (typeof value === 'boolean' ? value : throwInvalidValue('true or false')),
  schema: { type: 'boolean' },
};

const decodeInstant = (value: unknown): string =>
  (typeof value === 'string' ? instantFrom(value) : null) ?? throwInvalidValue(instantExpectation);

/** A timestamp: ISO 8601 in requests, and RFC 3339 in UTC in responses. Null if no timestamp is set. */
export const instant: ValueFormat = {
  unset: null,
  encode: null,
  decode: decodeInstant,
  schema: { type: ['string', 'null'], format: 'date-time' },
};

/** A local date and time. `/v1` represents it as a timestamp with the same date and time in UTC. */
export const localTime: ValueFormat = {
  ...instant,
  encode: (value) => `${String(value)}Z`,
  decode(value) {
    const timestamp = decodeInstant(value);
    return (/z$/i.test(timestamp) ? timestamp : String(normalizeInstant(timestamp))).slice(0, -1);
  },
};

function checkDocument(value: unknown, depth: number): void {
  if (depth > 50) throwInvalidValue('a value that is nested at most 50 levels deep');
  if (typeof value === 'string') plainText(value);
  else if (Array.isArray(value)) for (const item of value) checkDocument(item, depth + 1);
  else if (isObject(value)) {
    for (const [key, item] of Object.entries(value)) {
      plainText(key);
      checkDocument(item, depth + 1);
    }
  }
}

/** Any JSON value that is nested at most 50 levels deep. It is stored unchanged. */
export const anyJson: ValueFormat = {
  unset: null,
  encode: null,
  decode(value) {
    checkDocument(value, 0);
    return value;
  },
  schema: {},
};

/** Returns the list of permitted values, for error messages. */
export const oneOf = (values: readonly (string | number)[]): string => `one of ${values.join(', ')}`;

/** A value of an enum. Null becomes an empty string. */
export const enumeration = (values: readonly string[]): ValueFormat => ({
  unset: '',
  encode: null,
  decode(value) {
    if (value === '') return null;
    return typeof value === 'string' && values.includes(value) ? value : throwInvalidValue(oneOf(values));
  },
  schema: { type: 'string', enum: ['', ...values] },
  values,
});

const emptyList: readonly unknown[] = Object.freeze([]);

/** An array of values with the same format. */
export const arrayOf = (item: ValueFormat): ValueFormat => {
  const { encode } = item;
  return {
    unset: emptyList,
    encode: encode && ((values) => (values as unknown[]).map((value) => (value === null ? item.unset : encode(value)))),
    decode(values) {
      if (!Array.isArray(values)) return throwInvalidValue('an array');
      const mismatches = new InvalidValues();
      // Items cannot be null, so an empty string does not become null.
      const decodedItems = values.map((value, index) =>
        mismatches.tryRead(() => withParentName(`[${index}]`, () => item.decode(value) ?? value)),
      );
      mismatches.throwIfAny();
      return decodedItems;
    },
    schema: { type: 'array', items: item.schema },
    fragment: item.fragment,
    names: item.names && new Map([...item.names].map(([graph, legacy]) => [joinedPath('[]', graph), joinedPath('[]', legacy)])),
    problem: item.problem,
  };
};

const scalars: Readonly<Record<string, ValueFormat>> = {
  String: text,
  ID: text,
  Int: integer,
  Float: number,
  Money: money,
  Boolean: flag,
  Instant: instant,
  LocalDateTime: localTime,
  JSON: anyJson,
  JSONObject: anyJson,
};

/** Returns the default format of a GraphQL type. */
export function formatOf(type: GraphQLType): ValueFormat {
  const nullableType = getNullableType(type);
  if (isListType(nullableType)) return arrayOf(formatOf(nullableType.ofType));
  if (isEnumType(nullableType)) return enumeration(nullableType.getValues().map(({ name }) => name));
  const { name } = getNamedType(type);
  const scalarKind = scalars[name];
  if (scalarKind) return scalarKind;
  return {
    ...anyJson,
    problem: isLeafType(nullableType)
      ? `the scalar ${name} has no default format: add the field to \`as\` with a shape`
      : `${name} is an object: add the field to \`as\` with nested(record) or listOf(record)`,
  };
}
