import type { FieldShape, LegacyRecord } from './binding.js';
import { instantOfUnix } from './instant.js';
import { type Data, decimal, decimalText, isExact, type JsonSchema } from './json.js';
import { anything, arrayOf, type Kind, number, oneOf, orNull, text } from './kinds.js';
import { expected } from './mismatch.js';

/** A shape that changes the form of the value, the same way in both directions. */
const form =
  (change: (kind: Kind) => Kind): FieldShape =>
  (field) => {
    const draft = field();
    return { ...draft, out: change(draft.out), in: change(draft.in) };
  };

const textOf = (value: unknown): string => (typeof value === 'number' || isExact(value) ? decimalText(value) : String(value));

/** A number of the graph that the document gives as a string: `"12"`; unset is `""`. Requests may send either. */
export const decimalString: FieldShape = form((kind) => ({
  ...text,
  schema: { type: 'string', format: 'decimal' },
  encode: textOf,
  decode: (value) => (value === '' ? null : kind.decode(value)),
}));

/** A text of the graph that the document gives as a number. Digits that are sent as text stay as they are: `"02134"`. */
export const asNumber: FieldShape = form(() => ({
  ...number,
  encode: (value) => (decimal.test(String(value)) ? Number(value) : 0),
  decode(value) {
    const read = number.decode(value);
    return typeof value === 'string' ? value : textOf(read);
  },
}));

/**
 * Values of an enumeration as other ones, from the graph's to the legacy; `unset` is what null looks like. Requests may also use the names that
 * other responses show for the graph's values, or for null.
 */
const translated = <T extends string | number>(
  legacy: Readonly<Record<string, T>>,
  unset: T,
  schema: JsonSchema,
  aliases: Readonly<Record<string, string | null>>,
): FieldShape => {
  const graph = new Map([
    ...Object.entries(aliases),
    ...Object.entries(legacy).map(([name, value]) => [String(value), name] as const),
  ]);
  const form = oneOf(Object.values(legacy));
  return (field) => {
    const draft = field();
    const { values } = draft.out;
    const unknown = values ? Object.keys(legacy).filter((name) => !values.includes(name)) : [];
    const kind: Kind = {
      unset,
      encode: (value) => legacy[String(value)] ?? value,
      decode(value) {
        const name = graph.get(textOf(value));
        if (name !== undefined) return name;
        // What responses show for null means null in requests.
        return value === unset || value === '' ? null : expected(form);
      },
      schema: { ...schema, enum: [...new Set([unset, ...Object.values(legacy)])] },
      values,
      problem: unknown.length ? `the enumeration has no ${unknown.join(', ')}` : undefined,
    };
    return { ...draft, out: kind, in: kind };
  };
};

/** An enumeration as numbers: `enumNumber({ WEEKLY: 2 })`. Requests may use other names, too: `enumNumber({ WEEKLY: 2 }, { weekly: 'WEEKLY' })`. */
export const enumNumber = (
  legacy: Readonly<Record<string, number>>,
  aliases: Readonly<Record<string, string | null>> = {},
): FieldShape => translated(legacy, 0, { type: 'integer' }, aliases);

/** An enumeration as other texts: `enumText({ PROFILE: 'profileImg' })`. */
export const enumText = (legacy: Readonly<Record<string, string>>): FieldShape => translated(legacy, '', { type: 'string' }, {});

/** A list of the graph as one text with commas. */
export const asCommaText: FieldShape = form((kind) => ({
  ...text,
  schema: { type: 'string', format: 'comma-separated' },
  encode: (values) => (values as unknown[]).join(','),
  decode: (value) => kind.decode(typeof value === 'string' ? value.split(',').filter(Boolean) : value),
}));

/** An instant as Unix seconds; unset is 0. */
export const unixSeconds: FieldShape = form((kind) => ({
  ...number,
  schema: { type: 'integer', format: 'unix-time' },
  encode: (value) => Math.floor(Date.parse(String(value)) / 1000),
  decode: (value) => kind.decode(instantOfUnix(Number(number.decode(value))) ?? expected('Unix seconds')),
}));

/** What an unset value looks like in responses, where it is not what decision 3 says. */
export const unsetAs =
  (value: unknown): FieldShape =>
  (field) => {
    const draft = field();
    return { ...draft, out: { ...draft.out, unset: value, schema: { ...draft.out.schema, default: value } } };
  };

/** Null stays null in responses, where the document says so. */
export const nullable: FieldShape = (field) => {
  const draft = field();
  return { ...draft, out: { ...draft.out, unset: null, schema: orNull(draft.out.schema) } };
};

/** Shown, never taken from a request. */
export const readOnly: FieldShape = (field) => ({ ...field(), target: null });

/** Taken from requests, never shown. */
export const writeOnly: FieldShape = (field) => ({ ...field(), source: null });

/** A shape for responses only, where a request carries another form. */
export const reading =
  (shape: FieldShape): FieldShape =>
  (field, codecOf) => ({ ...field(), out: shape(field, codecOf).out });

/** A shape for requests only. */
export const onlySent =
  (shape: FieldShape): FieldShape =>
  (field, codecOf) => ({ ...field(), in: shape(field, codecOf).in });

/** Always this value; what requests send is ignored. */
export const constant = (value: unknown): FieldShape =>
  computed(
    '',
    () => value,
    value === null ? {} : { type: Array.isArray(value) ? 'array' : typeof value, const: value, description: 'Always the same.' },
  );

/** What no rule gives: selects `selection` and makes the value from the object. Never taken from a request. */
export const computed =
  <T = Data>(selection: string, make: (data: T) => unknown, schema: JsonSchema = {}): FieldShape =>
  () => ({
    source: { select: () => selection, get: (data) => make(data as T) },
    target: null,
    out: { ...anything, unset: schema.type === 'string' ? '' : null, schema },
    in: anything,
  });

/** The way between graph and wire spelled out, for the form that no other shape gives. `into` throws with `expected('…')`. */
export const converted = (
  unsetValue: unknown,
  schema: JsonSchema,
  out: (value: unknown) => unknown,
  into: (value: unknown) => unknown,
): FieldShape => form(() => ({ unset: unsetValue, encode: out, decode: into, schema }));

/** An object that is a legacy record of its own; null while unset. */
export const nested =
  (inner: LegacyRecord): FieldShape =>
  (field, codecOf) => {
    const { shown, taken } = codecOf(inner);
    return { ...field(), out: { ...shown, schema: orNull(shown.schema) }, in: taken };
  };

/** A list of legacy records; empty while unset. */
export const listOf =
  (inner: LegacyRecord): FieldShape =>
  (field, codecOf) => {
    const { shown, taken } = codecOf(inner);
    return { ...field(), out: arrayOf(shown), in: arrayOf(taken) };
  };
