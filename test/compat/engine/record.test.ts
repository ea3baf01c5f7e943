import { expect, test } from 'vitest';
import { type Codec, codecsOf, type LegacyRecord } from '../../../compat/engine/index.js';
import { Mismatch } from '../../../compat/engine/mismatch.js';
import { sampleGraph } from './sample-graph.js';
import { sampleRecords, shaped, signUp, tournament } from './sample-tables.js';

const problems: string[] = [];
const codecs = codecsOf(sampleGraph().schema, sampleRecords, (problem) => problems.push(problem));
const { encode, decode } = codecs.of(tournament);

/** What a decoder says of a record that is not as documented. */
const refusal = (record: LegacyRecord, sent: unknown): string => {
  try {
    return JSON.stringify(codecs.of(record).decode(sent));
  } catch (error) {
    if (error instanceof Mismatch) return `${error.field}: ${error.message}`;
    throw error;
  }
};

const set = {
  id: 't1',
  title: 'Austin Open',
  location: { city: 'Austin', latitude: 30.27, longitude: null },
  startsAt: '2026-03-01T09:30:00.25Z',
  isFeatured: true,
  registrationCount: 12,
  rating: 4.5,
  fee: JSON.rawJSON('12345678901234567.89'),
  level: 'NATIONAL',
  tags: ['open'],
  approvals: [{ bodyId: 'b1', status: 'ok' }],
  sanctions: [{ body: 'PPA', isSanctioned: true, levelTitle: 'Gold' }],
  settings: { courts: 4 },
  clubId: 'c1',
  createdAt: '2026-01-01T00:00:00Z',
};

test('the sample tables fit the graph', () => expect(problems).toEqual([]));

test('a record comes out in the order of its fields, with its exact numbers', () =>
  expect(JSON.stringify(encode(set))).toBe(
    '{"TournamentID":"t1","Title":"Austin Open","LocationCity":"Austin","Latitude":30.27,"Longitude":0,"TourneyFromDate":"2026-03-01T09:30:00.25Z",' +
      '"IsFeatured":true,"RegistrationCount":12,"Rating":4.5,"CostRegistrationCurrent":12345678901234567.89,"Level":"NATIONAL","Tags":["open"],' +
      '"GoverningBodies":[{"id":"b1","approvedStatus":"ok"}],"SanctionPPA":true,"SanctionAPP":false,"SantionLevelsPPATitle":"Gold",' +
      '"Settings":{"courts":4},"club_id":"c1","dateCreated":"2026-01-01T00:00:00Z"}',
  ));

test('unset values are empty texts, zeros, false, empty arrays and null timestamps', () =>
  expect(encode({ id: 't2', title: null, location: null, tags: null })).toEqual({
    TournamentID: 't2',
    Title: '',
    LocationCity: '',
    Latitude: 0,
    Longitude: 0,
    TourneyFromDate: null,
    IsFeatured: false,
    RegistrationCount: 0,
    Rating: 0,
    CostRegistrationCurrent: 0,
    Level: '',
    Tags: [],
    GoverningBodies: [],
    SanctionPPA: false,
    SanctionAPP: false,
    SantionLevelsPPATitle: '',
    Settings: null,
    club_id: '',
    dateCreated: null,
  }));

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

test('omitted fields are left out even when they are sent', () =>
  expect(
    decode({ Title: 'kept', LocationCity: 'x' }, { omit: new Set(tournament.fields.filter((name) => name !== 'Title')) }),
  ).toEqual({ title: 'kept' }));

test('a patch leaves absent fields alone and clears those that are null', () =>
  expect(decode({ LocationCity: 'Austin', Title: null }, { patch: true })).toEqual({
    title: null,
    location: { city: 'Austin' },
  }));

test('values that are set from elsewhere win', () =>
  expect(decode({ TournamentID: 'sent', Title: 'a' }, { patch: true, set: { TournamentID: 'path' } })).toEqual({
    id: 'path',
    title: 'a',
  }));

