import fc from 'fast-check';
import { DateTime } from 'luxon';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertAll } from '../../../src/demo/insert-sql.js';
import { mainRow, Shape, SqlExpression, textOf } from '../../../src/kernel/declare/expression.js';
import type { FilterCondition } from '../../../src/kernel/declare/fields/options.js';
import { metaOf } from '../../../src/kernel/declare/meta.js';
import { anonymousCaller } from '../../../src/kernel/declare/policy/caller.js';
import { selectionOf } from '../../../src/kernel/read/list.js';
import { phaseOf, TournamentPhase } from '../../../src/modules/tournaments/dates/phase.js';
import { Tournament } from '../../../src/modules/tournaments/tournament.js';
import { tournamentFilters } from '../../../src/modules/tournaments/tournament-filters.js';
import { startApp, type TestApp } from '../../support/servers/app.js';

/**
 * Time zone names of tournaments, mapped to the zones in which the days are computed.
 * Daylight saving time starts at midnight in Havana and Cairo. Apia skipped a day.
 */
const zones: Record<string, string> = {
  'America/Chicago': 'America/Chicago',
  'america/new_york': 'America/New_York',
  'America/Havana': 'America/Havana',
  'Africa/Cairo': 'Africa/Cairo',
  'Asia/Kathmandu': 'Asia/Kathmandu',
  'Pacific/Apia': 'Pacific/Apia',
  'Etc/GMT-14': 'Etc/GMT-14',
  'US/Hawaii': 'Pacific/Honolulu',
  CET: 'Europe/Brussels',
  WET: 'Europe/Lisbon',
  CST: 'UTC',
  Foo5: 'UTC',
  'Etc/GMT+13': 'UTC',
  'Mars/Olympus': 'UTC',
  '': 'UTC',
};

const hour = 3_600_000;
const earliest = Date.UTC(2006, 0, 1);
/** Instants within thirty years, mostly on the hour, so that midnights and equal instants occur. */
const instant = fc
  .tuple(fc.oneof(fc.nat(262_800), fc.nat(200)), fc.constantFrom(0, 0, 0, 1, 1_800_000))
  .map(([hours, offset]) => new Date(earliest + hours * hour + offset).toISOString());
const optionalInstant = fc.option(instant, { freq: 3 });
const hourCount = fc.integer({ min: -60, max: 120 });

const dates = fc
  .record({
    startsAt: optionalInstant,
    endsAt: optionalInstant,
    length: hourCount,
    registrationOpensAt: optionalInstant,
    registrationClosesAt: optionalInstant,
    timeZone: fc.constantFrom(...Object.keys(zones)),
    isRegistrationClosed: fc.nat(5).map((n) => n === 0),
    isCanceled: fc.nat(5).map((n) => n === 0),
  })
  .map(({ length, ...row }) => ({
    ...row,
    endsAt: row.startsAt && row.endsAt ? new Date(Date.parse(row.startsAt) + length * hour).toISOString() : row.endsAt,
  }));

const seed = 43;
const rows = fc.sample(dates, { seed, numRuns: 400 }).map((row, index) => ({ id: `t${index}`, ...row }));

/** Returns the start of the local day that is `addedDays` days after the day of an instant. */
function startOfDay(instant: string, zone: string, addedDays = 0): DateTime {
  const midnight = DateTime.fromISO(instant, { zone }).startOf('day').plus({ days: addedDays }).startOf('day');
  const earlier = midnight.minus({ hours: 1 });
  return earlier.hasSame(midnight, 'day') ? earlier : midnight;
}

/** Returns the day boundaries that the database must compute from the dates of a tournament. */
function expectedDays({ startsAt, endsAt, timeZone }: (typeof rows)[number]) {
  const zone = zones[timeZone] ?? 'UTC';
  const millis = (day: DateTime | null) => (day ? day.toMillis() : null);
  const last = startsAt && endsAt && startOfDay(endsAt, zone) > startOfDay(startsAt, zone) ? endsAt : startsAt;
  const end = endsAt && DateTime.fromISO(endsAt, { zone });
  const isMidnight =
    end && (end.hour * 60 + end.minute === 0 || +end === +startOfDay(endsAt, zone)) && end.second + end.millisecond === 0;
  const endsBeforeStart = endsAt && startsAt && Date.parse(endsAt) < Date.parse(startsAt);
  return {
    firstDayStartsAt: startsAt && millis(startOfDay(startsAt, zone)),
    lastDayEndsAt: last && millis(startOfDay(last, zone, 1)),
    effectiveEndsAt:
      !endsAt || endsBeforeStart
        ? last && millis(startOfDay(last, zone, 1))
        : isMidnight
          ? millis(startOfDay(endsAt, zone, 1))
          : Date.parse(endsAt),
  };
}

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
  await insertAll(app.sql, Tournament, rows);
});
afterAll(() => app.close());

const phaseColumns = [
  'startsAt',
  'effectiveEndsAt',
  'registrationOpensAt',
  'registrationClosesAt',
  'isRegistrationClosed',
  'isCanceled',
];

test('the days of a tournament start and end as in the calendar of its time zone', async () => {
  const stored = await app.sql.rows(
    `select ${selectionOf(metaOf(Tournament), ['id', 'firstDayStartsAt', 'lastDayEndsAt', 'effectiveEndsAt'])} from tournament r`,
  );
  const millis = (instant: unknown) => (typeof instant === 'string' ? Date.parse(instant) : null);
  const daysById = stored.map(({ id, ...days }) => [
    id,
    Object.fromEntries(Object.entries(days).map(([key, instant]) => [key, millis(instant)])),
  ]);
  expect(new Map(daysById as [string, object][])).toEqual(new Map(rows.map((row) => [row.id, expectedDays(row)])));
});

