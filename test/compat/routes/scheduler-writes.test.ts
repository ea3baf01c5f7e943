import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Person, startApp, type TestApp } from '../../support/servers/app.js';

let app: TestApp;
let owner: Person;
beforeAll(async () => {
  app = await startApp();
  owner = await app.person();
});
afterAll(() => app.close());

const post = (payload: object) => app.rest('POST', '/v1/game_scheduler', owner, { payload });

describe('players in the payload of a new game', () => {
  const createGame = async (payload: object) => {
    const { status, body } = await post({ title: 'Named', ...payload });
    if (status !== 200) return { status, message: body.Message };
    const { body: list } = await app.rest('GET', '/v1/data/game_scheduler?page_size=1', owner);
    const { optedInPlayerUuids, optedInCount, waitlistCount } = list.results[0];
    return { optedInPlayerUuids, optedInCount, waitlistCount };
  };
  const waitingList = { useWaitingList: true };
  const bothPlay = { optedInPlayerUuids: ['a', 'b'], optedInCount: 2, waitlistCount: 0 };

  test.for([
    ['are counted once', { optedInPlayerUuids: ['a', 'b', 'a', 'a'], maximumCount: 2 }, bothPlay],
    [
      'beyond the maximum count are put on the waiting list',
      { optedInPlayerUuids: ['a', 'b', 'a', 'c'], maximumCount: 1, ...waitingList },
      { optedInPlayerUuids: ['a'], optedInCount: 1, waitlistCount: 2 },
    ],
    [
      'beyond the maximum count are rejected without a waiting list',
      { optedInPlayerUuids: ['a', 'b'], maximumCount: 1 },
      { status: 409, message: 'there are more players than places, and the game has no waiting list' },
    ],
    ['are not limited by a maximum count of 0', { optedInPlayerUuids: ['a', 'b'], maximumCount: 0 }, bothPlay],
    ['are not limited without a maximum count', { optedInPlayerUuids: ['a', 'b'], ...waitingList }, bothPlay],
    [
      'are limited to the maximum count rounded down',
      { optedInPlayerUuids: ['a', 'b', 'c'], maximumCount: 2.5, ...waitingList },
      { optedInPlayerUuids: ['a', 'b'], optedInCount: 2, waitlistCount: 1 },
    ],
  ] as const)('%s', async ([_, payload, expected]) => expect(await createGame(payload)).toEqual(expected));
});

describe('local times', () => {
  const localTimes = async (payload: object) => {
    const { dateLocalized, startTimeLocalized, endTimeLocalized } = (await post(payload)).body.result;
    return { date: dateLocalized, start: startTimeLocalized, end: endTimeLocalized };
  };
  const summer = { date: '2041-06-02T05:00:00Z', startTime: '2041-06-02T14:30:00.25Z', endTime: '2041-06-03T04:59:59Z' };
  const chicago = { timezoneName: 'America/Chicago' };
  const inChicago = { date: '2041-06-02T00:00:00Z', start: '2041-06-02T09:30:00.25Z', end: '2041-06-02T23:59:59Z' };
  const unset = { date: null, start: null, end: null };

  test.for([
    ['are derived from the time zone', { ...summer, ...chicago }, inChicago],
    [
      'follow daylight saving time',
      { startTime: '2041-12-02T14:30:00Z', ...chicago },
      { ...unset, start: '2041-12-02T08:30:00Z' },
    ],
    [
      'in the payload are stored, and the others are derived',
      { ...summer, ...chicago, startTimeLocalized: '2000-01-01T00:00:00Z', endTimeLocalized: null },
      { ...inChicago, start: '2000-01-01T00:00:00Z' },
    ],
    ['are unset without a time zone', summer, unset],
    ['are unset in an unknown time zone', { ...summer, timezoneName: 'Mars/Olympus' }, unset],
    [
      'are unset after the year 9999',
      { startTime: '9999-12-31T23:30:00Z', timezoneName: 'Asia/Tokyo', endTime: '0001-01-01T00:00:00Z' },
      { ...unset, end: '0001-01-01T09:18:59Z' },
    ],
  ] as const)('%s', async ([_, payload, expected]) => expect(await localTimes(payload)).toEqual(expected));

  test('follow a change of the times, unless they were set explicitly', async () => {
    const { body } = await post({ ...summer, ...chicago, endTimeLocalized: '2000-01-01T00:00:00Z' });
    const id = body.result.uuid;
    const update = async (input: object) => {
      const mutation =
        'mutation ($id: ID!, $input: GameInput!) { updateGame(id: $id, input: $input) { localStartsAt localEndsAt } }';
      return (await app.graphql(mutation, { id, input }, owner)).updateGame;
    };
    expect({
      newTimes: await update({ startsAt: '2041-06-02T15:30:00Z', endsAt: '2041-06-02T17:30:00Z' }),
      newTimeZone: await update({ timeZone: 'Europe/Berlin' }),
      explicitStart: await update({ localEndsAt: null, localStartsAt: '2000-01-01T00:00:00' }),
      startRemoved: await update({ startsAt: null, title: 'Later' }),
    }).toEqual({
      newTimes: { localStartsAt: '2041-06-02T10:30:00', localEndsAt: '2000-01-01T00:00:00' },
      newTimeZone: { localStartsAt: '2041-06-02T17:30:00', localEndsAt: '2000-01-01T00:00:00' },
      explicitStart: { localStartsAt: '2000-01-01T00:00:00', localEndsAt: '2041-06-02T19:30:00' },
      startRemoved: { localStartsAt: '2000-01-01T00:00:00', localEndsAt: '2041-06-02T19:30:00' },
    });
  });
});
