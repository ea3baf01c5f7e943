import { expect, test } from 'vitest';
import { camelExcept, codecsOf, decimalString, enumNumber, record } from '../../../compat/engine/index.js';
import { sampleGraph } from './sample-graph.js';

const responseRecord = record('ShownTournament', {
  type: 'Tournament',
  fields: 'uuid TournamentTitle start_date registration_count featured_twin code',
  paths: { uuid: 'id', TournamentTitle: 'title', start_date: 'startsAt', featured_twin: 'code' },
  as: { registration_count: decimalString },
});
const requestRecord = record('SentTournament', {
  type: 'Tournament',
  input: 'TournamentInput',
  responseRecords: [responseRecord],
  keys: camelExcept({}),
  fields: 'uuid title startsAt registrationCount isFeatured level',
  as: { level: enumNumber({ LOCAL: 1, NATIONAL: 2 }, { LOCAL_LEVEL: 'LOCAL', NO_LEVEL: null }) },
});
const { decode } = codecsOf(sampleGraph().schema, [responseRecord, requestRecord], (problem) => expect.fail(problem)).get(
  requestRecord,
);

const unsetFields = { id: null, title: null, startsAt: null, registrationCount: null };

test.for<[string, Record<string, unknown>, Record<string, unknown>]>([
  [
    'response names',
    { uuid: 't1', TournamentTitle: 'A', registration_count: '3' },
    { ...unsetFields, id: 't1', title: 'A', registrationCount: 3 },
  ],
  ['the request name if both names are sent', { title: 'A', TournamentTitle: 'B' }, { ...unsetFields, title: 'A' }],
  ['null under the request name if both names are sent', { title: null, TournamentTitle: 'B' }, unsetFields],
  ['an unset value of the response', { TournamentTitle: '' }, unsetFields],
  ['fields that responses omit', { TournamentTitle: 'A', isFeatured: true }, { ...unsetFields, title: 'A', isFeatured: true }],
])('reads %s', ([, value, input]) => expect(decode(value)).toEqual(input));

test('fields that responses omit have their defaults in other requests', () =>
  expect(decode({ title: 'A' })).toEqual({ ...unsetFields, title: 'A', isFeatured: false, level: null }));

test('a response name in fieldsToOmit omits the field', () =>
  expect(decode({ TournamentTitle: 'A' }, { omit: new Set(['TournamentTitle', 'start_date']) })).toEqual({
    id: null,
    registrationCount: null,
  }));

test('an error names the field as the request does', () =>
  expect(() => decode({ start_date: 'soon' })).toThrow('start_date: expected an ISO 8601 timestamp'));

test.for([
  [2, 'NATIONAL'],
  ['LOCAL_LEVEL', 'LOCAL'],
  ['NO_LEVEL', null],
])('an enumeration reads %s as %s', ([value, level]) => expect(decode({ level: value }, { patch: true })).toEqual({ level }));
