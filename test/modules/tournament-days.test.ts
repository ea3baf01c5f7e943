import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/app.js';
import { at, tournamentsOf } from '../support/tournaments.js';

let app: TestApp;
const { save, find, read } = tournamentsOf(() => app);
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

/** A time zone in which it is now that hour of the day, 0 to 23. */
function zoneWhereItIs(hour: number): string {
  const ahead = ((hour - new Date().getUTCHours() + 36) % 24) - 12;
  return `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`;
}

/** The last midnight there was in a zone made by `zoneWhereItIs`. */
const midnightBefore = (hour: number, days = 0): string => {
  const begun = new Date();
  begun.setUTCMinutes(0, 0, 0);
  return new Date(begun.getTime() - hour * 3_600_000 - days * 86_400_000).toISOString();
};

const state = async (dates: object) => {
  const { id, phase } = await save(dates, 'id phase');
  const among = async (filter: object) => (await find({ ...filter, id: { eq: id } })).length === 1;
  return [phase, await among({ isUpcoming: true }), await among({ isPlaying: true }), await among({ isPast: true })];
};

const announced = ['ANNOUNCED', true, false, false];
const playing = ['PLAYING', false, true, false];
const over = ['OVER', false, false, true];

describe('a tournament', () => {
  const evening = zoneWhereItIs(20);
  const night = zoneWhereItIs(3);

  test.for<[string, unknown[], object]>([
    ['without an end is played to the end of its first day', playing, { startsAt: at(-10), timeZoneRaw: evening }],
    ['without an end is over when that day is over where it takes place', over, { startsAt: at(-10), timeZoneRaw: night }],
    [
      'that ends at midnight is played on that day, too',
      playing,
      { startsAt: at(-50), endsAt: midnightBefore(20), timeZoneRaw: evening },
    ],
    [
      'that ended at midnight of yesterday is over',
      over,
      { startsAt: at(-90), endsAt: midnightBefore(20, 1), timeZoneRaw: evening },
    ],
    [
      'that ends at a midnight of another zone ends there and then',
      over,
      { startsAt: at(-50), endsAt: midnightBefore(20), timeZoneRaw: night },
    ],
    ['that ends at an hour is over by then', over, { startsAt: at(-10), endsAt: at(-1), timeZoneRaw: evening }],
    [
      'whose end lies before its start is played to the end of its first day',
      playing,
      { startsAt: at(-10), endsAt: at(-40), timeZoneRaw: evening },
    ],
    ['that is ahead is announced', announced, { startsAt: at(1), timeZoneRaw: night }],
    ['with nothing but an end is announced until then', ['ANNOUNCED', false, false, false], { endsAt: at(1) }],
    ['with nothing but an end is over by then', over, { endsAt: at(-1) }],
    ['without dates is announced', ['ANNOUNCED', false, false, false], { timeZoneRaw: evening }],
    [
      'that was called off is not played',
      ['CANCELED', false, false, false],
      { startsAt: at(-1), endsAt: at(1), isCanceled: true },
    ],
    ['in a zone that nobody knows lives in UTC', over, { startsAt: '2026-03-01T10:00:00Z', timeZoneRaw: 'Mars/Olympus' }],
  ])('%s', async ([, expected, dates]) => expect(await state(dates)).toEqual(expected));
});

describe('registration', () => {
  const registering = async (dates: object) => {
    const { id, phase } = await save({ startsAt: at(500), ...dates }, 'id phase');
    return [phase, (await find({ isRegistering: true, id: { eq: id } })).length === 1];
  };

  test.for<[string, unknown[], object]>([
    ['with only an opening date is open from then on', ['REGISTERING', true], { registrationOpensAt: at(-1) }],
    ['with only an opening date is closed before it', ['ANNOUNCED', false], { registrationOpensAt: at(1) }],
    ['with only a closing date is open until then', ['REGISTERING', true], { registrationClosesAt: at(1) }],
    ['with only a closing date is closed from then on', ['CLOSED', false], { registrationClosesAt: at(-1) }],
    ['without dates is not open', ['ANNOUNCED', false], {}],
    ['that is closed by hand is closed', ['CLOSED', false], { registrationOpensAt: at(-1), isRegistrationClosed: true }],
    [
      'that closes before it opens never opens',
      ['ANNOUNCED', false],
      { registrationOpensAt: at(2), registrationClosesAt: at(1) },
    ],
    ['of a tournament that was called off is closed', ['CANCELED', false], { registrationOpensAt: at(-1), isCanceled: true }],
  ])('%s', async ([, expected, dates]) => expect(await registering(dates)).toEqual(expected));
});