test('numbers come as decimal text, texts as numbers, timestamps as they were sent', () =>
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

const timestamp = 'expected an RFC 3339 timestamp such as 2026-03-01T09:30:00Z';
const deep = (levels: number): unknown => (levels ? [deep(levels - 1)] : 0);

test.for<[unknown, string]>([
  ['text', ': expected an object'],
  [[], ': expected an object'],
  [{ Title: true }, 'Title: expected a string'],
  [{ Title: {} }, 'Title: expected a string'],
  [{ Title: 'a\0b' }, 'Title: expected text without NUL characters'],
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
    '2026-02-28',
    '2026-02-28T10:00:00',
    '',
    5,
  ]
    .concat('0000-01-01T00:00:00Z', '0001-01-01T00:00:00+01:00', '2026-01-01T00:00:00.1234567890Z', '2026-01-01T00:00:00+24:00')
    .map((sent): [unknown, string] => [{ TourneyFromDate: sent }, `TourneyFromDate: ${timestamp}`]),
])('%j is refused', ([sent, message]) => expect(refusal(tournament, sent)).toBe(message));

test.for([
  '2024-02-29T23:59:59Z',
  '0001-01-01T00:00:00Z',
  '9999-12-31T23:59:59.999999999Z',
  '2026-03-01t09:30:00z',
  '2026-03-01T09:30:00-23:59',
])('%s is a timestamp', (sent) => expect(decode({ TourneyFromDate: sent }, { patch: true })).toEqual({ startsAt: sent }));

const other: Codec = codecs.of(shaped);

test('every shape in responses', () =>
  expect(
    other.encode({
      ...set,
      registrationCount: 12,
      clubId: '7',
      tags: ['a', 'b'],
      startsAt: '2026-03-01T09:30:00.9Z',
      rating: null,
      code: null,
    }),
  ).toEqual({
    uuid: 't1',
    count: '12',
    level: 'NATIONAL_LEVEL',
    tags: 'a,b',
    club: 7,
    rating: null,
    starts_at: 1772357400,
    title_upper: 'AUSTIN OPEN',
    kind: 'tournament',
    featured_alt: true,
    place: { City: 'Austin', Latitude: '30.27' },
    code: 'none',
    title: 'Austin Open',
  }));

test('every shape of unset values', () =>
  expect(other.encode({ id: 't1', title: null, location: null, tags: [] })).toEqual({
    uuid: 't1',
    count: '',
    level: '',
    tags: '',
    club: 0,
    rating: null,
    starts_at: 0,
    title_upper: '',
    kind: 'tournament',
    featured_alt: false,
    place: null,
    code: 'none',
    title: '',
  }));

test('every shape in requests', () =>
  expect(
    other.decode(
      {
        count: '12',
        level: 2,
        tags: 'a,b',
        club: 7,
        starts_at: 1772357400,
        featured_alt: true,
        place: {},
        password: 'secret',
        kind: 'x',
        code: 'y',
      },
      { patch: true },
    ),
  ).toEqual({
    registrationCount: 12,
    level: 'NATIONAL',
    tags: ['a', 'b'],
    clubId: '7',
    startsAt: '2026-03-01T09:30:00Z',
    password: 'secret',
  }));

test.for<[unknown, string]>([
  [{ count: 'many' }, 'count: expected a whole number of 32 bits'],
  [{ level: 3 }, 'level: expected one of 1, 2'],
  [{ club: 'c' }, 'club: expected a number'],
  [{ starts_at: 1e15 }, 'starts_at: expected Unix seconds'],
])('%j has the wrong shape', ([sent, message]) => expect(refusal(shaped, sent)).toBe(message));

test.for<[unknown, string]>([
  [{ phone: 1 }, 'email: expected a value'],
  [{ email: '' }, 'email: expected a value'],
  [{ email: 'a@b.c' }, '{"email":"a@b.c","isAdult":false,"phone":null}'],
])('%j meets an input that demands values', ([sent, outcome]) => expect(refusal(signUp, sent)).toBe(outcome));
