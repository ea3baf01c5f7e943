import type { FieldShape, LegacyRecord } from './binding.js';
import { instantOfUnix } from './instant.js';
import { type Data, decimal, decimalText, isExact, type JsonSchema } from './json.js';
import { anything, arrayOf, type Kind, number, oneOf, orNull, text } from './kinds.js';
import { throwExpected } from './mismatch.js';

/** A shape that changes the format of a value in requests and responses. */
const bothDirections =
  (change: (kind: Kind) => Kind): FieldShape =>
  (field) => {
    const draft = field();
    return { ...draft, out: change(draft.out), in: change(draft.in) };
  };

const textOf = (value: unknown): string => (typeof value === 'number' || isExact(value) ? decimalText(value) : String(value));

/** A GraphQL number as text, such as `"12"`. An empty text if unset. Requests may send text or numbers. */
export const decimalString: FieldShape = bothDirections((kind) => ({
  ...text,
  schema: { type: 'string', format: 'decimal' },
  encode: textOf,
  decode: (value) => (value === '' ? null : kind.decode(value)),
}));

/** A GraphQL text as a number. Digits that requests send as text are preserved, such as `"02134"`. */
export const asNumber: FieldShape = bothDirections(() => ({
  ...number,
  encode(value) {
    const parsed = decimal.test(String(value)) ? Number(value) : 0;
    // JSON has no infinity.
    return Number.isFinite(parsed) ? parsed : 0;
  },
  decode(value) {
    const parsed = number.decode(value);
    return typeof value === 'string' ? value : textOf(parsed);
  },
}));

/**
 * Maps GraphQL enum values to legacy values. `unset` is the legacy value of null. Requests may also use the names that other responses have for
 * these values, or for null.
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
    const { values } = draft.out;
    const unknownNames = values ? Object.keys(legacy).filter((name) => !values.includes(name)) : [];
    const kind: Kind = {
      unset,
      encode: (value) => legacy[String(value)] ?? value,
      decode(value) {
        const name = graph.get(textOf(value));
        if (name !== undefined) return name;
        // The unset value of responses means null in requests.
        return value === unset || value === '' ? null : throwExpected(expectation);
      },
      schema: { ...schema, enum: [...new Set([unset, ...Object.values(legacy)])] },
      values,
      problem: unknownNames.length ? `the enumeration has no ${unknownNames.join(', ')}` : undefined,
    };
    return { ...draft, out: kind, in: kind };
  };
};

/** An enum as numbers: `enumNumber({ WEEKLY: 2 })`. Requests may use additional names: `enumNumber({ WEEKLY: 2 }, { weekly: 'WEEKLY' })`. */
export const enumNumber = (
  legacy: Readonly<Record<string, number>>,
  aliases: Readonly<Record<string, string | null>> = {},
): FieldShape => mappedEnum(legacy, 0, { type: 'integer' }, aliases);

/** An enum as texts: `enumText({ PROFILE: 'profileImg' })`. */
export const enumText = (legacy: Readonly<Record<string, string>>): FieldShape => mappedEnum(legacy, '', { type: 'string' }, {});

/** A list as comma-separated text. */
export const asCommaText: FieldShape = bothDirections((kind) => ({
  ...text,
  schema: { type: 'string', format: 'comma-separated' },
  encode: (values) => (values as unknown[]).join(','),
  decode: (value) => kind.decode(typeof value === 'string' ? value.split(',').filter(Boolean) : value),
}));

/** An instant as Unix seconds. 0 if unset. */
export const unixSeconds: FieldShape = bothDirections((kind) => ({
  ...number,
  schema: { type: 'integer', format: 'unix-time' },
  encode: (value) => Math.floor(Date.parse(String(value)) / 1000),
  decode: (value) => kind.decode(instantOfUnix(Number(number.decode(value))) ?? throwExpected('Unix seconds')),
}));

/** Sets the unset value of responses, if it differs from decision 3. */
export const unsetAs =
  (value: unknown): FieldShape =>
  (field) => {
    const draft = field();
    return { ...draft, out: { ...draft.out, unset: value, schema: { ...draft.out.schema, default: value } } };
  };

/** Null stays null in responses, for fields with this documented behavior. */
export const nullable: FieldShape = (field) => {
  const draft = field();
  return { ...draft, out: { ...draft.out, unset: null, schema: orNull(draft.out.schema) } };
};

/** In responses only. The value in requests is ignored. */
export const readOnly: FieldShape = (field) => ({ ...field(), target: null });

/** In requests only. */
export const writeOnly: FieldShape = (field) => ({ ...field(), source: null });

/** Applies a shape to responses only. */
export const inResponses =
  (shape: FieldShape): FieldShape =>
  (field, codecOf) => ({ ...field(), out: shape(field, codecOf).out });

/** Applies a shape to requests only. */
export const inRequests =
  (shape: FieldShape): FieldShape =>
  (field, codecOf) => ({ ...field(), in: shape(field, codecOf).in });

/** A constant in responses. The value in requests is ignored. */
export const constant = (value: unknown): FieldShape =>
  computed(
    '',
    () => value,
    value === null ? {} : { type: Array.isArray(value) ? 'array' : typeof value, const: value, description: 'Always the same.' },
  );

/** A value that is computed from a selection of the object. In responses only. */
export const computed =
  <T = Data>(selection: string, make: (data: T) => unknown, schema: JsonSchema = {}): FieldShape =>
  () => ({
    source: { select: () => selection, get: (data) => make(data as T) },
    target: null,
    out: { ...anything, unset: schema.type === 'string' ? '' : null, schema },
    in: anything,
  });

/** Custom conversions between GraphQL and `/v1`. `into` throws with `expected('…')`. */
export const converted = (
  unsetValue: unknown,
  schema: JsonSchema,
  out: (value: unknown) => unknown,
  into: (value: unknown) => unknown,
): FieldShape => bothDirections(() => ({ unset: unsetValue, encode: out, decode: into, schema }));

/** An object as a nested legacy record. Null if unset. */
export const nested =
  (inner: LegacyRecord): FieldShape =>
  (field, codecOf) => {
    const { responseKind, requestKind } = codecOf(inner);
    return { ...field(), out: { ...responseKind, schema: orNull(responseKind.schema) }, in: requestKind };
  };

/** A list of legacy records. Empty if unset. */
export const listOf =
  (inner: LegacyRecord): FieldShape =>
  (field, codecOf) => {
    const { responseKind, requestKind } = codecOf(inner);
    return { ...field(), out: arrayOf(responseKind), in: arrayOf(requestKind) };
  };