describe('overlaps', () => {
  beforeAll(async () => {
    const platform = 'days';
    // Eight in the morning to six in the evening: 2 March 22:00Z to 4 March 05:00Z.
    await save({
      id: 'auckland',
      platformRaw: platform,
      timeZoneRaw: 'Pacific/Auckland',
      startsAt: '2026-03-02T19:00:00Z',
      endsAt: '2026-03-04T05:00:00Z',
    });
    await save({ id: 'utc', platformRaw: platform, startsAt: '2026-03-03T08:00:00Z', endsAt: '2026-03-04T00:00:00Z' });
    await save({ id: 'honolulu', platformRaw: platform, timeZoneRaw: 'Pacific/Honolulu', startsAt: '2026-03-04T18:00:00Z' });
    await save({ id: 'endless', platformRaw: platform, endsAt: '2026-03-03T08:00:00Z' });
  });
  const overlapping = (from?: string, until?: string) => find({ platformRaw: { eq: 'days' }, days: { gte: from, lte: until } });

  test.for<[string | undefined, string | undefined, string[]]>([
    [undefined, '2026-03-02T10:59:59Z', []],
    [undefined, '2026-03-02T11:00:00Z', ['auckland']],
    [undefined, '2026-03-02T23:59:59.999999Z', ['auckland']],
    [undefined, '2026-03-03T00:00:00Z', ['auckland', 'utc']],
    ['2026-03-04T10:59:59.999999Z', undefined, ['auckland', 'utc', 'honolulu']],
    ['2026-03-04T11:00:00Z', undefined, ['utc', 'honolulu']],
    ['2026-03-05T00:00:00Z', undefined, ['honolulu']],
    ['2026-03-05T10:00:00Z', undefined, []],
    ['2026-03-04T12:00:00Z', '2026-03-04T12:00:00Z', ['utc', 'honolulu']],
    ['2026-03-04T10:00:00Z', '2026-03-04T09:00:00Z', []],
    ['2020-01-01T00:00:00Z', '2030-01-01T00:00:00Z', ['auckland', 'utc', 'honolulu']],
    ['2026-03-04T11:00:00Z', '2030-01-01T00:00:00Z', ['utc', 'honolulu']],
    [undefined, undefined, ['auckland', 'utc', 'honolulu', 'endless']],
  ])('from %s until %s', async ([from, until, ids]) => expect(await overlapping(from, until)).toEqual(ids));
});

test('days follow the dates and the zone, whoever changes which of them at the same moment', async () => {
  const kept = () => app.sql.rows("select first_day_begins_at, last_day_ends_at, over_at from tournament where id = 'contended'");
  await save({ id: 'contended', startsAt: '2026-03-02T12:00:00Z' });
  await Promise.all([
    save({ id: 'contended', timeZoneRaw: 'Asia/Tokyo' }),
    save({ id: 'contended', startsAt: '2026-03-02T16:00:00Z' }),
    save({ id: 'contended', endsAt: '2026-03-04T15:00:00Z' }),
  ]);
  expect(await kept()).toEqual([
    { first_day_begins_at: '2026-03-02T15:00:00Z', last_day_ends_at: '2026-03-05T15:00:00Z', over_at: '2026-03-05T15:00:00Z' },
  ]);
});

test('a list of few goes on behind its cursors, whatever its order', async () => {
  for (const [id, hours] of [
    ['f1', -3],
    ['f2', -2],
    ['f3', -1.9],
    ['f4', -1],
  ] as const)
    await save({ id, platformRaw: 'few', startsAt: at(hours), endsAt: at(10) });
  const query = `query ($after: String, $direction: Direction!) {
    tournaments(first: 2, after: $after, filter: { platformRaw: { eq: "few" }, isPlaying: true }, orderBy: [{ field: STARTS_AT, direction: $direction }]) {
      nodes { id } pageInfo { hasNextPage endCursor } totalCount
    }
  }`;
  const walk = async (direction: string, after: string | null = null): Promise<string[]> => {
    const { nodes, pageInfo, totalCount } = (await app.graphql(query, { after, direction })).tournaments;
    const ids = [...nodes.map(({ id }: { id: string }) => id), totalCount];
    return pageInfo.hasNextPage ? [...ids, ...(await walk(direction, pageInfo.endCursor))] : ids;
  };
  const starts = async (id: string) => (await read(id, 'startsAt')).startsAt;
  expect([await walk('ASC'), await walk('DESC'), (await starts('f2')) < (await starts('f3'))]).toEqual([
    ['f1', 'f2', 4, 'f3', 'f4', 4],
    ['f4', 'f3', 4, 'f2', 'f1', 4],
    true,
  ]);
});
