import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Person, startApp, type TestApp, type Tokens } from '../support/app.js';

let app: TestApp;
let owner: Person;
let guest: Person;
let stranger: Person;
beforeAll(async () => {
  app = await startApp();
  owner = await app.person();
  guest = await app.person();
  stranger = await app.person();
});
afterAll(() => app.close());

const game = async (input: object = {}): Promise<string> =>
  (await app.graphql('mutation ($input: GameInput!) { scheduleGame(input: $input) { id } }', { input }, owner)).scheduleGame.id;
const step = (mutation: string, gameId: string, tokens: Tokens, userId?: string) =>
  app.graphql(
    `mutation ($gameId: ID!, $userId: ID) { ${mutation}(gameId: $gameId, userId: $userId) { playerIds waitingIds } }`,
    { gameId, userId },
    tokens,
  );
const places = async (id: string) => {
  const [row] = await app.sql.rows('select player_ids as players, waiting_ids as waiting from game where id = $1', [id]);
  return row;
};
const events = async (person: Person) =>
  (await app.graphql('{ viewer { notifications { nodes { event content } } } }', {}, person)).viewer.notifications.nodes;

describe('joining', () => {
  test('the last places are given once; the others wait in their order', async () => {
    const id = await game({ maxPlayers: 3, hasWaitingList: true });
    const ids = Array.from({ length: 9 }, (_, n) => `player-${n}`);
    await Promise.all([...ids, ...ids].map((userId) => step('optIn', id, app.platform, userId)));
    const row = await app.sql.row<{ players: string[]; waiting: string[] }>(
      'select player_ids as players, waiting_ids as waiting from game where id = $1',
      [id],
    );
    expect([row?.players.length, [...(row?.players ?? []), ...(row?.waiting ?? [])].sort()]).toEqual([3, ids]);
  });

  test('a full game without a waiting list is a conflict, also at the same moment', async () => {
    const id = await game({ maxPlayers: 1 });
    const answers = await Promise.all(['a', 'b', 'c'].map((userId) => step('optIn', id, app.platform, userId)));
    expect(answers.filter(({ errors }) => errors?.[0] === 'CONFLICT: the game is full').length).toBe(2);
  });

  test('who waits longest moves up and is told, unless the owner sees to that', async () => {
    const byItself = await game({ title: 'Doubles', maxPlayers: 1, hasWaitingList: true });
    const byHand = await game({ maxPlayers: 1, hasWaitingList: true, isWaitingListManual: true });
    const waiting = await app.person();
    for (const id of [byItself, byHand]) {
      await step('optIn', id, guest);
      await step('optIn', id, waiting);
      await step('optOut', id, guest);
    }
    expect([await places(byItself), await places(byHand), await events(waiting)]).toEqual([
      { players: [waiting.id], waiting: [] },
      { players: [], waiting: [waiting.id] },
      [{ event: 'GAME_PLACE', content: 'A place in Doubles is free, and it is yours.' }],
    ]);
  });

  test('ids are kept letter by letter', async () => {
    const id = await game();
    const ids = ['null', ' blank ', 'a,b', 'a\n,"b"', 'back\\slash', '{x}', "it's ? $1 :me", 'tab\t', 'é😀'];
    for (const userId of ids) await step('optIn', id, app.platform, userId);
    expect(await places(id)).toEqual({ players: ids, waiting: [] });
    expect(await step('optOut', id, app.platform, 'a,b')).toEqual({
      optOut: { playerIds: ids.filter((userId) => userId !== 'a,b'), waitingIds: [] },
    });
  });

  test('is for oneself, for games that one sees, and not for archived ones', async () => {
    const hidden = await game({ isInviteOnly: true });
    const archived = await game({ archivedAt: '2026-01-01T00:00:00Z' });
    expect([
      await step('optIn', archived, stranger, guest.id),
      await step('optIn', archived, app.platform, 'x'.repeat(3000)),
      await step('optIn', 'a\0b', app.platform, 'x'),
      await step('optIn', hidden, stranger),
      await step('optIn', archived, stranger),
    ]).toEqual([
      { errors: ['FORBIDDEN: a user token opens the records of that user only'] },
      { errors: ['BAD_INPUT: userId: expected an id of at most 255 characters'] },
      { errors: ['BAD_INPUT: gameId: expected text without NUL characters'] },
      { errors: [`NOT_FOUND: no game with the id ${hidden}`] },
      { errors: ['CONFLICT: the game is archived'] },
    ]);
  });
});
