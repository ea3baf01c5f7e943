import { instantExpectation, instantFrom, instantOfUnix, timestampFormat } from '../bind/instant.js';
import { InvalidValues, throwInvalidValue, withParentName } from '../bind/invalid-value-error.js';
import { type Data, isObject, type JsonSchema } from '../bind/json.js';
import * as formats from '../bind/value-formats.js';
import { type LegacyRequest, type Reader, readerAt, type ValueLocation } from './reader.js';

/** Minimum and maximum of a number, inclusive. */
export interface Range {
  readonly min?: number;
  readonly max?: number;
}

type Parse<T> = (rawValue: unknown) => T | undefined;

/** Functions that parse values. They return undefined for a missing value and throw an `InvalidValueError` for an invalid value. */
interface Parsers {
  text: Parse<string>;
  bool: Parse<boolean>;
  number: Parse<number>;
  list: Parse<readonly string[]>;
}

const firstText = (rawValue: unknown): string => String(Array.isArray(rawValue) ? rawValue[0] : rawValue);
const numberPattern = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,3})?$/i;
const booleans: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);
const datePattern = /^\d{4}-\d{2}-\d{2}$/;
const undefinedIfNull = <T>(value: unknown): T | undefined => (value ?? undefined) as T | undefined;

/** Splits comma-separated text and trims the items. */
export const splitAtCommas = (text: string): string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean);

/**
 * Parsers of text in paths, queries and headers. Empty text counts as missing. If a parameter is repeated, lists contain all of its values,
 * and other types use the first value (decision 6).
 */
const textParsers: Parsers = {
  text: (rawValue) => undefinedIfNull(formats.text.decode(firstText(rawValue))),
  bool(rawValue) {
    const text = firstText(rawValue);
    return text === '' ? undefined : (booleans.get(text.toLowerCase()) ?? throwInvalidValue('true, false, 1 or 0'));
  },
  number(rawValue) {
    const text = firstText(rawValue);
    if (text === '') return undefined;
    return numberPattern.test(text) && Number.isFinite(Number(text)) ? Number(text) : throwInvalidValue('a number');
  },
  list(rawValue) {
    const distinct = [...new Set([rawValue].flat().flatMap((text) => splitAtCommas(String(text))))];
    for (const item of distinct) formats.text.decode(item);
    return distinct.length ? distinct : undefined;
  },
};

const strings = formats.arrayOf(formats.text);

/** Parsers of JSON values in bodies. */
const jsonParsers: Parsers = {
  text: (rawValue) => undefinedIfNull(formats.text.decode(rawValue)),
  bool: (rawValue) => undefinedIfNull(formats.flag.decode(rawValue)),
  number: (rawValue) => undefinedIfNull(formats.number.decode(rawValue)),
  list: (rawValue) => undefinedIfNull(strings.decode(rawValue)),
};

function checkRange(value: number, { min = -Infinity, max = Infinity }: Range, noun: string): number {
  if (value >= min && value <= max) return value;
  if (max === Infinity) return throwInvalidValue(`${noun} of at least ${min}`);
  return throwInvalidValue(min === -Infinity ? `${noun} of at most ${max}` : `${noun} from ${min} to ${max}`);
}

const rangeKeywords = ({ min, max }: Range): JsonSchema => ({
  ...(min === undefined ? {} : { minimum: min }),
  ...(max === undefined || max === Infinity ? {} : { maximum: max }),
});
const int32: Range = { min: -(2 ** 31), max: 2 ** 31 - 1 };

/** Functions that create readers of values in one location of a request. */
export interface Readers {
  text(name: string): Reader<string>;
  /** A boolean: `true`, `false`, `1` or `0`, case-insensitive. In a body, a JSON boolean. */
  bool(name: string): Reader<boolean>;
  /** True for the text `true`. Other values count as missing. */
  isTrue(name: string): Reader<true>;
  /** A boolean filter that applies only if it is true. `false` counts as missing. */
  flag(name: string): Reader<true>;
  /** Array with the values of all true parameters: `flags({ sanction_ppa: 'PPA' })`. The array is missing if no parameter is true. */
  flags<T>(values: Readonly<Record<string, T>>): Reader<T[]>;
  /** An integer. Default range: 32 bits. */
  int(name: string, range?: Range): Reader<number>;
  num(name: string, range?: Range): Reader<number>;
  /** Distinct strings, comma-separated or in repeated parameters. In a body, an array of strings. */
  list(name: string): Reader<readonly string[]>;
  /** A timestamp in Unix seconds. */
  unix(name: string): Reader<string>;
  /**
   * A timestamp in ISO 8601 or Unix seconds. A date without a time means the `first` or `last` instant of that day in UTC. Default:
   * `first`.
   */
  instant(name: string, ofDay?: 'first' | 'last'): Reader<string>;
  /** One of several case-insensitive values. An object maps them to GraphQL values: `oneOf('item_type', { 61: 'SPONSOR' })`. */
  oneOf(name: string, values: readonly string[] | Readonly<Record<string, string>>): Reader<string>;
}

