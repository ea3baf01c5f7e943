import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Person, startApp, type TestApp } from '../support/app.js';
import { entriesOf } from '../support/entries.js';

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

const { told } = entriesOf(() => app);
const game = async (input: object = {}): Promise<string> =>
  (
    await app.graphql(
      'mutation ($input: GameInput!) { scheduleGame(input: $input) { id } }',
      { input: { title: 'Open play', ...input } },
      owner,
    )
  ).scheduleGame.id;
const change = async (mutation: string, id: string, people: readonly (Person | string)[], who: Person = owner) => {
  const input = { userIds: people.map((person) => (typeof person === 'string' ? person : person.id)) };
  const answer = await app.graphql(
    `mutation ($id: ID!, $input: GamePlayersInput!) { ${mutation}(id: $id, input: $input) { playerIds waitingIds } }`,
    { id, input },
    who,
  );
  return answer[mutation] ?? answer.errors;
};
const add = (id: string, people: readonly (Person | string)[], who?: Person) => change('addGamePlayers', id, people, who);
const remove = (id: string, people: readonly (Person | string)[], who?: Person) => change('removeGamePlayers', id, people, who);

test('the owner adds and removes players, who are told; the next one in the waiting list moves up', async () => {
  const id = await game({ maxPlayers: 2, hasWaitingList: true });
  expect([await add(id, [ana, ben, cy]), await add(id, [ana]), await remove(id, [ana]), await remove(id, [ana])]).toEqual([
    { playerIds: [ana.id, ben.id], waitingIds: [cy.id] },
    { playerIds: [ana.id, ben.id], waitingIds: [cy.id] },
    { playerIds: [ben.id, cy.id], waitingIds: [] },
    { playerIds: [ben.id, cy.id], waitingIds: [] },
  ]);
  expect([await told(ana), await told(ben), await told(cy), await told(owner)]).toEqual([
    ['GAME_PLACE: You have been added to Open play, and you play.', 'GAME_CHANGED: You have been taken out of Open play.'],
    ['GAME_PLACE: You have been added to Open play, and you play.'],
    [
      'GAME_CHANGED: You have been added to Open play, and you wait for a place.',
      'GAME_PLACE: A place in Open play is free, and it is yours.',
    ],
    [],
  ]);
});

test('all are added or none, and the last place is given once', async () => {
  const id = await game({ maxPlayers: 1 });
  const full = ['CONFLICT: the game is full'];
  expect([await add(id, [ana, ben]), await remove(id, [cy])]).toEqual([full, { playerIds: [], waitingIds: [] }]);
  const answers = await Promise.all([ana, ben, cy].map((person) => add(id, [person])));
  expect(answers.filter((answer) => Array.isArray(answer))).toEqual([full, full]);
});

test('others than the owner, unknown players, too many and archived games are refused', async () => {
  const id = await game();
  const hidden = await game({ isInviteOnly: true });
  const archived = await game({ archivedAt: '2026-01-01T00:00:00Z' });
  const ids = 'expected 1 to 100 ids of users';
  expect([
    await add(id, [ben], ana),
    await remove(id, [ben], ana),
    await add(hidden, [ben], ana),
    await add(id, ['x', ana, 'y']),
    await add(id, []),
    await remove(
      id,
      Array.from({ length: 101 }, () => 'x'),
    ),
    await add(id, ['']),
    await add(archived, [ben]),
    await remove(id, ['x']),
  ]).toEqual([
    ['FORBIDDEN: only for: the owner of the game'],
    ['FORBIDDEN: only for: the owner of the game'],
    [`NOT_FOUND: no game with the id ${hidden}`],
    ['BAD_INPUT: input.userIds[0]: expected the id of a user; input.userIds[2]: expected the id of a user'],
    [`BAD_INPUT: input.userIds: ${ids}`],
    [`BAD_INPUT: input.userIds: ${ids}`],
    ['BAD_INPUT: input.userIds[0]: expected an id of 1 to 255 characters'],
    ['CONFLICT: the game is archived'],
    { playerIds: [], waitingIds: [] },
  ]);
});

test('players who are no list of ids are refused by their places', async () => {
  const remove = (userIds: unknown) =>
    app.graphql('mutation ($input: GamePlayersInput!) { removeGamePlayers(id: "x", input: $input) { id } }', {
      input: { userIds },
    });
  expect([await remove(false), await remove(['', null, 1.5])]).toEqual([
    { errors: ['BAD_INPUT: input.userIds: expected a string or an integer'] },
    { errors: ['BAD_INPUT: input.userIds[1]: expected a value; input.userIds[2]: expected a string or an integer'] },
  ]);
});

test('the owner edits and calls off their own game', async () => {
  const id = await game();
  const edited = await app.graphql(`mutation { updateGame(id: "${id}", input: { title: "Drills" }) { title } }`, {}, owner);
  const refused = await app.graphql(`mutation { cancelGame(id: "${id}") { id } }`, {}, ana);
  const off = await app.graphql(`mutation { cancelGame(id: "${id}") { title } }`, {}, owner);
  expect([edited, refused, off]).toEqual([
    { updateGame: { title: 'Drills' } },
    { errors: ['FORBIDDEN: only for: the owner of the game'] },
    { cancelGame: { title: 'Drills' } },
  ]);
});
