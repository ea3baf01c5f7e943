import fc from 'fast-check';
import { DateTime } from 'luxon';
import { describe, expect, test } from 'vitest';
import { occurrencesOf, type Series } from '../../../src/modules/scheduler/occurrences/occurrences.js';
import { adjustZoneTexts } from '../../../src/modules/scheduler/times/zone-offset.js';

const series = (values: Partial<Series>): Series => ({
  day: null,
  startsAt: null,
  endsAt: null,
  timeZone: null,
  repeats: 'DAILY',
  ...values,
});
const within = (from: string, until: string) => ({ after: Date.parse(from), until: Date.parse(until) });

test('start and end keep their local times across a daylight saving change', () => {
  const game = series({
    day: '2026-10-26T05:00:00Z',
    startsAt: '2026-10-26T14:30:00.123456Z',
    endsAt: '2026-10-27T03:15:00Z',
    timeZone: 'America/Chicago',
    repeats: 'WEEKLY',
  });
  expect(occurrencesOf(game, within('2026-10-27T00:00:00Z', '2026-11-09T23:00:00Z'))).toEqual([
    {
      occursOn: '2026-11-02',
      day: '2026-11-02T06:00:00Z',
      startsAt: '2026-11-02T15:30:00.123456Z',
      endsAt: '2026-11-03T04:15:00Z',
    },
    {
      occursOn: '2026-11-09',
      day: '2026-11-09T06:00:00Z',
      startsAt: '2026-11-09T15:30:00.123456Z',
      endsAt: '2026-11-10T04:15:00Z',
    },
  ]);
});

test('a day at midnight in UTC is a date and stays at midnight in UTC', () => {
  const game = series({ day: '2026-10-26T00:00:00Z', startsAt: '2026-10-26T14:30:00Z', timeZone: 'America/Chicago' });
  const days = occurrencesOf(game, within('2026-10-31T00:00:00Z', '2026-11-02T23:00:00Z')).map(({ day }) => day);
  expect(days).toEqual(['2026-10-31T00:00:00Z', '2026-11-01T00:00:00Z', '2026-11-02T00:00:00Z']);
});

test.for([
  ['the 31st is the last day of shorter months', '2027-12-31T18:00:00Z', ['01-31', '02-29', '03-31', '04-30', '05-31', '06-30']],
  ['the 30th is the last day of February', '2027-12-30T18:00:00Z', ['01-30', '02-29', '03-30', '04-30', '05-30', '06-30']],
  ['the 15th is the 15th', '2027-12-15T18:00:00Z', ['01-15', '02-15', '03-15', '04-15', '05-15', '06-15']],
] as const)('every month: %s', ([_, startsAt, dates]) => {
  const occurrences = occurrencesOf(
    series({ startsAt, repeats: 'MONTHLY' }),
    within('2028-01-01T00:00:00Z', '2028-06-30T23:00:00Z'),
  );
  expect(occurrences.map(({ occursOn }) => occursOn.slice(5))).toEqual(dates);
});

test('a monthly game past midnight ends on the next day, even at the end of a shorter month', () => {
  const game = series({ startsAt: '2027-01-31T23:00:00Z', endsAt: '2027-02-01T01:00:00Z', repeats: 'MONTHLY' });
  expect(occurrencesOf(game, within('2027-02-01T00:00:00Z', '2027-03-30T00:00:00Z'))).toEqual([
    { occursOn: '2027-02-28', day: null, startsAt: '2027-02-28T23:00:00Z', endsAt: '2027-03-01T01:00:00Z' },
  ]);
});

test.for([
  ['a game without a date is not repeated', series({}), 0],
  ['a game with only a day is repeated', series({ day: '2026-01-01T00:00:00Z' }), 3],
  ['an unknown time zone counts as UTC', series({ startsAt: '2026-01-01T12:00:00Z', timeZone: 'Mars/Olympus' }), 3],
  ['a game that starts later has no repetition yet', series({ startsAt: '2030-01-01T12:00:00Z' }), 0],
  [
    'a game from long ago has current repetitions',
    series({ startsAt: '0001-01-01T00:00:00.5Z', endsAt: '9999-12-31T23:59:59Z' }),
    3,
  ],
] as const)('%s', ([_, game, count]) => {
  expect(occurrencesOf(game, within('2026-05-01T00:00:00Z', '2026-05-04T00:00:00Z')).length).toBe(count);
});

const zones = ['America/Chicago', 'Europe/Berlin', 'Australia/Lord_Howe', 'Asia/Kolkata', 'America/St_Johns', 'UTC'] as const;
const moments = fc.integer({ min: Date.UTC(2026, 8, 1), max: Date.UTC(2027, 6, 1) });

test('any game has exactly the occurrences in the requested period', () => {
  const repeats = fc.constantFrom('DAILY', 'WEEKLY', 'MONTHLY');
  fc.assert(
    fc.property(moments, moments, fc.constantFrom(...zones), repeats, (start, after, timeZone, interval) => {
      const startsAt = new Date(start - (start % 1000)).toISOString().replace('.000', '');
      const until = after + 60 * 86_400_000;
      const unit = { DAILY: 'days', WEEKLY: 'weeks', MONTHLY: 'months' }[interval];
      const first = DateTime.fromISO(startsAt, { zone: timeZone });
      const all = Array.from({ length: 370 / { DAILY: 1, WEEKLY: 7, MONTHLY: 28 }[interval] }, (_, n) =>
        first.plus({ [unit]: n + 1 }),
      );
      const expected = all
        .filter((instant) => instant.toMillis() > after && instant.toMillis() <= until)
        .map((at) => at.toISODate());
      expect(
        occurrencesOf(series({ startsAt, timeZone, repeats: interval }), { after, until }).map(({ occursOn }) => occursOn),
      ).toEqual(expected);
    }),
    { numRuns: 50 },
  );
});

describe('abbreviation and offset of the time zone', () => {
  const game = {
    startsAt: '2026-10-26T14:30:00Z',
    day: null,
    timeZone: 'America/Chicago',
    timeZoneAbbreviation: 'CDT',
    utcOffset: -18_000,
  };
  test.for([
    ['follow daylight saving time', {}, { abbreviation: 'CST', offset: -21_600 }],
    ['follow it with an offset in hours', { utcOffset: -5 }, { abbreviation: 'CST', offset: -6 }],
    ['follow it with an offset in minutes', { utcOffset: -300 }, { abbreviation: 'CST', offset: -360 }],
    [
      'stay unchanged where they do not match the zone',
      { timeZoneAbbreviation: 'Central', utcOffset: 7 },
      { abbreviation: 'Central', offset: 7 },
    ],
    ['stay unchanged without a zone', { timeZone: null }, { abbreviation: 'CDT', offset: -18_000 }],
    ['stay unset', { timeZoneAbbreviation: null, utcOffset: null }, { abbreviation: null, offset: null }],
  ] as const)('%s', ([_, values, texts]) =>
    expect(adjustZoneTexts({ ...game, ...values }, '2026-11-02T15:30:00Z')).toEqual(texts),
  );
});
