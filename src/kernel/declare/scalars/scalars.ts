import { GraphQLError, GraphQLScalarType, Kind, type ValueNode } from 'graphql';
import { instantFormat, normalizeInstant } from './instant.js';

/** Creates the error for an invalid value. `nodes` provides the location of the value in the document, which cannot be determined later. */
const invalidValue = (expected: string, nodes: ValueNode | null) =>
  new GraphQLError(`expected ${expected}`, { nodes, extensions: { code: 'BAD_INPUT', expected } });

function parseInstant(value: unknown, node: ValueNode | null = null): string {
  const text = typeof value === 'string' ? normalizeInstant(value) : null;
  if (text === null) throw invalidValue(instantFormat, node);
  return text;
}

/** Scalar for a point in time. */
export const Instant = new GraphQLScalarType<string, string>({
  name: 'Instant',
  description:
    'A point in time: RFC 3339 in UTC, to the microsecond, such as `2026-03-01T09:30:00.25Z`. Input can have any offset and up to nine fractional digits.',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc3339',
  serialize: (value) => String(value),
  parseValue: (value) => parseInstant(value),
  parseLiteral: (node) => parseInstant(node.kind === Kind.STRING ? node.value : null, node),
  extensions: { expected: instantFormat },
});

const decimalFormat = 'a decimal number with at most 30 digits before and 20 after the point';
const decimal = /^([+-]?)(\d{1,30})(?:\.(\d{1,20}))?$/;

/**
 * Returns the shortest notation of a decimal number, given a regular expression match with its sign, integer part and fraction. Null
 * without a match.
 */
function shortestNotation(match: RegExpExecArray | null): string | null {
  if (!match) return null;
  const [, sign, whole = '', fraction = ''] = match;
  const digits = fraction.replace(/0+$/, '');
  const text = `${whole.replace(/^0+(?=\d)/, '')}${digits && `.${digits}`}`;
  return sign === '-' && text !== '0' ? `-${text}` : text;
}

/** Converts a decimal number to its shortest notation: `12.50` to `12.5`. Returns null if the value is not a decimal number. */
export function normalizeDecimal(value: unknown): string | null {
  if (typeof value !== 'string' && !(typeof value === 'number' && Number.isFinite(value))) return null;
  return shortestNotation(decimal.exec(typeof value === 'number' ? withoutExponent(String(value)) : value));
}

/** Removes the zeros at the end of a fraction. A regular expression would take quadratic time for a long number with many zeros. */
function withoutTrailingZeros(number: string): string {
  let end = number.length;
  while (number[end - 1] === '0') end -= 1;
  return number.slice(0, number[end - 1] === '.' ? end - 1 : end);
}

/** Converts a number in JSON notation to decimal notation without an exponent. Keeps all digits: `1.25e-3` becomes `0.00125`. */
export function withoutExponent(text: string): string {
  const [digits = '', exponent] = text.toLowerCase().split('e');
  if (exponent === undefined) return text;
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d+)\.?(\d*)$/.exec(digits) ?? [];
  const point = whole.length + Number(exponent);
  const allDigits = (whole + fraction).padEnd(point, '0');
  const decimalDigits =
    point > 0 ? `${allDigits.slice(0, point)}.${allDigits.slice(point)}` : `0.${'0'.repeat(-point)}${allDigits}`;
  return sign + withoutTrailingZeros(decimalDigits.replace(/^0+(?=\d)/, ''));
}

function parseMoney(value: unknown, node: ValueNode | null = null): string {
  const text = normalizeDecimal(value);
  if (text === null) throw invalidValue(decimalFormat, node);
  return text;
}

const anyDecimal = /^([+-]?)(\d+)(?:\.(\d+))?$/;

/** Scalar for an exact decimal number. It is a string in JSON, because JSON parsers convert numbers to doubles and lose digits. */
export const Money = new GraphQLScalarType<string, string>({
  name: 'Money',
  description:
    'An exact decimal amount. Its currency is in another field. Output is a string without trailing zeros, such as `"12.5"`. Input is a number or a string with at most 30 digits before and 20 after the decimal point. Numbers can lose digits, strings cannot.',
  specifiedByURL: 'https://www.w3.org/TR/xmlschema11-2/#decimal',
  serialize: (value) => shortestNotation(anyDecimal.exec(String(value))) ?? String(value),
  parseValue: (value) => parseMoney(value),
  parseLiteral: (node) =>
    parseMoney(node.kind === Kind.INT || node.kind === Kind.FLOAT || node.kind === Kind.STRING ? node.value : null, node),
  extensions: { expected: decimalFormat },
});

/** Whether a value is a valid calendar date in the years 1 to 9999. */
const isDay = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) && normalizeInstant(`${value}T00:00:00Z`) !== null;

const dayFormat = 'a day such as 2026-03-01';

function parseDay(value: unknown, node: ValueNode | null = null): string {
  if (!isDay(value)) throw invalidValue(dayFormat, node);
  return value;
}

/** Scalar for a calendar date. */
export const Day = new GraphQLScalarType<string, string>({
  name: 'Date',
  description: 'A calendar date without a time or time zone, such as `2026-03-01`. Years 1 to 9999.',
  specifiedByURL: 'https://scalars.graphql.org/chillicream/local-date.html',
  serialize: (value) => String(value),
  parseValue: (value) => parseDay(value),
  parseLiteral: (node) => parseDay(node.kind === Kind.STRING ? node.value : null, node),
  extensions: { expected: dayFormat },
});

const localTimeFormat = 'a local time without an offset, such as 2026-03-01T09:30:00';

/** Normalizes a local time in the same way as an instant, but without a time zone. */
function parseLocalTime(value: unknown, node: ValueNode | null = null): string {
  const isLocal = typeof value === 'string' && /^\d{4}-\d{2}-\d{2}[Tt][\d:.]+$/.test(value);
  const text = isLocal ? normalizeInstant(`${value}Z`) : null;
  if (text === null) throw invalidValue(localTimeFormat, node);
  return text.slice(0, -1);
}

/** Scalar for a date and time without a time zone. */
export const LocalDateTime = new GraphQLScalarType<string, string>({
  name: 'LocalDateTime',
  description:
    'A local date and time without an offset, such as `2026-03-01T09:30:00`. The time zone is in another field. Input can have up to nine fractional digits. Six digits are stored.',
  specifiedByURL: 'https://scalars.graphql.org/chillicream/local-date-time.html',
  serialize: (value) => String(value),
  parseValue: (value) => parseLocalTime(value),
  parseLiteral: (node) => parseLocalTime(node.kind === Kind.STRING ? node.value : null, node),
  extensions: { expected: localTimeFormat },
});
