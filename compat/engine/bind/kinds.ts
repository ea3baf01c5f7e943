import { type GraphQLType, getNamedType, getNullableType, isEnumType, isLeafType, isListType } from 'graphql';
import { normalizeInstant } from '../../../src/gateway/run.js';
import { instantForm, instantFrom } from './instant.js';
import { decimal, decimalText, type Exact, isExact, isObject, type JsonSchema } from './json.js';
import { expected, joinedPath, named, Readings } from './mismatch.js';

/** How one value travels on the wire (section 2.0, decisions 3 to 5). */
export interface Kind {
  /** What an unset value looks like in a response. */
  readonly unset: unknown;
  /** The graph's value, never null, as the wire carries it; null where both are the same. */
  readonly encode: ((value: unknown) => unknown) | null;
  /** A value of a request, never null, as the graph takes it; null where it means unset. Throws a Mismatch. */
  readonly decode: (value: unknown) => unknown;
  readonly schema: JsonSchema;
  /** The record whose fragment is spread where this value is selected. */
  readonly fragment?: string;
  /** From the names of the graph's input, below this value, to the legacy ones. */
  readonly names?: ReadonlyMap<string, string>;
  /** The values of the graph's enumeration. */
  readonly values?: readonly string[];
  /** Why a field of this type cannot travel as it stands. */
  readonly problem?: string;
}

/** A schema that null satisfies as well. */
export const orNull = (schema: JsonSchema): JsonSchema =>
  '$ref' in schema || 'enum' in schema
    ? { anyOf: [schema, { type: 'null' }] }
    : { ...schema, ...('type' in schema ? { type: [...new Set([schema.type, 'null'].flat())] } : {}) };

function plainText(value: string): string {
  if (value.includes('\0')) return expected('text without NUL characters');
  // Half of a surrogate pair would be stored as another character.
  return value.isWellFormed() ? value : expected('well-formed Unicode text');
}

/** JSON has numbers that are too large to be one, such as 1e400. */
const isNumber = (value: unknown): value is number | Exact =>
  typeof value === 'number' ? Number.isFinite(value) : isExact(value);

/** Text; an empty one is an unset one, and a number is taken by its digits. */
export const text: Kind = {
  unset: '',
  encode: null,
  decode(value) {
    if (typeof value === 'string') return value === '' ? null : plainText(value);
    return isNumber(value) ? decimalText(value) : expected('a string');
  },
  schema: { type: 'string' },
};

/** A number, or the decimal text of one, as text that has every digit. */
function digits(value: unknown, form: string): string {
  if (typeof value === 'string') return decimal.test(value) ? value : expected(form);
  return isNumber(value) ? decimalText(value) : expected(form);
}

/** A number, or the decimal text of one. */
export const number: Kind = {
  unset: 0,
  encode: null,
  decode(value) {
    const result = Number(digits(value, 'a number'));
    return Number.isFinite(result) ? result : expected('a number');
  },
  schema: { type: 'number' },
};

const wholeForm = 'a whole number of 32 bits';

/** A whole number of 32 bits, or the text of one. */
export const whole: Kind = {
  unset: 0,
  encode: null,
  decode(value) {
    const result = Number(digits(value, wholeForm));
    return Number.isInteger(result) && result >= -(2 ** 31) && result < 2 ** 31 ? result : expected(wholeForm);
  },
  schema: { type: 'integer' },
};

/** A decimal text as a JSON number, digit by digit. */
function numberOf(value: unknown): unknown {
  const text = String(value);
  return String(Number(text)) === text ? Number(text) : JSON.rawJSON(text);
}

/** An exact decimal, which is text in the graph and a number on the wire; digits that a double would lose go to the graph as text. */
export const money: Kind = {
  ...number,
  encode: numberOf,
  decode(value) {
    const exact = digits(value, 'a number');
    if (typeof value === 'number') return value;
    return String(Number(exact)) === exact ? Number(exact) : exact;
  },
};

/** True or false. */
export const flag: Kind = {
  unset: false,
  encode: null,
  decode: (value) => (typeof value === 'boolean' ? value : expected('true or false')),
  schema: { type: 'boolean' },
};

const sentInstant = (value: unknown): string => (typeof value === 'string' ? instantFrom(value) : null) ?? expected(instantForm);

/** A timestamp: ISO 8601 in requests, RFC 3339 in UTC in responses; null while it is unset. */
export const instant: Kind = {
  unset: null,
  encode: null,
  decode: sentInstant,
  schema: { type: ['string', 'null'], format: 'date-time' },
};

/** A local time, on the wire the instant at which the clocks of UTC show it. */
export const localTime: Kind = {
  ...instant,
  encode: (value) => `${String(value)}Z`,
  decode(value) {
    const sent = sentInstant(value);
    return (/z$/i.test(sent) ? sent : String(normalizeInstant(sent))).slice(0, -1);
  },
};

function checkDocument(value: unknown, depth: number): void {
  if (depth > 50) expected('a value that is nested at most 50 levels deep');
  if (typeof value === 'string') plainText(value);
  else if (Array.isArray(value)) for (const item of value) checkDocument(item, depth + 1);
  else if (isObject(value)) {
    for (const [key, item] of Object.entries(value)) {
      plainText(key);
      checkDocument(item, depth + 1);
    }
  }
}

/** Any JSON, kept as it is sent. */
export const anything: Kind = {
  unset: null,
  encode: null,
  decode(value) {
    checkDocument(value, 0);
    return value;
  },
  schema: {},
};

/** What was expected where only some values are allowed. */
export const oneOf = (values: readonly (string | number)[]): string => `one of ${values.join(', ')}`;

/** One of the values of an enumeration; an empty text while it is unset. */
export const enumeration = (values: readonly string[]): Kind => ({
  unset: '',
  encode: null,
  decode(value) {
    if (value === '') return null;
    return typeof value === 'string' && values.includes(value) ? value : expected(oneOf(values));
  },
  schema: { type: 'string', enum: ['', ...values] },
  values,
});

const none: readonly unknown[] = Object.freeze([]);

/** A list of values of one kind. */
export const arrayOf = (item: Kind): Kind => {
  const { encode } = item;
  return {
    unset: none,
    encode: encode && ((values) => (values as unknown[]).map((value) => (value === null ? item.unset : encode(value)))),
    decode(values) {
      if (!Array.isArray(values)) return expected('an array');
      const readings = new Readings();
      // An element has no unset: an empty text stays one.
      const decoded = values.map((value, index) => readings.try(() => named(`[${index}]`, () => item.decode(value) ?? value)));
      readings.check();
      return decoded;
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

/** The kind that a graph type has unless its table says otherwise. */
export function kindOf(type: GraphQLType): Kind {
  const bare = getNullableType(type);
  if (isListType(bare)) return arrayOf(kindOf(bare.ofType));
  if (isEnumType(bare)) return enumeration(bare.getValues().map(({ name }) => name));
  const { name } = getNamedType(type);
  const known = scalars[name];
  if (known) return known;
  return {
    ...anything,
    problem: isLeafType(bare)
      ? `the scalar ${name} has no kind on the wire: give the field one under \`as\``
      : `${name} is an object: give the field nested(record) or listOf(record) under \`as\``,
  };
}
