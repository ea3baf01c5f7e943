import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Person, startApp, type TestApp } from '../support/app.js';
import { at } from '../support/tournaments.js';

let app: TestApp;
let owner: Person;
beforeAll(async () => {
  app = await startApp();
  owner = await app.person();
});
afterAll(() => app.close());

const schedule = async (input: object, fields = 'id', asSent = false) => {
  const text = `mutation ($input: GameInput!) { scheduleGame(input: $input, asSent: ${asSent}) { ${fields} } }`;
  const answer = await app.graphql(text, { input }, owner);
  return answer.scheduleGame ?? answer.errors;
};
const update = async (id: string, input: object, fields = 'id') => {
  const text = `mutation ($id: ID!, $input: GameInput!) { updateGame(id: $id, input: $input) { ${fields} } }`;
  const answer = await app.graphql(text, { id, input }, owner);
  return answer.updateGame ?? answer.errors;
};
const refused = (...problems: [string, string][]) => [
  `BAD_INPUT: ${problems.map(([field, expected]) => `input.${field}: expected ${expected}`).join('; ')}`,
];
const noZone: [string, string] = ['timeZoneRaw', 'the IANA name of a time zone, such as America/Chicago'];
const noPlaces: [string, string] = ['maxPlayers', 'a whole number from 1 on, or null where there is no limit'];
const afterStart: [string, string] = ['endsAt', 'a time that is not before the start'];
const chicago = { timeZoneRaw: 'America/Chicago' };

describe('a game that cannot be is refused', () => {
  test('with all that is wrong, when it is scheduled', async () => {
    const wrong = { maxPlayers: 0, timeZoneRaw: 'Mars/Olympus', startsAt: at(-24), endsAt: at(-25) };
    expect([
      await schedule(wrong),
      await schedule({ maxPlayers: -1, timeZoneRaw: '+05:00' }),
      await schedule({ dayRaw: at(-60) }),
      await schedule({ localStartsAt: '2020-06-02T09:30:00', ...chicago }),
      await schedule({ localStartsAt: '2041-06-02T09:30:00', localEndsAt: '2041-06-02T09:00:00', ...chicago }),
      await schedule({ maxPlayers: 1, playerIds: ['a', 'b', 'a'] }),
    ]).toEqual([
      refused(noPlaces, noZone, ['startsAt', 'a time to come'], afterStart),
      refused(noPlaces, noZone),
      refused(['dayRaw', 'a day to come']),
      refused(['localStartsAt', 'a time to come']),
      refused(['localEndsAt', 'a time that is not before the start']),
      refused(['maxPlayers', '2 or more, as many as play, or a waiting list']),
    ]);
  });

  test('when it is changed, and nothing of it is kept', async () => {
    const { id } = await schedule({ title: 'Open', startsAt: at(24), endsAt: at(26), playerIds: ['a', 'b'], maxPlayers: 3 });
    expect([
      await update(id, { title: 'Changed', maxPlayers: 1, timeZoneRaw: 'Nowhere' }),
      await update(id, { title: 'Changed', maxPlayers: 0 }),
      await update(id, { title: 'Changed', startsAt: at(-24) }),
      await update(id, { title: 'Changed', startsAt: at(27) }),
      await update(id, { title: 'Changed', endsAt: at(23) }),
      await update(id, { title: 'Changed', playerIds: ['a', 'b', 'c', 'd'] }),
      await update(id, {}, 'title version'),
    ]).toEqual([
      refused(noZone, ['maxPlayers', '2 or more, as many as play, or a waiting list']),
      refused(noPlaces),
      refused(['startsAt', 'a time to come']),
      refused(['startsAt', 'a time that is not behind the end']),
      refused(afterStart),
      refused(['playerIds', 'at most 3 players, or a waiting list']),
      { title: 'Open', version: 2 },
    ]);
  });

  test('but one that is past or as it was sent can still be changed otherwise', async () => {
    const old = { startsAt: at(-24), endsAt: at(-25), timeZoneRaw: 'Mars/Olympus', maxPlayers: 0, playerIds: ['a'] };
    const { id } = await schedule(old, 'id', true);
    expect(await update(id, { ...old, title: 'Was' }, 'title')).toEqual({ title: 'Was' });
  });
});

describe('a game of local times only', () => {
  const times = 'startsAt endsAt localStartsAt day dayRaw';

  test('gets its moments from its time zone', async () => {
    const local = {
      localStartsAt: '2041-06-02T09:30:00.25',
      localEndsAt: '2041-06-02T11:00:00',
      localDayRaw: '2041-06-02T00:00:00Z',
    };
    const { id } = await schedule(local);
    expect([await schedule({ ...local, ...chicago }, times), await update(id, chicago, times)]).toEqual(
      Array(2).fill({
        startsAt: '2041-06-02T14:30:00.25Z',
        endsAt: '2041-06-02T16:00:00Z',
        localStartsAt: local.localStartsAt,
        day: '2041-06-02',
        dayRaw: '2041-06-02T05:00:00Z',
      }),
    );
  });

  test('has none without one, and keeps those that are sent', async () => {
    const localStartsAt = '2041-06-02T09:30:00';
    expect([
      await schedule({ localStartsAt }, 'startsAt'),
      await schedule({ localStartsAt, startsAt: '2041-06-02T20:00:00Z', ...chicago }, 'startsAt'),
      await schedule({ localStartsAt, ...chicago }, 'startsAt', true),
    ]).toEqual([{ startsAt: null }, { startsAt: '2041-06-02T20:00:00Z' }, { startsAt: null }]);
  });
});

test('one change counts one version, whatever it changes', async () => {
  const { id } = await schedule({ title: 'One', hasWaitingList: true, playerIds: ['a', 'b'] });
  const all = { title: 'Two', maxPlayers: 1, invitedIds: ['c'], invitedEmails: ['d@example.com'], types: { singles: true } };
  expect(await update(id, all, 'version title playerIds waitingIds invitedIds types { singles }')).toEqual({
    version: 2,
    title: 'Two',
    playerIds: ['a'],
    waitingIds: ['b'],
    invitedIds: ['c'],
    types: { singles: true },
  });
});
