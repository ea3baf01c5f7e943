import { expect, test } from 'vitest';
import { codecs, outcome } from './sample-records.js';
import { signUp, tournament } from './sample-tables.js';

const { decode } = codecs.get(tournament);

const cleared = {
  id: null,
  title: null,
  location: { city: null, latitude: null, longitude: null },
  startsAt: null,
  isFeatured: false,
  registrationCount: null,
  rating: null,
  fee: null,
  level: null,
  tags: [],
  approvals: [],
  sanctions: [
    { body: 'PPA', isSanctioned: false, levelTitle: null },
    { body: 'APP', isSanctioned: false },
  ],
  settings: null,
  clubId: null,
};

test.for([
  ['absent', {}],
  ['null', Object.fromEntries(tournament.fields.map((name) => [name, null]))],
] as const)('%s fields are set to their defaults', ([, sent]) => expect(decode(sent)).toEqual(cleared));

test('fields to omit are absent from the input even if they are sent', () =>
  expect(
    decode({ Title: 'kept', LocationCity: 'x' }, { omit: new Set(tournament.fields.filter((name) => name !== 'Title')) }),
  ).toEqual({ title: 'kept' }));

test('the ID of the record cannot be omitted', () =>
  expect(
    decode(
      { TournamentID: 't1', Title: 'x', Rating: 1 },
      { patch: true, omit: new Set(['TournamentID', 'Title', 'Rating']), set: { Rating: 2 } },
    ),
  ).toEqual({ id: 't1', rating: 2 }));

test('a patch keeps absent fields and clears fields that are null', () =>
  expect(decode({ LocationCity: 'Austin', Title: null }, { patch: true })).toEqual({
    title: null,
    location: { city: 'Austin' },
  }));

test('an absent, null or empty owner is not part of the input', () => {
  const owned = { ...tournament, name: 'Owned', fields: ['club_id', 'Title'], owner: 'club_id', paths: {}, as: {} };
  const decodeOwned = codecs.get(owned).decode;
  expect({
    absent: decodeOwned({}),
    null: decodeOwned({ club_id: null }),
    empty: decodeOwned({ club_id: '' }),
    set: decodeOwned({ club_id: 'c' }),
  }).toEqual({
    absent: { title: null },
    null: { title: null },
    empty: { title: null },
    set: { clubId: 'c', title: null },
  });
});

test('a value in the path takes precedence over the payload', () =>
  expect(decode({ TournamentID: 'sent', Title: 'a' }, { patch: true, set: { TournamentID: 'path' } })).toEqual({
    id: 'path',
    title: 'a',
  }));

test('numbers are accepted as text and text as numbers, and timestamps are unchanged', () =>
  expect(
    decode(
      {
        Title: 1e21,
        LocationCity: JSON.rawJSON('12345678901234567890'),
        Latitude: '30.27',
        TourneyFromDate: '2026-03-01T09:30:00.123456789+02:00',
        RegistrationCount: '12',
        Rating: 0.0000001,
        CostRegistrationCurrent: JSON.rawJSON('12345678901234567.89'),
        Tags: [1, ''],
        Level: '',
        GoverningBodies: [{ id: 7 }],
        Settings: { a: [null] },
      },
      { patch: true },
    ),
  ).toEqual({
    title: '1000000000000000000000',
    location: { city: '12345678901234567890', latitude: 30.27 },
    startsAt: '2026-03-01T09:30:00.123456789+02:00',
    registrationCount: 12,
    rating: 0.0000001,
    fee: '12345678901234567.89',
    tags: ['1', ''],
    level: null,
    approvals: [{ bodyId: '7', status: null }],
    settings: { a: [null] },
  }));

const timestamp = 'expected an ISO 8601 timestamp such as 2026-03-01T09:30:00Z';
const deep = (levels: number): unknown => (levels ? [deep(levels - 1)] : 0);

