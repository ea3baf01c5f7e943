/** An object with string keys, such as a GraphQL object, a GraphQL input or a JSON body. */
export type Data = Record<string, unknown>;

/** A JSON Schema in the dialect of OpenAPI 3.1. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** Whether a value is a JSON object. */
export const isObject = (value: unknown): value is Data =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawNumber(value);

declare global {
  interface JSON {
    /** Returns a value that `JSON.stringify` writes as the given text (ES2026). */
    rawJSON(text: string): unknown;
    isRawJSON(value: unknown): boolean;
  }
}

/** A number with more digits than a double can represent, as JSON text. */
export interface RawNumber {
  readonly rawJSON: string;
}

/** Whether a value is a `RawNumber`. */
export const isRawNumber = (value: unknown): value is RawNumber => JSON.isRawJSON(value);

const longNumber = /[\d.]{16}/;
const preserveDigits: (this: unknown, key: string, value: unknown, context: { source?: string }) => unknown = (
  _key,
  value,
  { source = '' },
) => (typeof value !== 'number' || String(value) === source || /e/i.test(source) ? value : JSON.rawJSON(source));

/**
 * Parses JSON. A number that a double would round becomes a `RawNumber`, unless it has an exponent. The reviver is slow, so it runs only
 * if the text contains a long number.
 */
export const parseJson = (text: string): unknown =>
  longNumber.test(text) ? JSON.parse(text, preserveDigits as (key: string, value: unknown) => unknown) : JSON.parse(text);

/** Returns the decimal notation of a number, without an exponent. */
export function decimalText(value: number | RawNumber): string {
  if (typeof value !== 'number') return value.rawJSON;
  const [digits = '', exponent] = String(value).split('e');
  if (exponent === undefined) return digits;
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d+)\.?(\d*)$/.exec(digits) ?? [];
  const allDigits = whole + fraction;
  const point = whole.length + Number(exponent);
  return sign + (point > 0 ? allDigits.padEnd(point, '0') : `0.${'0'.repeat(-point)}${allDigits}`);
}

/** Matches decimal notation with an optional minus sign and without an exponent. */
export const decimalPattern = /^-?\d+(?:\.\d+)?$/;
