import fc from 'fast-check';
import type { GraphQLSchema } from 'graphql';
import { expect } from 'vitest';
import { type Codec, type Codecs, codecsOf, type Data, type JsonSchema, type LegacyRecord } from '../../compat/engine/index.js';

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
function valuesOf(schema: JsonSchema, inner: (ref: string) => fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum);
  if (Array.isArray(schema.anyOf)) return fc.oneof(...schema.anyOf.map((option: JsonSchema) => valuesOf(option, inner)));
  if (typeof schema.$ref === 'string') return inner(schema.$ref);
  if (typeof schema.format === 'string' && formats[schema.format]) return formats[schema.format] ?? fc.constant(null);
  if (schema.type === 'array') return fc.array(valuesOf(schema.items as JsonSchema, inner), { maxLength: 4 });
  if (schema.type === 'null') return fc.constant(null);
  const named = [schema.type].flat().map((type) => (type === 'null' ? fc.constant(null) : types[String(type)]));
  return fc.oneof(...named.map((arbitrary) => arbitrary ?? document));
}

const fieldsOf = (schema: JsonSchema): Record<string, JsonSchema> => schema.properties as Record<string, JsonSchema>;

/** The record that a schema refers to, somewhere inside. */
const inside = (schema: JsonSchema | undefined, codecs: Codecs): Codec | undefined => {
  const [, name = ''] = /#\/components\/schemas\/(\w+)/.exec(JSON.stringify(schema)) ?? [];
  return codecs.named(name);
};

/** The fields that travel both ways in one form and place; the others cannot come back as they went. */
export function bothWays({ record, response, request }: Codec, codecs: Codecs): string[] {
  const form = (schema: JsonSchema | undefined): string =>
    JSON.stringify({ ...schema, description: undefined }).replaceAll('Request"', '"');
  const [shown, taken] = [fieldsOf(response), fieldsOf(request)];
  return record.fields.filter((name) => {
    const [out, into] = [shown[name], taken[name]];
    const samePlace = typeof (record.paths?.[name] ?? '') === 'string';
    const inner = inside(out, codecs);
    const whole = !inner || bothWays(inner, codecs).length === inner.record.fields.length;
    return (
      out && into && samePlace && whole && (form(out) === form(into) || form(out) === form({ anyOf: [into, { type: 'null' }] }))
    );
  });
}

const only = <T>(table: Readonly<Record<string, T>> = {}, names: readonly string[]): Record<string, T> =>
  Object.fromEntries(Object.entries(table).filter(([name]) => names.includes(name)));

/** A table of nothing but the fields that travel both ways; null when there are none. */
export function symmetric(codec: Codec, codecs: Codecs): LegacyRecord | null {
  const { record } = codec;
  const fields = bothWays(codec, codecs);
  return fields.length ? { ...record, fields, paths: only(record.paths, fields), as: only(record.as, fields) } : null;
}

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

/** Holds a table to giving back every record as it was sent. */
export function expectRoundTrip(record: LegacyRecord, schema: GraphQLSchema, numRuns = 100): void {
  const codecs = codecsOf(schema, [record], (problem) => expect.fail(problem));
  const { encode, decode } = codecs.of(record);
  fc.assert(
    fc.property(recordsOf(codecs.of(record), codecs), (sent) => {
      expect(encode(decode(sent))).toEqual(sent);
    }),
    { numRuns },
  );
}
