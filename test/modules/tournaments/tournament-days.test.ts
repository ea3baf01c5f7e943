import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { instantAt, tournamentsOf } from '../../support/fixtures/tournaments.js';
import { startApp, type TestApp } from '../../support/servers/app.js';

let app: TestApp;
const { save, find, read } = tournamentsOf(() => app);
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

/** Returns a time zone in which the current local time is within the given hour (0 to 23). */
function zoneAtHour(hour: number): string {
  const ahead = ((hour - new Date().getUTCHours() + 36) % 24) - 12;
  return `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`;
}

/** Returns the most recent midnight in the time zone `zoneAtHour(hour)`, or the midnight `days` days before it. */
const lastMidnight = (hour: number, days = 0): string => {
  const fullHour = new Date();
  fullHour.setUTCMinutes(0, 0, 0);
  return new Date(fullHour.getTime() - hour * 3_600_000 - days * 86_400_000).toISOString();
};

interface State {
  phase: string;
  isUpcoming: boolean;
  isPlaying: boolean;
  isPast: boolean;
}
/** Saves a tournament with the given dates. Returns its phase and whether each filter matches it. */
const stateOf = async (dates: object): Promise<State> => {
  const { id, phase } = await save(dates, 'id phase');
  const matches = async (filter: object) => (await find({ ...filter, id: { eq: id } })).length === 1;
  return {
    phase,
    isUpcoming: await matches({ isUpcoming: true }),
    isPlaying: await matches({ isPlaying: true }),
    isPast: await matches({ isPast: true }),
  };
};

const announced: State = { phase: 'ANNOUNCED', isUpcoming: true, isPlaying: false, isPast: false };
const dateless: State = { ...announced, isUpcoming: false };
const canceled: State = { ...dateless, phase: 'CANCELED' };
const playing: State = { phase: 'PLAYING', isUpcoming: false, isPlaying: true, isPast: false };
const over: State = { phase: 'OVER', isUpcoming: false, isPlaying: false, isPast: true };

describe('a tournament', () => {
  const evening = zoneAtHour(20);
  const night = zoneAtHour(3);

  test.for<[string, State, object]>([
    ['without an end is played until the end of its first day', playing, { startsAt: instantAt(-10), timeZone: evening }],
    ['without an end is over when its first day has ended in its time zone', over, { startsAt: instantAt(-10), timeZone: night }],
    [
      'that ends at midnight is also played on that day',
      playing,
      { startsAt: instantAt(-50), endsAt: lastMidnight(20), timeZone: evening },
    ],
    [
      'that ended at the midnight before last is over',
      over,
      { startsAt: instantAt(-90), endsAt: lastMidnight(20, 1), timeZone: evening },
    ],
    [
      'that ends at midnight in another time zone is over at that instant',
      over,
      { startsAt: instantAt(-50), endsAt: lastMidnight(20), timeZone: night },
    ],
    [
      'that ends at an hour other than midnight is over at that hour',
      over,
      { startsAt: instantAt(-10), endsAt: instantAt(-1), timeZone: evening },
    ],
    [
      'whose end is before its start is played until the end of its first day',
      playing,
      { startsAt: instantAt(-10), endsAt: instantAt(-40), timeZone: evening },
    ],
    ['that starts later is announced', announced, { startsAt: instantAt(1), timeZone: night }],
    ['with only an end is announced until then', dateless, { endsAt: instantAt(1) }],
    ['with only an end is over after it', over, { endsAt: instantAt(-1) }],
    ['without dates is announced', dateless, { timeZone: evening }],
    ['that was canceled is not played', canceled, { startsAt: instantAt(-1), endsAt: instantAt(1), isCanceled: true }],
    ['in an unknown time zone has days in UTC', over, { startsAt: '2026-03-01T10:00:00Z', legacy: { timeZone: 'Mars/Olympus' } }],
  ])('%s', async ([, expected, dates]) => expect(await stateOf(dates)).toEqual(expected));
});

describe('registration', () => {
  const registrationStateFor = async (dates: object) => {
    const { id, phase } = await save({ startsAt: instantAt(500), ...dates }, 'id phase');
    return { phase, isRegistering: (await find({ isRegistering: true, id: { eq: id } })).length === 1 };
  };

  test.for<[string, object, object]>([
    [
      'with only an opening date is open from then on',
      { phase: 'REGISTERING', isRegistering: true },
      { registrationOpensAt: instantAt(-1) },
    ],
    [
      'with only an opening date is closed before it',
      { phase: 'ANNOUNCED', isRegistering: false },
      { registrationOpensAt: instantAt(1) },
    ],
    [
      'with only a closing date is open until then',
      { phase: 'REGISTERING', isRegistering: true },
      { registrationClosesAt: instantAt(1) },
    ],
    [
      'with only a closing date is closed from then on',
      { phase: 'CLOSED', isRegistering: false },
      { registrationClosesAt: instantAt(-1) },
    ],
    ['without dates is not open', { phase: 'ANNOUNCED', isRegistering: false }, {}],
    [
      'that is closed manually is closed',
      { phase: 'CLOSED', isRegistering: false },
      { registrationOpensAt: instantAt(-1), isRegistrationClosed: true },
    ],
    [
      'that closes before it opens never opens',
      { phase: 'ANNOUNCED', isRegistering: false },
      { registrationOpensAt: instantAt(2), registrationClosesAt: instantAt(1) },
    ],
    [
      'of a canceled tournament is closed',
      { phase: 'CANCELED', isRegistering: false },
      { registrationOpensAt: instantAt(-1), isCanceled: true },
    ],
  ])('%s', async ([, expected, dates]) => expect(await registrationStateFor(dates)).toEqual(expected));
});

