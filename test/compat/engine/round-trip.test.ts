import fc from 'fast-check';
import { expect, test } from 'vitest';
import { codecsOf } from '../../../compat/engine/index.js';
import { bothWays, recordsOf, thereAndBack } from '../round-trip.js';
import { sampleGraph } from './sample-graph.js';
import { approval, sampleRecords, shaped, tournament } from './sample-tables.js';

const codecs = codecsOf(sampleGraph().schema, sampleRecords, (problem) => expect.fail(problem));

test.for([approval, tournament, shaped])('$name: every record comes back as it was sent', (record) => {
  const codec = codecs.of(record);
  const sent = recordsOf(codec, (name) => codecs.named(name) ?? codec);
  fc.assert(
    fc.property(sent, (wire) => {
      expect(thereAndBack(codec, wire)).toEqual(wire);
    }),
  );
});

test('only fields of one form and place are asked for', () =>
  expect(
    [tournament, shaped].map((record) => record.fields.filter((name) => !bothWays(codecs.of(record)).includes(name))),
  ).toEqual([['dateCreated'], ['level', 'rating', 'title_upper', 'kind', 'featured_alt', 'place', 'password', 'code']]));
