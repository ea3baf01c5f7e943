import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { instantAt, tournamentsOf } from '../../support/fixtures/tournaments.js';
import { startApp, type TestApp } from '../../support/servers/app.js';

let app: TestApp;
const { save, find } = tournamentsOf(() => app);
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

describe('search', () => {
  beforeAll(async () => {
    for (const title of ['Austin Open', 'Boston Classic', 'Autsin Open', 'Montréal 50% Cup']) await save({ title });
  });

  test.for<[string, string[]]>([
    ['autsin open', ['Autsin Open', 'Austin Open']],
    ['austin pickleball open', ['Austin Open']],
    ['bosten', ['Boston Classic']],
    ['BOSTON', ['Boston Classic']],
    ['montreal', ['Montréal 50% Cup']],
    ['50%', ['Montréal 50% Cup']],
    ['nothing like it', []],
  ])('returns matches, best first, for %s', async ([search, titles]) => expect(await find({ search }, 'title')).toEqual(titles));
});

describe('near', () => {
  const austin = { latitude: 30.2672, longitude: -97.7431 };
  beforeAll(async () => {
    await save({ id: 'georgetown', location: { latitude: 30.6333, longitude: -97.6772 } });
    await save({ id: 'austin', location: austin });
    await save({ id: 'sydney', location: { latitude: -33.8688, longitude: 151.2093 } });
    await save({ id: 'nowhere' });
  });

  test('finds the nearest first', async () =>
    expect(await find({ near: { ...austin, distance: 50 } })).toEqual(['austin', 'georgetown']));

  test('measures in miles or kilometers, as requested', async () => {
    const within = (unit: string) => find({ near: { ...austin, distance: 27, unit } });
    expect({ miles: await within('MILES'), kilometers: await within('KILOMETERS') }).toEqual({
      miles: ['austin', 'georgetown'],
      kilometers: ['austin'],
    });
  });

  test('works across the globe', async () =>
    expect(await find({ near: { ...austin, distance: 20_100 } })).toEqual(['austin', 'georgetown', 'sydney']));

  test.for([
    [{ ...austin, latitude: 91, distance: 1 }, 'BAD_INPUT: filter.near.latitude: expected a number from -90 to 90'],
    [{ ...austin, distance: -1 }, 'BAD_INPUT: filter.near.distance: expected a number from 0 to 100000'],
  ] as const)('rejects %o', async ([near, error]) => expect(await find({ near })).toEqual([error]));
});

describe('phase', () => {
  test.for<[string, object]>([
    [
      'ANNOUNCED',
      {
        startsAt: instantAt(500),
        endsAt: instantAt(520),
        registrationOpensAt: instantAt(10),
        registrationClosesAt: instantAt(400),
      },
    ],
    [
      'REGISTERING',
      {
        startsAt: instantAt(500),
        endsAt: instantAt(520),
        registrationOpensAt: instantAt(-10),
        registrationClosesAt: instantAt(400),
      },
    ],
    [
      'CLOSED',
      {
        startsAt: instantAt(500),
        endsAt: instantAt(520),
        registrationOpensAt: instantAt(-20),
        registrationClosesAt: instantAt(-10),
      },
    ],
    [
      'CLOSED',
      {
        startsAt: instantAt(500),
        registrationOpensAt: instantAt(-10),
        registrationClosesAt: instantAt(400),
        isRegistrationClosed: true,
      },
    ],
    [
      'PLAYING',
      {
        startsAt: instantAt(-5),
        endsAt: instantAt(5),
        registrationOpensAt: instantAt(-10),
        registrationClosesAt: instantAt(400),
      },
    ],
    ['OVER', { startsAt: instantAt(-20), endsAt: instantAt(-5) }],
    ['CANCELED', { startsAt: instantAt(-5), endsAt: instantAt(5), isCanceled: true }],
    ['ANNOUNCED', {}],
  ])('is %s for %o', async ([phase, dates]) => expect(await save(dates, 'phase')).toEqual({ phase }));

  test('a phase filter set to false selects the opposite', async () => {
    await save({ id: 'dateless', platform: 'phases' });
    await save({ id: 'over', platform: 'phases', startsAt: instantAt(-20), endsAt: instantAt(-5) });
    expect(await find({ platform: { eq: 'phases' }, isPast: false })).toEqual(['dateless']);
  });
});

describe('utcOffset', () => {
  test.for<[number | null, string | null, string | null]>([
    [-18_000, 'America/Chicago', '2026-07-01T12:00:00Z'],
    [-21_600, 'America/Chicago', '2026-01-01T12:00:00Z'],
    [20_700, 'Asia/Kathmandu', '2026-01-01T12:00:00Z'],
    [null, 'Mars/Olympus', '2026-01-01T12:00:00Z'],
    [null, 'America/Chicago', null],
  ])('is %s in %s at %s', async ([utcOffset, timeZone, startsAt]) =>
    expect(await save({ legacy: { timeZone }, startsAt }, 'utcOffset')).toEqual({ utcOffset }),
  );
});