describe('the filters `days` and `playedAt`', () => {
  beforeAll(async () => {
    const platform = 'days';
    // From 8:00 on March 3 to 18:00 on March 4, local time.
    await save({
      id: 'auckland',
      platform,
      timeZone: 'Pacific/Auckland',
      startsAt: '2026-03-02T19:00:00Z',
      endsAt: '2026-03-04T05:00:00Z',
    });
    await save({ id: 'utc', platform, startsAt: '2026-03-03T08:00:00Z', endsAt: '2026-03-04T00:00:00Z' });
    await save({ id: 'honolulu', platform, timeZone: 'Pacific/Honolulu', startsAt: '2026-03-04T18:00:00Z' });
    await save({ id: 'endless', platform, endsAt: '2026-03-03T08:00:00Z' });
  });
  const onDays = (from?: string, until?: string) => find({ platform: { eq: 'days' }, days: { gte: from, lte: until } });
  const playedAt = (from?: string, until?: string) => find({ platform: { eq: 'days' }, playedAt: { gte: from, lte: until } });

  test.for<[string | undefined, string | undefined, string[]]>([
    [undefined, '2026-03-02', []],
    [undefined, '2026-03-03', ['auckland', 'utc']],
    [undefined, '2026-03-04', ['auckland', 'utc', 'honolulu']],
    ['2026-03-04', undefined, ['auckland', 'utc', 'honolulu']],
    ['2026-03-05', undefined, []],
    ['2026-03-03', '2026-03-03', ['auckland', 'utc']],
    ['2026-03-04', '2026-03-03', []],
    ['2020-01-01', '2030-01-01', ['auckland', 'utc', 'honolulu']],
    ['0001-01-01', '9999-12-31', ['auckland', 'utc', 'honolulu']],
    [undefined, undefined, ['auckland', 'utc', 'honolulu', 'endless']],
  ])('find by the days from %s until %s', async ([from, until, ids]) => expect(await onDays(from, until)).toEqual(ids));

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
  ])('find by the time from %s until %s', async ([from, until, ids]) => expect(await playedAt(from, until)).toEqual(ids));
});

test('days match the dates and the time zone after concurrent updates', async () => {
  const storedDays = () =>
    app.sql.rows("select first_day_starts_at, last_day_ends_at, effective_ends_at from tournament where id = 'contended'");
  await save({ id: 'contended', startsAt: '2026-03-02T12:00:00Z' });
  await Promise.all([
    save({ id: 'contended', timeZone: 'Asia/Tokyo' }),
    save({ id: 'contended', startsAt: '2026-03-02T16:00:00Z' }),
    save({ id: 'contended', endsAt: '2026-03-04T15:00:00Z' }),
  ]);
  expect(await storedDays()).toEqual([
    {
      first_day_starts_at: '2026-03-02T15:00:00Z',
      last_day_ends_at: '2026-03-05T15:00:00Z',
      effective_ends_at: '2026-03-05T15:00:00Z',
    },
  ]);
});

test('a filtered list can be paginated in both directions of its order', async () => {
  for (const [id, hours] of [
    ['f1', -3],
    ['f2', -2],
    ['f3', -1.9],
    ['f4', -1],
  ] as const)
    await save({ id, platform: 'few', startsAt: instantAt(hours), endsAt: instantAt(10) });
  const query = `query ($after: String, $direction: Direction!) {
    tournaments(first: 2, after: $after, filter: { platform: { eq: "few" }, isPlaying: true }, orderBy: [{ field: STARTS_AT, direction: $direction }]) {
      nodes { id } pageInfo { hasNextPage endCursor } totalCount
    }
  }`;
  const pages = async (direction: string, after: string | null = null): Promise<{ ids: string[]; totalCount: number }[]> => {
    const { nodes, pageInfo, totalCount } = (await app.graphql(query, { after, direction })).tournaments;
    const page = { ids: nodes.map(({ id }: { id: string }) => id), totalCount };
    return pageInfo.hasNextPage ? [page, ...(await pages(direction, pageInfo.endCursor))] : [page];
  };
  const startOf = async (id: string) => (await read(id, 'startsAt')).startsAt;
  expect({ ascending: await pages('ASC'), descending: await pages('DESC') }).toEqual({
    ascending: [
      { ids: ['f1', 'f2'], totalCount: 4 },
      { ids: ['f3', 'f4'], totalCount: 4 },
    ],
    descending: [
      { ids: ['f4', 'f3'], totalCount: 4 },
      { ids: ['f2', 'f1'], totalCount: 4 },
    ],
  });
  const [second, third] = [await startOf('f2'), await startOf('f3')];
  expect(second < third, `${second} is before ${third}`).toBe(true);
});
