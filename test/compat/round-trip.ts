import fc from 'fast-check';
import type { GraphQLSchema } from 'graphql';
import { expect } from 'vitest';
import { type Codec, type Codecs, codecsOf, type JsonSchema, type LegacyRecord } from '../../compat/engine/index.js';
import { fieldsOf, recordsOf, referencedCodec } from '../support/fixtures/legacy-values.js';

/** Returns the fields that have the same schema and path in requests and responses. Other fields cannot round-trip. */
export function symmetricFields(codec: Codec, codecs: Codecs): string[] {
  const { record } = codec;
  const normalized = (schema: JsonSchema | undefined): string => JSON.stringify(schema ?? {}).replaceAll('Request"', '"');
  const [responseFields, requestFields] = [fieldsOf(codec, 'response'), fieldsOf(codec, 'request')];
  return record.fields.filter((name) => {
    const [output, input] = [responseFields[name], requestFields[name]];
    const hasSamePath = typeof (record.paths?.[name] ?? '') === 'string';
    const nested = referencedCodec(output, codecs);
    const isComplete = !nested || symmetricFields(nested, codecs).length === nested.record.fields.length;
    if (!output || !input || !hasSamePath || !isComplete) return false;
    const nullableInput = { anyOf: [input, { type: 'null' }] };
    return normalized(output) === normalized(input) || normalized(output) === normalized(nullableInput);
  });
}

const pick = <T>(table: Readonly<Record<string, T>> = {}, names: readonly string[]): Record<string, T> =>
  Object.fromEntries(Object.entries(table).filter(([name]) => names.includes(name)));

/** Returns a record table with only its symmetric fields. Null if it has no symmetric fields. */
export function symmetric(codec: Codec, codecs: Codecs): LegacyRecord | null {
  const { record } = codec;
  const fields = symmetricFields(codec, codecs);
  return fields.length ? { ...record, fields, paths: pick(record.paths, fields), as: pick(record.as, fields) } : null;
}

/** Converts an input to the record that the graph returns after the write: IDs in `legacy` become fields of the record. */
function recordAfterWrite(input: Record<string, unknown>): Record<string, unknown> {
  const convertValue = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(convertValue);
    return typeof value === 'object' && value !== null ? recordAfterWrite({ ...value }) : value;
  };
  const values = Object.fromEntries(Object.entries(input).map(([name, value]) => [name, convertValue(value)]));
  return { ...Object(values.legacy), ...values };
}

/** Asserts that decoding and encoding leave generated records unchanged. */
export function expectRoundTrip(record: LegacyRecord, schema: GraphQLSchema, numRuns = 100): void {
  const codecs = codecsOf(schema, [record], (problem) => expect.fail(problem));
  const { encode, decode } = codecs.get(record);
  fc.assert(
    fc.property(recordsOf(codecs.get(record), codecs), (legacyRecord) => {
      expect(encode(recordAfterWrite(decode(legacyRecord)))).toEqual(legacyRecord);
    }),
    { numRuns },
  );
}

/** Returns a valid value for a request field. The value differs from the default of the field. */
function filledValue(schema: JsonSchema, name: string, index: number, codecs: Codecs): unknown {
  const [type] = [schema.type].flat();
  const nested = referencedCodec({ $ref: String(schema.$ref).replace(/Request$/, '') }, codecs);
  if (Array.isArray(schema.enum)) return schema.enum.findLast((value) => value !== '' && value !== 0);
  if (type === 'array')
    return [1, 2].map((item) => filledValue(schema.items as JsonSchema, `${name}-${item}`, index + item, codecs));
  if (nested) return filledRecord(nested, codecs, index);
  if (schema.format === 'date-time') return `2031-05-06T07:${String(10 + (index % 50))}:09.125Z`;
  if (schema.format === 'decimal') return String(index + 2);
  const values: Record<string, unknown> = { string: `${name}-${index}`, integer: index + 2, number: index + 2.25, boolean: true };
  return values[String(type)];
}

/** Returns a request record with a distinct value in every field. */
export const filledRecord = (codec: Codec, codecs: Codecs, start = 0): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fieldsOf(codec, 'request')).map(([name, schema], index) => [
      name,
      filledValue(schema, name, start + index, codecs),
    ]),
  );
