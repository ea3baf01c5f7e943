import { expect, test } from 'vitest';
import { bothWays, expectRoundTrip, symmetric } from '../round-trip.js';
import { sampleGraph } from './sample-graph.js';
import { codecs } from './sample-records.js';
import { approval, place, shaped, tournament } from './sample-tables.js';

const { schema } = sampleGraph();

test.for([approval, tournament, shaped])('$name: every record comes back as it was sent', (record) => {
  expectRoundTrip(symmetric(codecs.of(record), codecs) ?? record, schema);
});

test('only fields of one form and place are asked for', () =>
  expect(
    [tournament, shaped].map((record) => record.fields.filter((name) => !bothWays(codecs.of(record), codecs).includes(name))),
  ).toEqual([['dateCreated'], ['level', 'rating', 'title_upper', 'kind', 'featured_alt', 'place', 'password', 'code']]));

test('a record that is only shown has nothing to give back', () => expect(symmetric(codecs.of(place), codecs)).toBe(null));
