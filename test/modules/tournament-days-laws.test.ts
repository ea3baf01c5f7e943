import fc from 'fast-check';
import { DateTime } from 'luxon';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertAll } from '../../src/demo/insert-sql.js';
import { nobody } from '../../src/kernel/declare/caller.js';
import { metaOf } from '../../src/kernel/declare/meta.js';
import { selectionOf } from '../../src/kernel/read/list.js';
import { TournamentPhase } from '../../src/modules/tournaments/phase.js';
import { phaseOf } from '../../src/modules/tournaments/phase-of.js';
import { Tournament } from '../../src/modules/tournaments/tournament.js';
import { tournamentFilters } from '../../src/modules/tournaments/tournament-filters.js';
import { startApp, type TestApp } from '../support/app.js';

/** Names of zones, and where their days are counted. Clocks change at midnight in Havana and Cairo, Apia left out a day. */
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
const begun = Date.UTC(2006, 0, 1);
/** Whole hours in thirty years, with a little more now and then, so that midnights and equal dates come up. */
const moment = fc
  .tuple(fc.oneof(fc.nat(262_800), fc.nat(200)), fc.constantFrom(0, 0, 0, 1, 1_800_000))
  .map(([hours, more]) => new Date(begun + hours * hour + more).toISOString());
const maybe = fc.option(moment, { freq: 3 });
const near = fc.integer({ min: -60, max: 120 });

const dates = fc
  .record({
    startsAt: maybe,
    endsAt: maybe,
    length: near,
    registrationOpensAt: maybe,
    registrationClosesAt: maybe,
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

/** The first moment of the day that many days after the one of an instant, in a zone. */
function dayOf(instant: string, zone: string, later = 0): DateTime {
  const midnight = DateTime.fromISO(instant, { zone }).startOf('day').plus({ days: later }).startOf('day');
  const earlier = midnight.minus({ hours: 1 });
  return earlier.hasSame(midnight, 'day') ? earlier : midnight;
}

/** What the database is to work out of the dates of a tournament. */
function expectedOf({ startsAt, endsAt, timeZone }: (typeof rows)[number]) {
  const zone = zones[timeZone] ?? 'UTC';
  const text = (day: DateTime | null) => (day ? day.toMillis() : null);
  const last = startsAt && endsAt && dayOf(endsAt, zone) > dayOf(startsAt, zone) ? endsAt : startsAt;
  const end = endsAt && DateTime.fromISO(endsAt, { zone });
  const isMidnight =
    end && (end.hour * 60 + end.minute === 0 || +end === +dayOf(endsAt, zone)) && end.second + end.millisecond === 0;
  const isBehind = endsAt && startsAt && Date.parse(endsAt) < Date.parse(startsAt);
  return {
    firstDayBeginsAt: startsAt && text(dayOf(startsAt, zone)),
    lastDayEndsAt: last && text(dayOf(last, zone, 1)),
    overAt:
      !endsAt || isBehind ? last && text(dayOf(last, zone, 1)) : isMidnight ? text(dayOf(endsAt, zone, 1)) : Date.parse(endsAt),
  };
}

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
  await insertAll(app.sql, Tournament, rows);
});
afterAll(() => app.close());

const keys = ['startsAt', 'overAt', 'registrationOpensAt', 'registrationClosesAt', 'isRegistrationClosed', 'isCanceled'];

test('the days of a tournament begin and end as the calendar of its zone has it', async () => {
  const kept = await app.sql.rows(
    `select ${selectionOf(metaOf(Tournament), ['id', 'firstDayBeginsAt', 'lastDayEndsAt', 'overAt'])} from tournament r`,
  );
  const millis = (at: unknown) => (typeof at === 'string' ? Date.parse(at) : null);
  const found = kept.map(({ id, ...days }) => [
    id,
    Object.fromEntries(Object.entries(days).map(([key, at]) => [key, millis(at)])),
  ]);
  expect(new Map(found as [string, object][])).toEqual(new Map(rows.map((row) => [row.id, expectedOf(row)])));
});

