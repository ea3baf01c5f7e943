import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { instantAt } from '../../support/fixtures/tournaments.js';
import { type Person, startApp, type TestApp } from '../../support/servers/app.js';

let app: TestApp;
let owner: Person;
beforeAll(async () => {
  app = await startApp();
  owner = await app.person();
});
afterAll(() => app.close());

const schedule = async (input: object, fields = 'id', acceptsLegacyValues = false) => {
  const text = `mutation ($input: GameInput!) { scheduleGame(input: $input, acceptsLegacyValues: ${acceptsLegacyValues}) { ${fields} } }`;
  const answer = await app.graphql(text, { input }, owner);
  return answer.scheduleGame ?? answer.errors;
};
const update = async (id: string, input: object, fields = 'id') => {
  const text = `mutation ($id: ID!, $input: GameInput!) { updateGame(id: $id, input: $input) { ${fields} } }`;
  const answer = await app.graphql(text, { id, input }, owner);
  return answer.updateGame ?? answer.errors;
};
const rejection = (...problems: [string, string][]) => [
  `BAD_INPUT: ${problems.map(([field, expected]) => `input.${field}: expected ${expected}`).join('; ')}`,
];
const unknownZone: [string, string] = ['timeZone', 'the IANA name of a time zone, such as America/Chicago'];
const invalidMaximum: [string, string] = ['maxPlayers', 'an integer of 1 or more, or null for no limit'];
const endBeforeStart: [string, string] = ['endsAt', 'a time at or after the start'];
const unknownPlayers = (...indexes: number[]) =>
  indexes.map((index): [string, string] => [`playerIds[${index}]`, 'the id of a user']);
const chicago = { timeZone: 'America/Chicago' };

describe('an invalid game is rejected', () => {
  test('with all its problems, when it is scheduled', async () => {
    const inPast = { maxPlayers: 0, timeZone: 'Mars/Olympus', startsAt: instantAt(-24), endsAt: instantAt(-25) };
    expect({
      fourProblems: await schedule(inPast),
      offsetAsZone: await schedule({ maxPlayers: -1, timeZone: '+05:00' }),
      pastDay: await schedule({ legacy: { day: instantAt(-60) } }),
      pastLocalStart: await schedule({ localStartsAt: '2020-06-02T09:30:00', ...chicago }),
      localEndBeforeStart: await schedule({
        localStartsAt: '2041-06-02T09:30:00',
        localEndsAt: '2041-06-02T09:00:00',
        ...chicago,
      }),
      tooManyPlayers: await schedule({ startsAt: instantAt(24), maxPlayers: 1, playerIds: ['a', 'b', 'a'] }),
    }).toEqual({
      fourProblems: rejection(invalidMaximum, unknownZone, ['startsAt', 'a time in the future'], endBeforeStart),
      offsetAsZone: rejection(invalidMaximum, unknownZone, ['startsAt', 'the start of the game, here or as `localStartsAt`']),
      pastDay: rejection(
        ['startsAt', 'the start of the game, here or as `localStartsAt`'],
        ['legacy.day', 'a day in the future'],
      ),
      pastLocalStart: rejection(['localStartsAt', 'a time in the future']),
      localEndBeforeStart: rejection(['localEndsAt', 'a time at or after the start']),
      tooManyPlayers: rejection(
        ['maxPlayers', 'at least 2, because the game has 2 players and no waiting list'],
        ...unknownPlayers(0, 1, 2),
      ),
    });
  });

  test('when it is updated, without changing anything', async () => {
    const open = { title: 'Open', startsAt: instantAt(24), endsAt: instantAt(26), playerIds: ['a', 'b'], maxPlayers: 3 };
    const { id } = await schedule(open, 'id', true);
    expect({
      unknownZoneAndLowMaximum: await update(id, { title: 'Changed', maxPlayers: 1, timeZone: 'Nowhere' }),
      zeroMaximum: await update(id, { title: 'Changed', maxPlayers: 0 }),
      pastStart: await update(id, { title: 'Changed', startsAt: instantAt(-24) }),
      startAfterEnd: await update(id, { title: 'Changed', startsAt: instantAt(27) }),
      endBeforeStart: await update(id, { title: 'Changed', endsAt: instantAt(23) }),
      tooManyPlayers: await update(id, { title: 'Changed', playerIds: ['a', 'b', 'c', 'd'] }),
      afterwards: await update(id, {}, 'title version'),
    }).toEqual({
      unknownZoneAndLowMaximum: rejection(unknownZone, [
        'maxPlayers',
        'at least 2, because the game has 2 players and no waiting list',
      ]),
      zeroMaximum: rejection(invalidMaximum),
      pastStart: rejection(['startsAt', 'a time in the future']),
      startAfterEnd: rejection(['startsAt', 'a time at or before the end']),
      endBeforeStart: rejection(endBeforeStart),
      tooManyPlayers: rejection(['playerIds', 'at most 3 players, or a waiting list'], ...unknownPlayers(2, 3)),
      afterwards: { title: 'Open', version: 2 },
    });
  });

  test('unless its invalid values were stored as sent and do not change', async () => {
    const old = { startsAt: instantAt(-24), endsAt: instantAt(-25), timeZone: 'Mars/Olympus', maxPlayers: 0, playerIds: ['a'] };
    const { id } = await schedule(old, 'id', true);
    expect(await update(id, { ...old, title: 'Was' }, 'title')).toEqual({ title: 'Was' });
  });
});

