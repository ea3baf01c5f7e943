import { type GraphQLType, getNamedType, getNullableType, isEnumType, isLeafType, isListType } from 'graphql';
import { normalizeInstant } from '../../../src/graphql/run.js';
import { instantExpectation, instantFrom } from './instant.js';
import { decimal, decimalText, type ExactNumber, isExact, isObject, type JsonSchema } from './json.js';
import { joinedPath, Mismatches, throwExpected, withParentName } from './mismatch.js';

/** Format of a value in requests and responses (section 2.0, decisions 3 to 5). */
export interface Kind {
  /** Unset value in responses. */
  readonly unset: unknown;
  /** Converts a GraphQL value, which is never null, for responses. Null: no conversion. */
  readonly encode: ((value: unknown) => unknown) | null;
  /** Converts a value of a request, which is never null, to GraphQL. Returns null for an unset value. Throws a `Mismatch`. */
  readonly decode: (value: unknown) => unknown;
  readonly schema: JsonSchema;
  /** Record whose fragment the selection uses. */
  readonly fragment?: string;
  /** Legacy names by GraphQL input path below this value. */
  readonly names?: ReadonlyMap<string, string>;
  /** Values of the GraphQL enum. */
  readonly values?: readonly string[];
  /** Why a field of this type needs a shape. */
  readonly problem?: string;
}

/** A schema that also permits null. */
export const orNull = (schema: JsonSchema): JsonSchema =>
  '$ref' in schema || 'enum' in schema
    ? { anyOf: [schema, { type: 'null' }] }
    : { ...schema, ...('type' in schema ? { type: [...new Set([schema.type, 'null'].flat())] } : {}) };

function plainText(value: string): string {
  if (value.includes('\0')) return throwExpected('text without NUL characters');
  // An incomplete surrogate pair would be stored as another character.
  return value.isWellFormed() ? value : throwExpected('well-formed Unicode text');
}

/** Numbers in JSON can be too large for a double, such as 1e400. */
const isNumber = (value: unknown): value is number | ExactNumber =>
  typeof value === 'number' ? Number.isFinite(value) : isExact(value);

/** Text. An empty text is unset. Requests may send a number instead. */
export const text: Kind = {
  unset: '',
  encode: null,
  decode(value) {
    if (typeof value === 'string') return value === '' ? null : plainText(value);
    return isNumber(value) ? decimalText(value) : throwExpected('a string');
  },
  schema: { type: 'string' },
};

/** Decimal text with all digits, from a number or its decimal text. */
function decimalDigits(value: unknown, expectation: string): string {
  if (typeof value === 'string') return decimal.test(value) ? value : throwExpected(expectation);
  return isNumber(value) ? decimalText(value) : throwExpected(expectation);
}

/** A number. Requests may send decimal text instead. */
export const number: Kind = {
  unset: 0,
  encode: null,
  decode(value) {
    const result = Number(decimalDigits(value, 'a number'));
    return Number.isFinite(result) ? result : throwExpected('a number');
  },
  schema: { type: 'number' },
};

const wholeExpectation = 'a whole number of 32 bits';

/** A 32-bit integer. Requests may send text instead. */
export const whole: Kind = {
  unset: 0,
  encode: null,
  decode(value) {
    const result = Number(decimalDigits(value, wholeExpectation));
    return Number.isInteger(result) && result >= -(2 ** 31) && result < 2 ** 31 ? result : throwExpected(wholeExpectation);
  },
  schema: { type: 'integer' },
};

/** Converts decimal text to a JSON number with all digits. */
function numberOf(value: unknown): unknown {
  const text = String(value);
  return String(Number(text)) === text ? Number(text) : JSON.rawJSON(text);
}

/** An exact decimal: text in GraphQL, and a number in `/v1`. No digits are lost. */
export const money: Kind = {
  ...number,
  encode: numberOf,
  decode(value) {
    const digits = decimalDigits(value, 'a number');
    if (typeof value === 'number') return value;
    return String(Number(digits)) === digits ? Number(digits) : digits;
  },
};

/** A boolean. */
export const flag: Kind = {
  unset: false,
  encode: null,
  decode: (value) => (typeof value === 'boolean' ? value : throwExpected('true or false')),
  schema: { type: 'boolean' },
};

const decodeInstant = (value: unknown): string =>
  (typeof value === 'string' ? instantFrom(value) : null) ?? throwExpected(instantExpectation);

/** A timestamp: ISO 8601 in requests, RFC 3339 in UTC in responses. Null if unset. */
export const instant: Kind = {
  unset: null,
  encode: null,
  decode: decodeInstant,
  schema: { type: ['string', 'null'], format: 'date-time' },
};

/** A local time, which `/v1` represents as an instant with the same time in UTC. */
export const localTime: Kind = {
  ...instant,
  encode: (value) => `${String(value)}Z`,
  decode(value) {
    const timestamp = decodeInstant(value);
    return (/z$/i.test(timestamp) ? timestamp : String(normalizeInstant(timestamp))).slice(0, -1);
  },
};

function checkDocument(value: unknown, depth: number): void {
  if (depth > 50) throwExpected('a value that is nested at most 50 levels deep');
  if (typeof value === 'string') plainText(value);
  else if (Array.isArray(value)) for (const item of value) checkDocument(item, depth + 1);
  else if (isObject(value)) {
    for (const [key, item] of Object.entries(value)) {
      plainText(key);
      checkDocument(item, depth + 1);
    }
  }
}

/** Any JSON, stored unchanged. */
export const anything: Kind = {
  unset: null,
  encode: null,
  decode(value) {
    checkDocument(value, 0);
    return value;
  },
  schema: {},
};

/** Expectation for error messages about permitted values. */
export const oneOf = (values: readonly (string | number)[]): string => `one of ${values.join(', ')}`;

/** A value of an enumeration. An empty text if unset. */
export const enumeration = (values: readonly string[]): Kind => ({
  unset: '',
  encode: null,
  decode(value) {
    if (value === '') return null;
    return typeof value === 'string' && values.includes(value) ? value : throwExpected(oneOf(values));
  },
  schema: { type: 'string', enum: ['', ...values] },
  values,
});

const emptyList: readonly unknown[] = Object.freeze([]);

/** A list of values with the same kind. */
export const arrayOf = (item: Kind): Kind => {
  const { encode } = item;
  return {
    unset: emptyList,
    encode: encode && ((values) => (values as unknown[]).map((value) => (value === null ? item.unset : encode(value)))),
    decode(values) {
      if (!Array.isArray(values)) return throwExpected('an array');
      const mismatches = new Mismatches();
      // Items cannot be unset, so an empty text stays an empty text.
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

const scalars: Readonly<Record<string, Kind>> = {
  String: text,
  ID: text,
  Int: whole,
  Float: number,
  Money: money,
  Boolean: flag,
  Instant: instant,
  LocalDateTime: localTime,
  JSON: anything,
  JSONObject: anything,
};

/** Default kind of a GraphQL type. */
export function kindOf(type: GraphQLType): Kind {
  const nullableType = getNullableType(type);
  if (isListType(nullableType)) return arrayOf(kindOf(nullableType.ofType));
  if (isEnumType(nullableType)) return enumeration(nullableType.getValues().map(({ name }) => name));
  const { name } = getNamedType(type);
  const scalarKind = scalars[name];
  if (scalarKind) return scalarKind;
  return {
    ...anything,
    problem: isLeafType(nullableType)
      ? `the scalar ${name} has no kind on the wire: give the field one under \`as\``
      : `${name} is an object: give the field nested(record) or listOf(record) under \`as\``,
  };
}