test('the phase and the filters are of one mind, whatever the dates, the zone and the moment', async () => {
  const text = (value: unknown) => `'${value}'`;
  const told = (filter: string, wanted: unknown, name: string) => {
    const condition = tournamentFilters[filter]?.sql(wanted, text, nobody, `filter.${filter}`) ?? 'null';
    return `coalesce(${typeof condition === 'string' ? condition : condition.where}, false) as "${name}"`;
  };
  const names = Object.keys(TournamentPhase);
  const filters = [
    ...['isPast', 'isUpcoming', 'isPlaying', 'isRegistering'].map((name) => told(name, true, name)),
    ...names.map((eq) => told('phase', { eq }, eq)),
  ];
  const known = await app.sql.rows<{ at: string }>(
    'select distinct unnest(array[starts_at, over_at, registration_opens_at, registration_closes_at]) as at from tournament order by 1',
  );
  const moments = known.flatMap(({ at }, index) => (at && index % 12 === 0 ? [at, `${at.slice(0, 19)}.000001Z`] : []));
  const answers = await app.sql.rows(
    `select m.at, ${selectionOf(metaOf(Tournament), ['id', ...keys])}, ${filters.join(', ').replaceAll('now()', 'm.at')}
     from tournament r cross join unnest($1::timestamptz[]) m(at)`,
    [moments],
  );
  const strays = answers.filter((row) => {
    const { at, startsAt, isCanceled, isPast, isUpcoming, isPlaying, isRegistering } = row;
    const phase = phaseOf(row as unknown as Tournament, String(at));
    const ahead = phase === 'ANNOUNCED' || phase === 'REGISTERING' || phase === 'CLOSED';
    return !(
      names.every((name) => row[name] === (name === phase)) &&
      (phase === 'CANCELED') === isCanceled &&
      (phase === 'PLAYING') === isPlaying &&
      (phase === 'OVER') === (isPast && !isCanceled) &&
      (phase === 'REGISTERING') === (isRegistering && !isPlaying && !isPast) &&
      (isCanceled || (ahead && startsAt !== null) === isUpcoming)
    );
  });
  const phases = Map.groupBy(answers, (row) => phaseOf(row as unknown as Tournament, String(row.at)));
  expect([strays.slice(0, 3), Math.min(...[...phases.values()].map((of) => of.length)) > 100, phases.size]).toEqual([
    [],
    true,
    6,
  ]);
});

test('a filter that is false asks for all the others', async () => {
  const count = async (filter: string) =>
    (await app.graphql(`{ tournaments(filter: { ${filter} }) { totalCount } }`)).tournaments.totalCount;
  for (const name of ['isPast', 'isUpcoming', 'isPlaying', 'isRegistering'])
    expect((await count(`${name}: true`)) + (await count(`${name}: false`))).toBe(rows.length);
});

test('a tournament overlaps what its days overlap', async () => {
  const kept = await app.sql.rows<{ id: string; first: string; last: string }>(
    'select id, first_day_begins_at as first, last_day_ends_at as last from tournament where first_day_begins_at is not null',
  );
  const spans = fc.sample(fc.tuple(maybe, near.map(Math.abs), fc.boolean(), fc.boolean()), { seed, numRuns: 120 });
  for (const [at, hours, isOpen, isLong] of spans) {
    const from = at ?? undefined;
    const until = isOpen
      ? undefined
      : new Date(Date.parse(at ?? '2020-01-01T00:00:00Z') + hours * hour * (isLong ? 500 : 1)).toISOString();
    if (!from && !until) continue;
    const expected = kept.filter(
      ({ first, last }) => (!from || Date.parse(last) > Date.parse(from)) && (!until || Date.parse(first) <= Date.parse(until)),
    );
    const values: unknown[] = [];
    const condition =
      tournamentFilters.days?.sql({ gte: from, lte: until }, (value) => `$${values.push(value)}`, nobody, 'filter.days') ?? '';
    const where = typeof condition === 'string' ? condition : condition.where;
    const found = await app.sql.rows(`select id from tournament r where ${where} order by id`, values);
    expect([from, until, found.map(({ id }) => id)]).toEqual([from, until, expected.map(({ id }) => id).toSorted()]);
    const branches = (typeof condition === 'string' ? undefined : condition.branches) ?? [];
    const apart = branches.map((branch) => `select id from tournament r where ${branch.where}`).join(' union all ');
    if (apart === '') continue;
    // Each in one branch only.
    const rows = await app.sql.rows(`select id from (${apart}) r where coalesce($${values.length + 1}, true) order by id`, [
      ...values,
      true,
    ]);
    expect([from, until, rows.map(({ id }) => id)]).toEqual([from, until, expected.map(({ id }) => id).toSorted()]);
  }
});
