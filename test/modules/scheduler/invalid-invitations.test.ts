import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Person, startApp, type TestApp, type Tokens } from '../../support/servers/app.js';

let app: TestApp;
let owner: Person;
beforeAll(async () => {
  app = await startApp();
  owner = await app.person({ firstName: 'Olga', lastName: 'Owner' });
});
afterAll(() => app.close());

const startsAt = '2041-06-02T14:30:00Z';
const schedule = async (overrides: object): Promise<string> => {
  const input = { title: 'Open Play', startsAt, ...overrides };
  const text = 'mutation ($input: GameInput!) { scheduleGame(input: $input) { id } }';
  return (await app.graphql(text, { input }, owner)).scheduleGame.id;
};
const update = (id: string, input: object, tokens: Tokens = owner) =>
  app.graphql(
    'mutation ($id: ID!, $input: GameInput!) { updateGame(id: $id, input: $input) { title startsAt } }',
    { id, input },
    tokens,
  );

test('scheduleGame and updateGame reject unknown users among newly invited ones', async () => {
  const id = await schedule({});
  const input = { startsAt, invitedIds: ['nobody'] };
  expect({
    schedule: await app.graphql('mutation ($input: GameInput!) { scheduleGame(input: $input) { id } }', { input }, owner),
    update: await update(id, { invitedIds: ['nobody'] }),
  }).toEqual({
    schedule: { errors: ['BAD_INPUT: input.invitedIds[0]: expected the id of a user'] },
    update: { errors: ['BAD_INPUT: input.invitedIds[0]: expected the id of a user'] },
  });
});

test('scheduleGame and updateGame reject unknown users among new players', async () => {
  const id = await schedule({});
  const input = { startsAt, playerIds: [owner.id, 'nobody'] };
  expect({
    schedule: await app.graphql('mutation ($input: GameInput!) { scheduleGame(input: $input) { id } }', { input }, owner),
    update: await update(id, { playerIds: ['nobody'] }),
  }).toEqual({
    schedule: { errors: ['BAD_INPUT: input.playerIds[1]: expected the id of a user'] },
    update: { errors: ['BAD_INPUT: input.playerIds[0]: expected the id of a user'] },
  });
});

describe('a game without a start', () => {
  const expected = { errors: ['BAD_INPUT: input.startsAt: expected the start of the game, here or as `localStartsAt`'] };
  const scheduleAs = (input: object, acceptsLegacyValues = false) =>
    app.graphql(
      'mutation ($input: GameInput!, $acceptsLegacyValues: Boolean!) { scheduleGame(input: $input, acceptsLegacyValues: $acceptsLegacyValues) { id } }',
      { input, acceptsLegacyValues },
      owner,
    );

  test('is rejected by scheduleGame, and by updateGame if the game had a start', async () => {
    const id = await schedule({});
    expect({
      scheduled: await scheduleAs({ title: 'Some day' }),
      onlyDay: await scheduleAs({ title: 'Some day', day: '2041-06-03' }),
      onlyLegacyDay: await scheduleAs({ title: 'Some day', legacy: { localDay: '2041-06-03T00:00:00Z' } }),
      startRemoved: await update(id, { startsAt: null, localStartsAt: null }),
      startWithZoneRemoved: await update(await schedule({ timeZone: 'America/Chicago' }), { startsAt: null }),
      dayInstead: await update(id, { startsAt: null, day: '2041-06-03' }),
    }).toEqual({
      scheduled: expected,
      onlyDay: expected,
      onlyLegacyDay: expected,
      startRemoved: expected,
      startWithZoneRemoved: expected,
      dayInstead: expected,
    });
  });

  test('is accepted by /v1, and by updates of a game without a start, unless they remove its day', async () => {
    const create = (payload: object) =>
      app.rest('POST', '/v1/game_scheduler', owner, { payload: { title: 'Some day', ...payload } });
    const { body, status } = await create({});
    const ofDay = (await create({ date: '2041-06-03T00:00:00Z' })).body.result.uuid;
    const renamed = { updateGame: { title: 'Renamed', startsAt: null } };
    expect({
      status,
      updated: await update(body.result.uuid, { title: 'Renamed' }),
      otherDay: await update(ofDay, { title: 'Renamed', day: '2041-06-04' }),
      dayRemoved: await update(ofDay, { day: null }),
    }).toEqual({ status: 200, updated: renamed, otherDay: renamed, dayRemoved: expected });
  });
});