test.for<[unknown, string]>([
  ['text', ': expected an object'],
  [[], ': expected an object'],
  [{ Title: true }, 'Title: expected a string'],
  [{ Title: {} }, 'Title: expected a string'],
  [{ Title: 'a\0b' }, 'Title: expected text without NUL characters'],
  [{ Title: '\ud83d' }, 'Title: expected well-formed Unicode text'],
  [{ Title: JSON.parse('1e400') }, 'Title: expected a string'],
  [{ Latitude: 'north' }, 'Latitude: expected a number'],
  [{ Latitude: '' }, 'Latitude: expected a number'],
  [{ Latitude: Infinity }, 'Latitude: expected a number'],
  [{ Latitude: `${'9'.repeat(400)}` }, 'Latitude: expected a number'],
  [{ CostRegistrationCurrent: '1e3' }, 'CostRegistrationCurrent: expected a number'],
  [{ RegistrationCount: 1.5 }, 'RegistrationCount: expected a whole number of 32 bits'],
  [{ RegistrationCount: 3_000_000_000 }, 'RegistrationCount: expected a whole number of 32 bits'],
  [{ IsFeatured: 'true' }, 'IsFeatured: expected true or false'],
  [{ IsFeatured: 1 }, 'IsFeatured: expected true or false'],
  [{ Level: 'WORLD' }, 'Level: expected one of LOCAL, NATIONAL'],
  [{ Tags: 'open' }, 'Tags: expected an array'],
  [{ Tags: ['a', null] }, 'Tags[1]: expected a string'],
  [{ GoverningBodies: [{ id: 'a' }, { id: [] }] }, 'GoverningBodies[1].id: expected a string'],
  [{ GoverningBodies: ['a'] }, 'GoverningBodies[0]: expected an object'],
  [{ Settings: deep(60) }, 'Settings: expected a value that is nested at most 50 levels deep'],
  [{ Settings: { 'a\0': 1 } }, 'Settings: expected text without NUL characters'],
  ...[
    '2026-13-01T00:00:00Z',
    '2026-02-30T00:00:00Z',
    '2026-02-28T25:00:00Z',
    '2026-02-28T23:60:00Z',
    '2026-02-30',
    '2026-2-28',
    '20260228',
    '2026-02-28T10',
    '2026-02-28T25:00',
    '2026-02-28 10:00',
    '2026-02-28 10:00:00Z',
    '2026-02-28T10:00+99',
    '2026-02-28T10:00:00+0260',
    '2026-02-28+02:00',
    '',
    5,
  ]
    .concat('0000-01-01T00:00:00Z', '0001-01-01T00:00:00+01:00', '2026-01-01T00:00:00.1234567890Z', '2026-01-01T00:00:00+24:00')
    .map((sent): [unknown, string] => [{ TourneyFromDate: sent }, `TourneyFromDate: ${timestamp}`]),
])('rejects %j', ([sent, message]) => expect(outcome(tournament, sent)).toBe(message));

test.for([
  '2024-02-29T23:59:59Z',
  '0001-01-01T00:00:00Z',
  '9999-12-31T23:59:59.999999999Z',
  '2026-03-01t09:30:00z',
  '2026-03-01T09:30:00-23:59',
])('accepts the timestamp %s', (sent) => expect(decode({ TourneyFromDate: sent }, { patch: true })).toEqual({ startsAt: sent }));

test.for([
  ['2026-01-02', '2026-01-02T00:00:00Z'],
  ['2024-02-29', '2024-02-29T00:00:00Z'],
  ['2026-01-02T03:04', '2026-01-02T03:04:00Z'],
  ['2026-01-02T03:04Z', '2026-01-02T03:04:00Z'],
  ['2026-01-02t03:04z', '2026-01-02T03:04:00Z'],
  ['2026-01-02T03:04:05', '2026-01-02T03:04:05Z'],
  ['2026-01-02T03:04:05.123456789', '2026-01-02T03:04:05.123456789Z'],
  ['2026-01-02T03:04+02:00', '2026-01-02T03:04:00+02:00'],
  ['2026-01-02T03:04:05+0200', '2026-01-02T03:04:05+02:00'],
  ['2026-01-02T03:04:05.5-0330', '2026-01-02T03:04:05.5-03:30'],
  ['2026-01-02T03:04:05+02', '2026-01-02T03:04:05+02:00'],
  ['2026-01-02T03:04-11', '2026-01-02T03:04:00-11:00'],
])('decodes the timestamp %s as %s', ([sent, startsAt]) =>
  expect(decode({ TourneyFromDate: sent }, { patch: true })).toEqual({ startsAt }),
);

test.for<[unknown, string]>([
  [{ phone: 1 }, 'email: expected a value'],
  [{ email: '' }, 'email: expected a value'],
  [{ email: 'a@b.c' }, '{"email":"a@b.c","isAdult":false,"phone":null}'],
])('decodes %j for an input with required values', ([sent, result]) => expect(outcome(signUp, sent)).toBe(result));
