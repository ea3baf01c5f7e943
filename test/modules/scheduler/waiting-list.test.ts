import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Person, startApp, type TestApp, type Tokens } from '../../support/servers/app.js';

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

const game = async (overrides: object = {}): Promise<string> => {
  const input = { startsAt: '2041-06-02T14:30:00Z', ...overrides };
  const text = 'mutation ($input: GameInput!) { scheduleGame(input: $input) { id } }';
  return (await app.graphql(text, { input }, owner)).scheduleGame.id;
};
const step = (mutation: string, gameId: string, tokens: Tokens, userId?: string) =>
  app.graphql(
    `mutation ($gameId: ID!, $userId: ID) { ${mutation}(gameId: $gameId, userId: $userId) { playerIds waitingIds } }`,
    { gameId, userId },
    tokens,
  );
const people = async (count: number) => Promise.all(Array.from({ length: count }, async () => (await app.person()).id));
const rosterOf = async (id: string) => {
  const [row] = await app.sql.rows('select player_ids as players, waiting_ids as waiting from game where id = $1', [id]);
  return row;
};
const notificationsOf = async (person: Person) =>
  (await app.graphql('{ viewer { notifications { nodes { event content } } } }', {}, person)).viewer.notifications.nodes;

describe('joining or leaving a game', () => {
  test('fills the last places once, and puts later players on the waiting list in order', async () => {
    const id = await game({ maxPlayers: 3, hasWaitingList: true });
    const ids = await people(9);
    await Promise.all([...ids, ...ids].map((userId) => step('optIn', id, app.platform, userId)));
    const row = await app.sql.row<{ players: string[]; waiting: string[] }>(
      'select player_ids as players, waiting_ids as waiting from game where id = $1',
      [id],
    );
    expect({
      playerCount: row?.players.length,
      everyone: [...(row?.players ?? []), ...(row?.waiting ?? [])].toSorted(),
    }).toEqual({ playerCount: 3, everyone: ids.toSorted() });
  });

  test('is a conflict when it is full and has no waiting list, even for concurrent requests', async () => {
    const id = await game({ maxPlayers: 1 });
    const answers = await Promise.all((await people(3)).map((userId) => step('optIn', id, app.platform, userId)));
    expect(answers.filter(({ errors }) => errors?.[0] === 'CONFLICT: the game is full').length).toBe(2);
  });

  test('moves the first waiting user up to a free place and notifies them, unless the owner manages the list', async () => {
    const automatic = await game({ title: 'Doubles', maxPlayers: 1, hasWaitingList: true });
    const manual = await game({ maxPlayers: 1, hasWaitingList: true, isWaitingListManual: true });
    const waiting = await app.person();
    for (const id of [automatic, manual]) {
      await step('optIn', id, guest);
      await step('optIn', id, waiting);
      await step('optOut', id, guest);
    }
    expect({
      automatic: await rosterOf(automatic),
      manual: await rosterOf(manual),
      notifications: await notificationsOf(waiting),
    }).toEqual({
      automatic: { players: [waiting.id], waiting: [] },
      manual: { players: [], waiting: [waiting.id] },
      notifications: [{ event: 'GAME_PLACE', content: 'You moved up from the waiting list of Doubles and now have a place.' }],
    });
  });

  test('stores IDs unchanged, whatever characters they contain', async () => {
    const id = await game();
    const ids = ['null', ' blank ', 'a,b', 'a\n,"b"', 'back\\slash', '{x}', "it's ? $1 :me", 'tab\t', 'é😀'];
    await app.sql.rows('insert into app_user (id) select unnest($1::text[])', [ids]);
    for (const userId of ids) await step('optIn', id, app.platform, userId);
    expect(await rosterOf(id)).toEqual({ players: ids, waiting: [] });
    expect(await step('optOut', id, app.platform, 'a,b')).toEqual({
      optOut: { playerIds: ids.filter((userId) => userId !== 'a,b'), waitingIds: [] },
    });
  });

  test('is rejected on behalf of another user, for hidden games and for archived games', async () => {
    const hidden = await game({ isInviteOnly: true });
    const archived = await game({ archivedAt: '2026-01-01T00:00:00Z' });
    expect({
      anotherUser: await step('optIn', archived, stranger, guest.id),
      longUserId: await step('optIn', archived, app.platform, 'x'.repeat(3000)),
      nulInGameId: await step('optIn', 'a\0b', app.platform, 'x'),
      hiddenGame: await step('optIn', hidden, stranger),
      archivedGame: await step('optIn', archived, stranger),
    }).toEqual({
      anotherUser: { errors: ['FORBIDDEN: a user token opens the records of that user only'] },
      longUserId: { errors: ['BAD_INPUT: userId: expected an ID of at most 255 characters'] },
      nulInGameId: { errors: ['BAD_INPUT: gameId: expected text without NUL characters'] },
      hiddenGame: { errors: [`NOT_FOUND: no game with the id ${hidden}`] },
      archivedGame: { errors: ['CONFLICT: the game is archived'] },
    });
  });
});
