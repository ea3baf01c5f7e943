import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Person, startApp, type TestApp } from '../../support/servers/app.js';

let app: TestApp;
let owner: Person;
beforeAll(async () => {
  app = await startApp();
  owner = await app.person();
});
afterAll(() => app.close());

const startsAt = '2041-06-02T14:30:00Z';
const schedule = async (input: object) => {
  const text = 'mutation ($input: GameInput!) { scheduleGame(input: $input) { id ownerId groupId } }';
  const answer = await app.graphql(text, { input: { title: 'Open Play', startsAt, ...input } });
  return answer.scheduleGame ?? answer.errors;
};
const update = async (id: string, input: object) => {
  const text = 'mutation ($id: ID!, $input: GameInput!) { updateGame(id: $id, input: $input) { ownerId groupId } }';
  const answer = await app.graphql(text, { id, input });
  return answer.updateGame ?? answer.errors;
};
const unknownUser = (field: string) => [`BAD_INPUT: ${field}: expected the id of a user`];

test('an unknown owner is rejected when a platform schedules or changes a game', async () => {
  const { id } = await schedule({ ownerId: owner.id });
  expect({
    scheduled: await schedule({ ownerId: 'nobody' }),
    withUnknownInvitee: await schedule({ ownerId: 'nobody', invitedIds: ['nobody'] }),
    updated: await update(id, { ownerId: 'nobody' }),
  }).toEqual({
    scheduled: unknownUser('input.ownerId'),
    withUnknownInvitee: ['BAD_INPUT: input.ownerId: expected the id of a user; input.invitedIds[0]: expected the id of a user'],
    updated: unknownUser('input.ownerId'),
  });
});

test('all invalid fields of a game, an invitation or a group are rejected together', async () => {
  const { id } = await schedule({ ownerId: owner.id });
  const fieldsOf = ([message = '']: string[]) =>
    message
      .replace('BAD_INPUT: ', '')
      .split('; ')
      .map((text) => text.split(':')[0]);
  const fields = {
    startsAt: '2020-01-01T00:00:00Z',
    groupId: 'no-group',
    invitedIds: [owner.id, 'nobody'],
    invitedEmails: ['ana'],
    playerIds: ['nobody'],
  };
  const invalid = ['input.invitedEmails[0]', 'input.startsAt', 'input.groupId', 'input.invitedIds[1]', 'input.playerIds[0]'];
  const invite = 'mutation ($id: ID!) { inviteToGame(gameId: $id, userIds: ["nobody"], emails: ["ana"]) { id } }';
  const group = `mutation ($title: String) { upsertGameGroup(input: { title: $title, ownerId: "nobody" }) { id } }`;
  expect({
    scheduled: fieldsOf(await schedule({ ownerId: owner.id, ...fields })),
    updated: fieldsOf(await update(id, fields)),
    invited: fieldsOf((await app.graphql(invite, { id })).errors),
    grouped: fieldsOf((await app.graphql(group, { title: 'x'.repeat(20_000) })).errors),
  }).toEqual({
    scheduled: invalid,
    updated: invalid,
    invited: ['emails[0]', 'userIds[0]'],
    grouped: ['input.title', 'input.ownerId'],
  });
});

test('a game that was stored with an unknown owner keeps it in updates', async () => {
  const payload = { title: 'Open Play', ownerUuid: 'elsewhere' };
  const { body } = await app.rest('POST', '/v1/game_scheduler', app.platform, { payload });
  expect(await update(body.result.uuid, { ownerId: 'elsewhere', title: 'Renamed' })).toEqual({
    ownerId: 'elsewhere',
    groupId: null,
  });
});

test('an unknown group is rejected when a platform schedules or changes a game', async () => {
  const { id } = await schedule({ ownerId: owner.id });
  const unknownGroup = ['BAD_INPUT: input.groupId: expected the id of a group'];
  expect({
    scheduled: await schedule({ ownerId: owner.id, groupId: 'no-group' }),
    updated: await update(id, { groupId: 'no-group' }),
  }).toEqual({ scheduled: unknownGroup, updated: unknownGroup });
});

test('an unknown user for whom a platform acts is rejected', async () => {
  const { id } = await schedule({ ownerId: owner.id });
  const act = async (mutation: string) => (await app.graphql(`mutation ($id: ID!) { ${mutation} { id } }`, { id })).errors;
  expect({
    optIn: await act('optIn(gameId: $id, userId: "nobody")'),
    optOut: await act('optOut(gameId: $id, userId: "nobody")'),
    decline: await act('declineGameInvitation(gameId: $id, userId: "nobody")'),
    add: await act('addGamePlayers(id: $id, input: { userIds: ["nobody"] })'),
    remove: await act('removeGamePlayers(id: $id, input: { userIds: ["nobody"] })'),
  }).toEqual({
    optIn: unknownUser('userId'),
    optOut: unknownUser('userId'),
    decline: unknownUser('userId'),
    add: unknownUser('input.userIds[0]'),
    remove: unknownUser('input.userIds[0]'),
  });
});

test('an unknown player whom /v1 stored can leave a game and be removed from one', async () => {
  const payload = { ownerUuid: owner.id, optedInPlayerUuids: ['elsewhere', 'far-away'] };
  const { body } = await app.rest('POST', '/v1/game_scheduler', app.platform, { payload });
  const id = body.result.uuid;
  expect({
    optOut: (await app.graphql(`mutation { optOut(gameId: "${id}", userId: "elsewhere") { playerIds } }`)).optOut,
    remove: (await app.graphql(`mutation { removeGamePlayers(id: "${id}", input: { userIds: ["far-away"] }) { playerIds } }`))
      .removeGamePlayers,
  }).toEqual({ optOut: { playerIds: ['far-away'] }, remove: { playerIds: [] } });
});

test('an unknown owner of a game group is rejected', async () => {
  const { errors } = await app.graphql('mutation { upsertGameGroup(input: { title: "Early birds", ownerId: "nobody" }) { id } }');
  expect(errors).toEqual(unknownUser('input.ownerId'));
});
