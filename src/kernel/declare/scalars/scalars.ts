import { GraphQLError, GraphQLScalarType, Kind, type ValueNode } from 'graphql';
import { instantFormat, normalizeInstant } from './instant.js';

/** Creates the error for an invalid value. The literal gives the error its location in the document, which cannot be derived later. */
const invalidValue = (expected: string, nodes: ValueNode | null) =>
  new GraphQLError(`expected ${expected}`, { nodes, extensions: { code: 'BAD_INPUT', expected } });

function parseInstant(value: unknown, node: ValueNode | null = null): string {
  const text = typeof value === 'string' ? normalizeInstant(value) : null;
  if (text === null) throw invalidValue(instantFormat, node);
  return text;
}

/** A point in time. */
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

const decimalForm = 'a decimal number with at most 30 digits before and 20 after the point';
const decimal = /^([+-]?)(\d{1,30})(?:\.(\d{1,20}))?$/;

/** Shortest form of a decimal number, from the match of its parts. */
function shortestForm(match: RegExpExecArray | null): string | null {
  if (!match) return null;
  const [, sign, whole = '', fraction = ''] = match;
  const digits = fraction.replace(/0+$/, '');
  const text = `${whole.replace(/^0+(?=\d)/, '')}${digits && `.${digits}`}`;
  return sign === '-' && text !== '0' ? `-${text}` : text;
}

/** Converts a decimal number to its shortest form: `12.50` → `12.5`. Null if the value is not a decimal number. */
export function normalizeDecimal(value: unknown): string | null {
  if (typeof value !== 'string' && !(typeof value === 'number' && Number.isFinite(value))) return null;
  return shortestForm(decimal.exec(typeof value === 'number' ? withoutExponent(value) : value));
}

/** Formats a number without an exponent, unlike `String` for very small and very large numbers. */
const withoutExponent = (value: number): string => {
  const text = String(value);
  return text.includes('e') ? value.toFixed(Math.abs(value) < 1 ? 20 : 0) : text;
};

function parseMoney(value: unknown, node: ValueNode | null = null): string {
  const text = normalizeDecimal(value);
  if (text === null) throw invalidValue(decimalForm, node);
  return text;
}

const anyDecimal = /^([+-]?)(\d+)(?:\.(\d+))?$/;

/** An exact decimal number. A string in JSON, because JSON parsers read numbers as doubles and lose digits. */
export const Money = new GraphQLScalarType<string, string>({
  name: 'Money',
  description:
    'An exact decimal amount. Another field has its currency. Output is a string in the shortest form: `"12.5"`, never `"12.50"`. Input is a number or a string, with at most 30 digits before and 20 after the decimal point. Strings keep all digits.',
  specifiedByURL: 'https://www.w3.org/TR/xmlschema11-2/#decimal',
  serialize: (value) => shortestForm(anyDecimal.exec(String(value))) ?? String(value),
  parseValue: (value) => parseMoney(value),
  parseLiteral: (node) =>
    parseMoney(node.kind === Kind.INT || node.kind === Kind.FLOAT || node.kind === Kind.STRING ? node.value : null, node),
  extensions: { expected: decimalForm },
});

/** Whether a value is a valid calendar date in the years 1 to 9999. */
const isDay = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) && normalizeInstant(`${value}T00:00:00Z`) !== null;

const dayForm = 'a day such as 2026-03-01';

function parseDay(value: unknown, node: ValueNode | null = null): string {
  if (!isDay(value)) throw invalidValue(dayForm, node);
  return value;
}

/** A calendar date. */
export const Day = new GraphQLScalarType<string, string>({
  name: 'Date',
  description: 'A calendar date without time and time zone, such as `2026-03-01`. Years 1 to 9999.',
  specifiedByURL: 'https://scalars.graphql.org/chillicream/local-date.html',
  serialize: (value) => String(value),
  parseValue: (value) => parseDay(value),
  parseLiteral: (node) => parseDay(node.kind === Kind.STRING ? node.value : null, node),
  extensions: { expected: dayForm },
});

const localForm = 'a local time without an offset, such as 2026-03-01T09:30:00';

/** Normalizes a local time like an instant, without a time zone. */
function parseLocalTime(value: unknown, node: ValueNode | null = null): string {
  const isLocal = typeof value === 'string' && /^\d{4}-\d{2}-\d{2}[Tt][\d:.]+$/.test(value);
  const text = isLocal ? normalizeInstant(`${value}Z`) : null;
  if (text === null) throw invalidValue(localForm, node);
  return text.slice(0, -1);
}

/** A date and time without a time zone. */
export const LocalDateTime = new GraphQLScalarType<string, string>({
  name: 'LocalDateTime',
  description:
    'A local date and time without an offset, such as `2026-03-01T09:30:00`. The time zone is in another field. Input can have up to nine fractional digits. Six are stored.',
  specifiedByURL: 'https://scalars.graphql.org/chillicream/local-date-time.html',
  serialize: (value) => String(value),
  parseValue: (value) => parseLocalTime(value),
  parseLiteral: (node) => parseLocalTime(node.kind === Kind.STRING ? node.value : null, node),
  extensions: { expected: localForm },
});
