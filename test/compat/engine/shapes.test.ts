import { expect, test } from 'vitest';
import type { Codec } from '../../../compat/engine/index.js';
import { codecs, completeTournament, outcome } from './sample-records.js';
import { shaped } from './sample-tables.js';

const codec: Codec = codecs.get(shaped);

test('encodes every shape of a response', () =>
  expect(
    codec.encode({
      ...completeTournament,
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
    level: 2,
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

test('encodes unset values in every shape', () =>
  expect(codec.encode({ id: 't1', title: null, location: null, tags: [] })).toEqual({
    uuid: 't1',
    count: '',
    level: 0,
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

test('decodes every shape of a request', () =>
  expect(
    codec.decode(
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
])('rejects the wrong shape %j', ([sent, message]) => expect(outcome(shaped, sent)).toBe(message));
