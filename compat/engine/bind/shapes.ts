import type { FieldDraft, FieldShape, LegacyRecord } from './binding.js';
import { instantOfUnix } from './instant.js';
import { throwInvalidValue } from './invalid-value-error.js';
import { type Data, decimalPattern, decimalText, isRawNumber, type JsonSchema } from './json.js';
import { anyJson, arrayOf, number, oneOf, orNull, text, type ValueFormat } from './value-formats.js';

/** Creates a shape that changes the format of a field in both responses and requests. */
const bothDirections =
  (change: (format: ValueFormat) => ValueFormat): FieldShape =>
  (field) => {
    const draft = field();
    return { ...draft, responseFormat: change(draft.responseFormat), requestFormat: change(draft.requestFormat) };
  };

const textOf = (value: unknown): string => (typeof value === 'number' || isRawNumber(value) ? decimalText(value) : String(value));

/** Represents a GraphQL number as a string, such as `"12"`. Null becomes an empty string. Requests may send a string or a number. */
export const decimalString: FieldShape = bothDirections((format) => ({
  ...text,
  schema: { type: 'string', format: 'decimal' },
  encode: textOf,
  decode: (value) => (value === '' ? null : format.decode(value)),
}));

/**
 * Represents a GraphQL string as a number. Responses contain 0 if the string is not a number. A numeric string in a request, such as
 * `"02134"`, is saved unchanged.
 */
export const asNumber: FieldShape = bothDirections(() => ({
  ...number,
  encode(value) {
    const parsed = decimalPattern.test(String(value)) ? Number(value) : 0;
    // JSON cannot represent infinity.
    return Number.isFinite(parsed) ? parsed : 0;
  },
  decode(value) {
    const parsed = number.decode(value);
    return typeof value === 'string' ? value : textOf(parsed);
  },
}));

/**
 * Represents GraphQL enum values as legacy values. `unset` is the legacy value that represents null. `aliases` maps additional request
 * values to an enum value or null.
 */
const mappedEnum = <T extends string | number>(
  legacy: Readonly<Record<string, T>>,
  unset: T,
  schema: JsonSchema,
  aliases: Readonly<Record<string, string | null>>,
): FieldShape => {
  const graph = new Map([
    ...Object.entries(aliases),
    ...Object.entries(legacy).map(([name, value]) => [String(value), name] as const),
  ]);
  const expectation = oneOf(Object.values(legacy));
  return (field) => {
    const draft = field();
    const { values } = draft.responseFormat;
    const unknownNames = values ? Object.keys(legacy).filter((name) => !values.includes(name)) : [];
    const format: ValueFormat = {
      unset,
      encode: (value) => legacy[String(value)] ?? value,
      decode(value) {
        const name = graph.get(textOf(value));
        if (name !== undefined) return name;
        // To set null, a request sends an empty string, or the value that represents null in responses.
        return value === unset || value === '' ? null : throwInvalidValue(expectation);
      },
      schema: { ...schema, enum: [...new Set([unset, ...Object.values(legacy)])] },
      values,
      problem: unknownNames.length ? `the enum does not contain ${unknownNames.join(', ')}` : undefined,
    };
    return { ...draft, responseFormat: format, requestFormat: format };
  };
};

/**
 * Represents an enum as numbers, such as `enumNumber({ WEEKLY: 2 }, { weekly: 'WEEKLY' })`. `aliases` maps additional request values to an
 * enum value or null.
 */
export const enumNumber = (
  legacy: Readonly<Record<string, number>>,
  aliases: Readonly<Record<string, string | null>> = {},
): FieldShape => mappedEnum(legacy, 0, { type: 'integer' }, aliases);

/** Represents an enum as strings: `enumText({ PROFILE: 'profileImg' })`. */
export const enumText = (legacy: Readonly<Record<string, string>>): FieldShape => mappedEnum(legacy, '', { type: 'string' }, {});

/** Represents a list as a comma-separated string. */
export const asCommaText: FieldShape = bothDirections((format) => ({
  ...text,
  schema: { type: 'string', format: 'comma-separated' },
  encode: (values) => (values as unknown[]).join(','),
  decode: (value) => format.decode(typeof value === 'string' ? value.split(',').filter(Boolean) : value),
}));

/** Represents a timestamp as Unix seconds. Null becomes 0. */
export const unixSeconds: FieldShape = bothDirections((format) => ({
  ...number,
  schema: { type: 'integer', format: 'unix-time' },
  encode: (value) => Math.floor(Date.parse(String(value)) / 1000),
  decode: (value) => format.decode(instantOfUnix(Number(number.decode(value))) ?? throwInvalidValue('Unix seconds')),
}));

/** Sets the response value that represents null, for fields that do not use the default of decision 3. */
export const withNullAs =
  (value: unknown): FieldShape =>
  (field) => {
    const draft = field();
    return {
      ...draft,
      responseFormat: { ...draft.responseFormat, unset: value, schema: { ...draft.responseFormat.schema, default: value } },
    };
  };

/** Removes a field from requests. A value in a request is ignored. */
export const readOnly: FieldShape = (field) => ({ ...field(), target: null });

/** Removes a field from responses. */
export const writeOnly: FieldShape = (field) => ({ ...field(), source: null });

/** Creates the shape of a field that has a constant value in responses and is ignored in requests. */
export const constant = (value: unknown): FieldShape =>
  computed(
    '',
    () => value,
    value === null ? {} : { type: Array.isArray(value) ? 'array' : typeof value, const: value, description: 'Constant value.' },
  );

/**
 * Computes a response value from a GraphQL selection on the object. A value in a request is ignored. `inverse` converts the response value
 * back to a GraphQL value, for imports that read responses.
 */
export const computed =
  <T = Data>(
    selection: string,
    make: (data: T) => unknown,
    schema: JsonSchema = {},
    inverse?: NonNullable<FieldDraft['source']>['inverse'],
  ): FieldShape =>
  () => ({
    source: { select: () => selection, get: (data) => make(data as T), inverse },
    target: null,
    responseFormat: { ...anyJson, unset: schema.type === 'string' ? '' : null, schema },
    requestFormat: anyJson,
  });

/** Represents an object as a nested legacy record. */
export const nested =
  (inner: LegacyRecord): FieldShape =>
  (field, codecOf) => {
    const { responseFormat, requestFormat } = codecOf(inner);
    return { ...field(), responseFormat: { ...responseFormat, schema: orNull(responseFormat.schema) }, requestFormat };
  };

/** Represents a list of objects as an array of legacy records. Null becomes an empty array. */
export const listOf =
  (inner: LegacyRecord): FieldShape =>
  (field, codecOf) => {
    const { responseFormat, requestFormat } = codecOf(inner);
    return { ...field(), responseFormat: arrayOf(responseFormat), requestFormat: arrayOf(requestFormat) };
  };