function conditionOf(filter: string, value: unknown): FilterCondition {
  const condition = tournamentFilters[filter]?.sql(value, mainRow, anonymousCaller, `filter.${filter}`);
  if (!condition) throw new Error(`tournaments have no filter ${filter}`);
  return condition instanceof SqlExpression ? { where: condition } : condition;
}

test('the phase and the filters agree for all dates, time zones and instants', async () => {
  const filterColumn = (filter: string, value: unknown, name: string) => {
    const condition = textOf(conditionOf(filter, value).where, (parameter) => `'${parameter.value}'`);
    return `coalesce(${condition}, false) as "${name}"`;
  };
  const names = Object.keys(TournamentPhase);
  const filters = [
    ...['isPast', 'isUpcoming', 'isPlaying', 'isRegistering'].map((name) => filterColumn(name, true, name)),
    ...names.map((eq) => filterColumn('phase', { eq }, eq)),
  ];
  const boundaries = await app.sql.rows<{ at: string }>(
    'select distinct unnest(array[starts_at, effective_ends_at, registration_opens_at, registration_closes_at]) as at from tournament order by 1',
  );
  const instants = boundaries.flatMap(({ at }, index) => (at && index % 12 === 0 ? [at, `${at.slice(0, 19)}.000001Z`] : []));
  const tournamentsAtInstants = await app.sql.rows(
    `select m.at, ${selectionOf(metaOf(Tournament), ['id', ...phaseColumns])}, ${filters.join(', ').replaceAll('now()', 'm.at')}
     from tournament r cross join unnest($1::timestamptz[]) m(at)`,
    [instants],
  );
  const contradictions = tournamentsAtInstants.filter((row) => {
    const { at, startsAt, isCanceled, isPast, isUpcoming, isPlaying, isRegistering } = row;
    const phase = phaseOf(row as unknown as Tournament, String(at));
    const isAhead = phase === 'ANNOUNCED' || phase === 'REGISTERING' || phase === 'CLOSED';
    return !(
      names.every((name) => row[name] === (name === phase)) &&
      (phase === 'CANCELED') === isCanceled &&
      (phase === 'PLAYING') === isPlaying &&
      (phase === 'OVER') === (isPast && !isCanceled) &&
      (phase === 'REGISTERING') === (isRegistering && !isPlaying && !isPast) &&
      (isCanceled || (isAhead && startsAt !== null) === isUpcoming)
    );
  });
  const phases = Map.groupBy(tournamentsAtInstants, (row) => phaseOf(row as unknown as Tournament, String(row.at)));
  expect(contradictions.slice(0, 3)).toEqual([]);
  // Each of the six phases must occur more than 100 times, so that the test covers it.
  expect(phases.size).toBe(6);
  expect(Math.min(...[...phases.values()].map(({ length }) => length))).toBeGreaterThan(100);
});

test('a filter set to false selects all tournaments that it excludes when true', async () => {
  const count = async (filter: string) =>
    (await app.graphql(`{ tournaments(filter: { ${filter} }) { totalCount } }`)).tournaments.totalCount;
  for (const name of ['isPast', 'isUpcoming', 'isPlaying', 'isRegistering'])
    expect((await count(`${name}: true`)) + (await count(`${name}: false`))).toBe(rows.length);
});

test('the filter playedAt finds tournaments that overlap a time range, each in exactly one branch', async () => {
  const tournaments = await app.sql.rows<{ id: string; first: string; last: string }>(
    'select id, first_day_starts_at as first, last_day_ends_at as last from tournament where first_day_starts_at is not null',
  );
  const spans = fc.sample(fc.tuple(optionalInstant, hourCount.map(Math.abs), fc.boolean(), fc.boolean()), { seed, numRuns: 120 });
  for (const [at, hours, isOpen, isLong] of spans) {
    const from = at ?? undefined;
    const until = isOpen
      ? undefined
      : new Date(Date.parse(at ?? '2020-01-01T00:00:00Z') + hours * hour * (isLong ? 500 : 1)).toISOString();
    if (!from && !until) continue;
    const overlapping = tournaments.filter(
      ({ first, last }) => (!from || Date.parse(last) > Date.parse(from)) && (!until || Date.parse(first) <= Date.parse(until)),
    );
    const { where, branches = [] } = conditionOf('playedAt', { gte: from, lte: until });
    const { values, parameters } = new Shape().add(where);
    const numbered = (condition: SqlExpression) => textOf(condition, (parameter) => `$${parameters.indexOf(parameter) + 1}`);
    const expected = { from, until, ids: overlapping.map(({ id }) => id).toSorted() };
    const filtered = await app.sql.rows(`select id from tournament r where ${numbered(where)} order by id`, values);
    expect({ from, until, ids: filtered.map(({ id }) => id) }).toEqual(expected);
    const union = branches.map((branch) => `select id from tournament r where ${numbered(branch.where)}`).join(' union all ');
    if (union === '') continue;
    // `union all` returns a tournament twice if two branches match it.
    const inBranches = await app.sql.rows(`select id from (${union}) r where coalesce($${values.length + 1}, true) order by id`, [
      ...values,
      true,
    ]);
    expect({ from, until, ids: inBranches.map(({ id }) => id) }).toEqual(expected);
  }
});
