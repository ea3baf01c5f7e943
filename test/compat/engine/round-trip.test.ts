import { expect, test } from 'vitest';
import { expectRoundTrip, symmetric, symmetricFields } from '../round-trip.js';
import { sampleGraph } from './sample-graph.js';
import { codecs } from './sample-records.js';
import { approval, place, shaped, tournament } from './sample-tables.js';

const { schema } = sampleGraph();

test.for([approval, tournament, shaped])('every $name is unchanged after decoding and encoding', (record) => {
  expectRoundTrip(symmetric(codecs.get(record), codecs) ?? record, schema);
});

test('symmetricFields excludes fields that differ between requests and responses', () => {
  const excluded = (record: typeof tournament) =>
    record.fields.filter((name) => !symmetricFields(codecs.get(record), codecs).includes(name));
  expect({ tournament: excluded(tournament), shaped: excluded(shaped) }).toEqual({
    tournament: ['dateCreated'],
    shaped: ['rating', 'title_upper', 'kind', 'featured_alt', 'place', 'password', 'code'],
  });
});

test('a read-only record has no symmetric table', () => expect(symmetric(codecs.get(place), codecs)).toBe(null));
