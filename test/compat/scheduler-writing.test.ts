import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Person, startApp, type TestApp } from '../support/app.js';

let app: TestApp;
let owner: Person;
beforeAll(async () => {
  app = await startApp();
  owner = await app.person();
});
afterAll(() => app.close());

const post = (payload: object) => app.rest('POST', '/v1/game_scheduler', owner, { payload });

describe('players who are named', () => {
  const named = async (payload: object) => {
    const { status, body } = await post({ title: 'Named', ...payload });
    if (status !== 200) return [status, body.Message];
    const { body: list } = await app.rest('GET', '/v1/data/game_scheduler?page_size=1', owner);
    const { optedInPlayerUuids, optedInCount, waitlistCount } = list.results[0];
    return [optedInPlayerUuids, optedInCount, waitlistCount];
  };
  const waits = { useWaitingList: true };
  const tooMany = 'there are more players than places, and nobody waits for one';

  test.for([
    ['twice are one player', { optedInPlayerUuids: ['a', 'b', 'a', 'a'], maximumCount: 2 }, [['a', 'b'], 2, 0]],
    ['wait beyond the last place', { optedInPlayerUuids: ['a', 'b', 'a', 'c'], maximumCount: 1, ...waits }, [['a'], 1, 2]],
    ['are too many where nobody waits', { optedInPlayerUuids: ['a', 'b'], maximumCount: 1 }, [409, tooMany]],
    ['have no bound of 0', { optedInPlayerUuids: ['a', 'b'], maximumCount: 0 }, [['a', 'b'], 2, 0]],
    ['have no bound where none is set', { optedInPlayerUuids: ['a', 'b'], ...waits }, [['a', 'b'], 2, 0]],
    ['have whole places', { optedInPlayerUuids: ['a', 'b', 'c'], maximumCount: 2.5, ...waits }, [['a', 'b'], 2, 1]],
  ] as const)('%s', async ([_, payload, wanted]) => expect(await named(payload)).toEqual(wanted));
});

describe('local times', () => {
  const local = async (payload: object) => {
    const { body } = await post(payload);
    const { dateLocalized, startTimeLocalized, endTimeLocalized } = body.result;
    return [dateLocalized, startTimeLocalized, endTimeLocalized];
  };
  const summer = { date: '2041-06-02T05:00:00Z', startTime: '2041-06-02T14:30:00.25Z', endTime: '2041-06-03T04:59:59Z' };
  const chicago = { timezoneName: 'America/Chicago' };
  const clocks = ['2041-06-02T00:00:00Z', '2041-06-02T09:30:00.25Z', '2041-06-02T23:59:59Z'];

  test.for([
    ['that are not sent are those of the time zone', { ...summer, ...chicago }, clocks],
    ['follow the clocks', { startTime: '2041-12-02T14:30:00Z', ...chicago }, [null, '2041-12-02T08:30:00Z', null]],
    [
      'that are sent are kept, and the others are made',
      { ...summer, ...chicago, startTimeLocalized: '2000-01-01T00:00:00Z', endTimeLocalized: null },
      [clocks[0], '2000-01-01T00:00:00Z', clocks[2]],
    ],
    ['are unset without a time zone', summer, [null, null, null]],
    ['are unset for a time zone that nobody knows', { ...summer, timezoneName: 'Mars/Olympus' }, [null, null, null]],
    [
      'are unset beyond the years that can be written',
      { startTime: '9999-12-31T23:30:00Z', timezoneName: 'Asia/Tokyo', endTime: '0001-01-01T00:00:00Z' },
      [null, null, '0001-01-01T09:18:59Z'],
    ],
  ] as const)('%s', async ([_, payload, wanted]) => expect(await local(payload)).toEqual(wanted));

  test('follow a change of the times, and a sent one stays', async () => {
    const change = async (input: object, ...[id]: string[]) => {
      const mutation =
        'mutation ($id: ID!, $input: GameInput!) { updateGame(id: $id, input: $input) { localStartsAt localEndsAt } }';
      return (await app.graphql(mutation, { id, input }, owner)).updateGame;
    };
    const { body } = await post({ ...summer, ...chicago, endTimeLocalized: '2000-01-01T00:00:00Z' });
    const { uuid } = body.result;
    expect([
      await change({ startsAt: '2041-06-02T15:30:00Z', endsAt: '2041-06-02T17:30:00Z' }, uuid),
      await change({ timeZoneRaw: 'Europe/Berlin' }, uuid),
      await change({ localEndsAt: null, localStartsAt: '2000-01-01T00:00:00' }, uuid),
      await change({ startsAt: null, title: 'Later' }, uuid),
    ]).toEqual([
      { localStartsAt: '2041-06-02T10:30:00', localEndsAt: '2000-01-01T00:00:00' },
      { localStartsAt: '2041-06-02T17:30:00', localEndsAt: '2000-01-01T00:00:00' },
      { localStartsAt: '2000-01-01T00:00:00', localEndsAt: '2041-06-02T19:30:00' },
      { localStartsAt: '2000-01-01T00:00:00', localEndsAt: '2041-06-02T19:30:00' },
    ]);
  });
});
