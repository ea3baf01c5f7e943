import fc from 'fast-check';
import type { GraphQLSchema } from 'graphql';
import { expect } from 'vitest';
import { type Codec, type Codecs, codecsOf, type JsonSchema, type LegacyRecord } from '../../compat/engine/index.js';
import { fieldsOf, inside, recordsOf } from '../support/legacy-values.js';

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
