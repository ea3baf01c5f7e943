import fc from 'fast-check';
import type { Codec, Codecs, Data, JsonSchema } from '../../compat/engine/index.js';

const moment = fc
  .date({ min: new Date('0001-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59Z'), noInvalidDate: true })
  .map((date) => date.toISOString());
const text = fc.string({ unit: 'grapheme' }).filter((value) => !value.includes('\0'));
const whole = fc.integer();
const decimals = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);
const document = fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.parse(JSON.stringify(value).replaceAll('\\u0000', '')));

const formats: Record<string, fc.Arbitrary<unknown>> = {
  decimal: fc.option(whole.map(String), { nil: '' }),
  'comma-separated': fc.array(fc.stringMatching(/^[a-z]{1,9}$/)).map((items) => items.join()),
  'unix-time': fc.integer({ min: 0, max: 4e9 }),
  'date-time': fc.option(moment),
};

const types: Record<string, fc.Arbitrary<unknown>> = {
  string: text,
  integer: whole,
  number: decimals.filter((value) => !Object.is(value, -0)),
  boolean: fc.boolean(),
};

/** Values that a schema of a legacy field describes. */
export function valuesOf(schema: JsonSchema, inner: (ref: string) => fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum);
  if (Array.isArray(schema.anyOf)) return fc.oneof(...schema.anyOf.map((option: JsonSchema) => valuesOf(option, inner)));
  if (typeof schema.$ref === 'string') return inner(schema.$ref);
  if (typeof schema.format === 'string' && formats[schema.format]) return formats[schema.format] ?? fc.constant(null);
  if (schema.type === 'array') return fc.array(valuesOf(schema.items as JsonSchema, inner), { maxLength: 4 });
  if (schema.type === 'null') return fc.constant(null);
  const named = [schema.type].flat().map((type) => (type === 'null' ? fc.constant(null) : types[String(type)]));
  return fc.oneof(...named.map((arbitrary) => arbitrary ?? document));
}

/** The fields of a record's schema by their names. */
export const fieldsOf = (schema: JsonSchema): Record<string, JsonSchema> => schema.properties as Record<string, JsonSchema>;

/** The record that a schema refers to, somewhere inside. */
export const inside = (schema: JsonSchema | undefined, codecs: Codecs): Codec | undefined => {
  const [, name = ''] = /#\/components\/schemas\/(\w+)/.exec(JSON.stringify(schema)) ?? [];
  return codecs.named(name);
};

/** Legacy records of a table. */
export function recordsOf(codec: Codec, codecs: Codecs): fc.Arbitrary<Data> {
  const inner = (ref: string) => {
    const nested = inside({ ref: ref.replace(/Request$/, '') }, codecs);
    return nested ? recordsOf(nested, codecs) : fc.constant(null);
  };
  return fc.record(
    Object.fromEntries(Object.entries(fieldsOf(codec.request)).map(([name, schema]) => [name, valuesOf(schema, inner)])),
  );
}
