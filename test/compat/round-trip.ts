import fc from 'fast-check';
import type { GraphQLSchema } from 'graphql';
import { expect } from 'vitest';
import { type Codec, type Codecs, codecsOf, type JsonSchema, type LegacyRecord } from '../../compat/engine/index.js';
import { fieldsOf, inside, recordsOf } from '../support/fixtures/legacy-values.js';

/** Fields that requests and responses have with the same schema and path. Other fields cannot round-trip. */
export function symmetricFields({ record, response, request }: Codec, codecs: Codecs): string[] {
  const normalized = (schema: JsonSchema | undefined): string =>
    JSON.stringify({ ...schema, description: undefined }).replaceAll('Request"', '"');
  const [responseFields, requestFields] = [fieldsOf(response), fieldsOf(request)];
  return record.fields.filter((name) => {
    const [output, input] = [responseFields[name], requestFields[name]];
    const hasSamePath = typeof (record.paths?.[name] ?? '') === 'string';
    const nested = inside(output, codecs);
    const isComplete = !nested || symmetricFields(nested, codecs).length === nested.record.fields.length;
    if (!output || !input || !hasSamePath || !isComplete) return false;
    const nullableInput = { anyOf: [input, { type: 'null' }] };
    return normalized(output) === normalized(input) || normalized(output) === normalized(nullableInput);
  });
}

const pick = <T>(table: Readonly<Record<string, T>> = {}, names: readonly string[]): Record<string, T> =>
  Object.fromEntries(Object.entries(table).filter(([name]) => names.includes(name)));

/** The table of a record reduced to its symmetric fields; null when it has none. */
export function symmetric(codec: Codec, codecs: Codecs): LegacyRecord | null {
  const { record } = codec;
  const fields = symmetricFields(codec, codecs);
  return fields.length ? { ...record, fields, paths: pick(record.paths, fields), as: pick(record.as, fields) } : null;
}

/** Expects that every record is equal to itself after decoding and encoding. */
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
