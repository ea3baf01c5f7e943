import { afterAll, beforeAll, expect, test } from 'vitest';
import { entriesOf } from '../../support/fixtures/event-registrations.js';
import { type Person, startApp, type TestApp } from '../../support/servers/app.js';

let app: TestApp;
let owner: Person;
let ana: Person;
let ben: Person;
let cy: Person;
beforeAll(async () => {
  app = await startApp();
  owner = await app.person();
  [ana, ben, cy] = [await app.person(), await app.person(), await app.person()];
});
afterAll(() => app.close());

const { notifications: notificationsOf } = entriesOf(() => app);
const game = async (input: object = {}): Promise<string> =>
  (
    await app.graphql(
      'mutation ($input: GameInput!) { scheduleGame(input: $input) { id } }',
      { input: { title: 'Open play', startsAt: '2041-06-02T14:30:00Z', ...input } },
      owner,
    )
  ).scheduleGame.id;
const change = async (mutation: string, id: string, people: readonly (Person | string)[], caller: Person = owner) => {
  const input = { userIds: people.map((person) => (typeof person === 'string' ? person : person.id)) };
  const answer = await app.graphql(
    `mutation ($id: ID!, $input: GamePlayersInput!) { ${mutation}(id: $id, input: $input) { playerIds waitingIds } }`,
    { id, input },
    caller,
  );
  return answer[mutation] ?? answer.errors;
};
const add = (id: string, people: readonly (Person | string)[], caller?: Person) => change('addGamePlayers', id, people, caller);
const remove = (id: string, people: readonly (Person | string)[], caller?: Person) =>
  change('removeGamePlayers', id, people, caller);

test('the owner adds and removes players, who are notified, and the first user on the waiting list moves up', async () => {
  const id = await game({ maxPlayers: 2, hasWaitingList: true });
  expect({
    added: await add(id, [ana, ben, cy]),
    addedAgain: await add(id, [ana]),
    removed: await remove(id, [ana]),
    removedAgain: await remove(id, [ana]),
  }).toEqual({
    added: { playerIds: [ana.id, ben.id], waitingIds: [cy.id] },
    addedAgain: { playerIds: [ana.id, ben.id], waitingIds: [cy.id] },
    removed: { playerIds: [ben.id, cy.id], waitingIds: [] },
    removedAgain: { playerIds: [ben.id, cy.id], waitingIds: [] },
  });
  expect({
    ana: await notificationsOf(ana),
    ben: await notificationsOf(ben),
    cy: await notificationsOf(cy),
    owner: await notificationsOf(owner),
  }).toEqual({
    ana: ['GAME_PLACE: You have been added to Open play as a player.', 'GAME_CHANGED: You have been removed from Open play.'],
    ben: ['GAME_PLACE: You have been added to Open play as a player.'],
    cy: [
      'GAME_CHANGED: You have been added to the waiting list of Open play.',
      'GAME_PLACE: You moved up from the waiting list of Open play and now have a place.',
    ],
    owner: [],
  });
});

test('adding players is all or nothing', async () => {
  const id = await game({ maxPlayers: 1 });
  expect({ addTwo: await add(id, [ana, ben]), removeAnother: await remove(id, [cy]) }).toEqual({
    addTwo: ['CONFLICT: the game is full'],
    removeAnother: { playerIds: [], waitingIds: [] },
  });
});

test('concurrent additions fill the last place only once', async () => {
  const id = await game({ maxPlayers: 1 });
  const full = ['CONFLICT: the game is full'];
  const answers = await Promise.all([ana, ben, cy].map((person) => add(id, [person])));
  expect(answers.filter((answer) => Array.isArray(answer))).toEqual([full, full]);
});

test('only the owner adds and removes players', async () => {
  const id = await game();
  const hidden = await game({ isInviteOnly: true });
  expect({
    add: await add(id, [ben], ana),
    remove: await remove(id, [ben], ana),
    addToHidden: await add(hidden, [ben], ana),
  }).toEqual({
    add: ['FORBIDDEN: Not allowed: requires a user token of the owner of the game'],
    remove: ['FORBIDDEN: Not allowed: requires a user token of the owner of the game'],
    addToHidden: [`NOT_FOUND: no game with the id ${hidden}`],
  });
});

test('unknown players, empty and oversized lists, and archived games are rejected', async () => {
  const id = await game();
  const archived = await game({ archivedAt: '2026-01-01T00:00:00Z' });
  const tooMany = Array.from({ length: 101 }, () => 'x');
  const listSize = ['BAD_INPUT: input.userIds: expected 1 to 100 ids of users'];
  expect({
    addUnknown: await add(id, ['x', ana, 'y']),
    addNobody: await add(id, []),
    removeTooMany: await remove(id, tooMany),
    addEmptyId: await add(id, ['']),
    addToArchived: await add(archived, [ben]),
    removeUnknown: await remove(id, ['x']),
  }).toEqual({
    addUnknown: ['BAD_INPUT: input.userIds[0]: expected the id of a user; input.userIds[2]: expected the id of a user'],
    addNobody: listSize,
    removeTooMany: listSize,
    addEmptyId: ['BAD_INPUT: input.userIds[0]: expected an id of 1 to 255 characters'],
    addToArchived: ['CONFLICT: the game is archived'],
    removeUnknown: ['BAD_INPUT: input.userIds[0]: expected the id of a user'],
  });
});

test('ids of the wrong type are rejected with their positions in the list', async () => {
  const remove = (userIds: unknown) =>
    app.graphql('mutation ($input: GamePlayersInput!) { removeGamePlayers(id: "x", input: $input) { id } }', {
      input: { userIds },
    });
  expect({ notAList: await remove(false), wrongElements: await remove(['', null, 1.5]) }).toEqual({
    notAList: { errors: ['BAD_INPUT: input.userIds: expected a string or an integer'] },
    wrongElements: {
      errors: ['BAD_INPUT: input.userIds[1]: expected a value; input.userIds[2]: expected a string or an integer'],
    },
  });
});

test('only the owner updates and cancels a game', async () => {
  const id = await game();
  const cancel = (person: Person) => app.graphql(`mutation { cancelGame(id: "${id}") { title } }`, {}, person);
  expect({
    updatedByOwner: await app.graphql(`mutation { updateGame(id: "${id}", input: { title: "Drills" }) { title } }`, {}, owner),
    canceledByAnother: await cancel(ana),
    canceledByOwner: await cancel(owner),
  }).toEqual({
    updatedByOwner: { updateGame: { title: 'Drills' } },
    canceledByAnother: { errors: ['FORBIDDEN: Not allowed: requires a user token of the owner of the game'] },
    canceledByOwner: { cancelGame: { title: 'Drills' } },
  });
});
