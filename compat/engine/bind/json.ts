/** An object of named values: a graph object, a graph input, a JSON body. */
export type Data = Record<string, unknown>;

/** A JSON Schema, as an OpenAPI 3.1 document carries it. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** Whether a value is a JSON object. */
export const isObject = (value: unknown): value is Data =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isExact(value);

declare global {
  interface JSON {
    /** ES2025: a value whose JSON text is given as it is. */
    rawJSON(text: string): unknown;
    isRawJSON(value: unknown): boolean;
  }
}

/** A number with more digits than a double keeps. */
export interface Exact {
  readonly rawJSON: string;
}

/** Whether a value is a number that kept all its digits. */
export const isExact = (value: unknown): value is Exact => JSON.isRawJSON(value);

const long = /[\d.]{16}/;
const exactly: (this: unknown, key: string, value: unknown, context: { source?: string }) => unknown = (
  _key,
  value,
  { source = '' },
) => (typeof value !== 'number' || String(value) === source || /e/i.test(source) ? value : JSON.rawJSON(source));

/** JSON text as values; a number that a double would round comes as `Exact`. A reviver is slow, so it runs only over texts with long numbers. */
export const parseJson = (text: string): unknown =>
  long.test(text) ? JSON.parse(text, exactly as (key: string, value: unknown) => unknown) : JSON.parse(text);

/** A number as plain decimal text, without an exponent. */
export function decimalText(value: number | Exact): string {
  if (typeof value !== 'number') return value.rawJSON;
  const [digits = '', exponent] = String(value).split('e');
  if (exponent === undefined) return digits;
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d+)\.?(\d*)$/.exec(digits) ?? [];
  const all = whole + fraction;
  const point = whole.length + Number(exponent);
  return sign + (point > 0 ? all.padEnd(point, '0') : `0.${'0'.repeat(-point)}${all}`);
}

/** An optionally signed decimal without an exponent. */
export const decimal = /^-?\d+(?:\.\d+)?$/;