describe('a game with only local times', () => {
  const times = 'startsAt endsAt localStartsAt day legacy { day }';

  test('gets its instants from its time zone', async () => {
    const local = {
      localStartsAt: '2041-06-02T09:30:00.25',
      localEndsAt: '2041-06-02T11:00:00',
      legacy: { localDay: '2041-06-02T00:00:00Z' },
    };
    const { id } = await schedule(local);
    const withInstants = {
      startsAt: '2041-06-02T14:30:00.25Z',
      endsAt: '2041-06-02T16:00:00Z',
      localStartsAt: local.localStartsAt,
      day: '2041-06-02',
      legacy: { day: '2041-06-02T05:00:00Z' },
    };
    expect({
      scheduledWithZone: await schedule({ ...local, ...chicago }, times),
      zoneAddedLater: await update(id, chicago, times),
    }).toEqual({ scheduledWithZone: withInstants, zoneAddedLater: withInstants });
  });

  test('derives no instant without a time zone, for input stored as sent, or when the instant is sent', async () => {
    const localStartsAt = '2041-06-02T09:30:00';
    expect({
      withoutZone: await schedule({ localStartsAt }, 'startsAt'),
      instantSent: await schedule({ localStartsAt, startsAt: '2041-06-02T20:00:00Z', ...chicago }, 'startsAt'),
      storedAsSent: await schedule({ localStartsAt, ...chicago }, 'startsAt', true),
    }).toEqual({
      withoutZone: { startsAt: null },
      instantSent: { startsAt: '2041-06-02T20:00:00Z' },
      storedAsSent: { startsAt: null },
    });
  });
});

test('an update increments the version once, for any number of changed fields', async () => {
  const guest = await app.person();
  const { id } = await schedule(
    { title: 'One', startsAt: instantAt(24), hasWaitingList: true, playerIds: ['a', 'b'] },
    'id',
    true,
  );
  const all = { title: 'Two', maxPlayers: 1, invitedIds: [guest.id], invitedEmails: ['d@example.com'], types: { singles: true } };
  expect(await update(id, all, 'version title playerIds waitingIds invitedIds types { singles }')).toEqual({
    version: 2,
    title: 'Two',
    playerIds: ['a'],
    waitingIds: ['b'],
    invitedIds: [guest.id],
    types: { singles: true },
  });
});