function readersAt(location: ValueLocation, get: (request: LegacyRequest, name: string) => unknown, parsers: Parsers): Readers {
  const reader = <T>(name: string, schema: JsonSchema, parse: Parse<T>) =>
    readerAt(location, name, schema, (request) => get(request, name), parse);
  const text = (name: string) => reader(name, { type: 'string' }, parsers.text);
  const unixOf = (seconds: number | undefined) =>
    seconds === undefined ? undefined : (instantOfUnix(seconds) ?? throwInvalidValue('Unix seconds'));
  return {
    text,
    bool: (name: string) => reader(name, { type: 'boolean' }, parsers.bool),
    isTrue: (name: string) => reader(name, { type: 'boolean' }, (rawValue) => firstText(rawValue) === 'true' || undefined),
    flag: (name: string) => reader(name, { type: 'boolean' }, (rawValue) => parsers.bool(rawValue) || undefined),
    flags<T>(values: Readonly<Record<string, T>>): Reader<T[]> {
      const readers = Object.entries(values).map(
        ([name, item]) => [reader(name, { type: 'boolean' }, parsers.bool), item] as const,
      );
      return {
        parameters: readers.flatMap(([reader]) => reader.parameters),
        names: () => new Map(),
        compile(codecs) {
          const readFunctions = readers.map(([reader, item]) => [reader.compile(codecs), item] as const);
          return (request) => {
            const mismatches = new InvalidValues();
            const enabledValues = readFunctions
              .filter(([read]) => mismatches.tryRead(() => read(request)))
              .map(([, item]) => item);
            mismatches.throwIfAny();
            return enabledValues.length ? enabledValues : undefined;
          };
        },
      };
    },
    int: (name: string, range: Range = {}) =>
      reader(name, { type: 'integer', ...rangeKeywords(range) }, (rawValue) => {
        const number = parsers.number(rawValue);
        if (number === undefined) return undefined;
        return Number.isInteger(number)
          ? checkRange(number, { ...int32, ...range }, 'a whole number')
          : throwInvalidValue('a whole number');
      }),
    num: (name: string, range: Range = {}) =>
      reader(name, { type: 'number', ...rangeKeywords(range) }, (rawValue) => {
        const number = parsers.number(rawValue);
        return number === undefined ? undefined : checkRange(number, range, 'a number');
      }),
    list: (name: string) => reader(name, { type: 'array', items: { type: 'string' } }, parsers.list),
    unix: (name: string) => reader(name, { type: 'integer' }, (rawValue) => unixOf(parsers.number(rawValue))),
    instant: (name: string, ofDay: 'first' | 'last' = 'first') =>
      reader(name, { type: 'string', format: timestampFormat }, (rawValue) => {
        // An unescaped plus sign in a URL arrives as a space. The lookbehind is the last part of the pattern, because at the start it would
        // take minutes for a long text with many spaces.
        const text = parsers.text(rawValue)?.replace(/ (?=\d\d(?::?\d\d)?$)(?<=T.*)/i, '+');
        if (text === undefined) return undefined;
        if (numberPattern.test(text)) return unixOf(Number(text));
        const timestamp = ofDay === 'last' && datePattern.test(text) ? `${text}T23:59:59.999999Z` : text;
        return instantFrom(timestamp) ?? throwInvalidValue(`${instantExpectation}, or Unix seconds`);
      }),
    oneOf(name: string, values: readonly string[] | Readonly<Record<string, string>>) {
      const pairs = Array.isArray(values)
        ? values.map((item) => [item, item] as const)
        : Object.entries(values as Readonly<Record<string, string>>);
      const graphValues = new Map(pairs.map(([legacy, graph]) => [legacy.toLowerCase(), graph]));
      const names = pairs.map(([legacy]) => legacy);
      return reader(name, { type: 'string', enum: names }, (rawValue) => {
        const text = parsers.text(rawValue);
        return text === undefined ? undefined : (graphValues.get(text.toLowerCase()) ?? throwInvalidValue(formats.oneOf(names)));
      });
    },
  };
}

/** Returns functions that create readers of text. `path('uuid')` is short for `path.text('uuid')`. */
const textReaders = (
  location: ValueLocation,
  get: (request: LegacyRequest, name: string) => unknown,
): Readers & ((name: string) => Reader<string>) => {
  const source = readersAt(location, get, textParsers);
  return Object.assign((name: string) => source.text(name), source);
};

/** Returns the payload of a request. Null counts as missing (decision 3). */
const payloadOf = ({ body }: LegacyRequest): Data => {
  const payload = body.payload ?? {};
  return isObject(payload) ? payload : withParentName('payload', () => throwInvalidValue('an object'));
};

/** Creates readers of path parameters: `path('uuid')`. */
export const path = textReaders('path', ({ params }, name) => params[name]);
/** Creates readers of query parameters: `query('title')`, `query.int('category_id')`. */
export const query = textReaders('query', ({ query }, name) => query[name]);
/** Creates readers of headers: `header('Browser')`. */
export const header = textReaders('header', ({ headers }, name) => headers[name.toLowerCase()]);

/** Creates readers of body fields. */
export const bodyFields = readersAt('body', ({ body }, name) => body[name], jsonParsers);
/** Creates readers of payload fields. With `orText`, the payload may also be the string itself: `{ payload: "…" }`. */
export const payloadFields = {
  ...readersAt('payload', (request, name) => payloadOf(request)[name], jsonParsers),
  orText: (name: string): Reader<string> => {
    const reader = readerAt(
      'payload',
      name,
      { type: 'string' },
      ({ body: { payload } }) => (isObject(payload) ? payload[name] : payload),
      jsonParsers.text,
    );
    return { ...reader, parameters: reader.parameters.map((parameter) => ({ ...parameter, canBePayload: true })) };
  },
};
