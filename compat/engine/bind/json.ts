import { withoutExponent } from '../../../src/graphql/run.js';

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

/** Replaces a number that a double would round with its text in decimal notation. */
function preserveDigits(_key: string, value: unknown, { source = '' }: { source?: string }): unknown {
  if (typeof value !== 'number' || String(value) === source) return value;
  if (!/e/i.test(source)) return JSON.rawJSON(source);
  // A large exponent would result in a very long text. Numbers outside the range of a double stay 0 or Infinity.
  if (value === 0 || !Number.isFinite(value)) return value;
  const digits = withoutExponent(source);
  return digits === decimalText(value) ? value : JSON.rawJSON(digits);
}

/**
 * Parses JSON. A number that a double would round becomes a `RawNumber`, unless its exponent is outside the range of a double. The reviver
 * is slow, so it runs only if the text contains a long number.
 */
export const parseJson = (text: string): unknown =>
  longNumber.test(text) ? JSON.parse(text, preserveDigits as (key: string, value: unknown) => unknown) : JSON.parse(text);

/** Returns the decimal notation of a number, without an exponent. */
export const decimalText = (value: number | RawNumber): string =>
  typeof value === 'number' ? withoutExponent(String(value)) : value.rawJSON;

/** Matches decimal notation with an optional minus sign and without an exponent. */
export const decimalPattern = /^-?\d+(?:\.\d+)?$/;
