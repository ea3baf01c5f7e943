import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mailbox } from '../../support/clients/mailbox.js';
import { type Person, startApp, type TestApp, type Tokens } from '../../support/servers/app.js';

let app: TestApp;
let owner: Person;
let guest: Person;
beforeAll(async () => {
  app = await startApp();
  owner = await app.person({ firstName: 'Olga', lastName: 'Owner' });
  guest = await app.person({ email: 'gus@example.com' });
});
afterAll(() => app.close());

const schedule = async (overrides: object, tokens: Tokens = owner): Promise<string> => {
  const input = { startsAt: '2041-06-02T14:30:00Z', ...overrides };
  const answer = await app.graphql('mutation ($input: GameInput!) { scheduleGame(input: $input) { id } }', { input }, tokens);
  return answer.scheduleGame?.id ?? answer.errors;
};
const change = (id: string, input: object, tokens: Tokens = owner, fields = 'title') =>
  app.graphql(
    `mutation ($id: ID!, $input: GameInput!) { updateGame(id: $id, input: $input) { ${fields} } }`,
    { id, input },
    tokens,
  );
/** Returns the notifications that each person has received since the previous call, oldest first. */
const newNotifications = async (people: Record<string, Person>) =>
  Object.fromEntries(
    await Promise.all(
      Object.entries(people).map(async ([name, person]) => {
        const query = '{ viewer { notifications(filter: { isUnread: true }) { nodes { id event content } } } }';
        const { nodes } = (await app.graphql(query, {}, person)).viewer.notifications;
        await app.sql.rows('update notification set read_at = now() where user_id = $1', [person.id]);
        return [name, nodes.map(({ event, content }: { event: string; content: string }) => `${event}: ${content}`).toReversed()];
      }),
    ),
  );

describe('permission to update a game', () => {
  test('is granted to its owner, to admins who see it and to a platform without a user', async () => {
    const id = await schedule({ title: 'Whose' });
    const superAdmin = await app.person({ isSuperAdmin: true });
    const admin = await app.person({ roles: ['ADMIN'] });
    const retitle = (tokens: Tokens) => change(id, { title: 'Changed' }, tokens);
    const changed = { updateGame: { title: 'Changed' } };
    expect({
      owner: await retitle(owner),
      superAdmin: await retitle(superAdmin),
      admin: await retitle(admin),
      platform: await retitle(app.platform),
    }).toEqual({ owner: changed, superAdmin: changed, admin: changed, platform: changed });
  });

  test('is denied to other users, even through a platform', async () => {
    const id = await schedule({ title: 'Whose' });
    const forbidden = { errors: ['FORBIDDEN: Not allowed: requires a user token of the owner of the game'] };
    expect({
      guest: await change(id, { title: 'Taken' }, guest),
      guestWithPlatform: await change(id, { title: 'Taken' }, { ...app.platform, user: guest.user }),
    }).toEqual({ guest: forbidden, guestWithPlatform: forbidden });
  });

  test('is denied for hidden games as if they did not exist', async () => {
    const id = await schedule({ isInviteOnly: true });
    expect({ hidden: await change(id, {}, guest), missing: await change('nothing', {}) }).toEqual({
      hidden: { errors: [`NOT_FOUND: no game with the id ${id}`] },
      missing: { errors: ['NOT_FOUND: no game with the id nothing'] },
    });
  });

  test('does not include transferring the game, which only platforms may do, and an empty owner keeps the current one', async () => {
    const id = await schedule({});
    const setOwner = (ownerId: string | null, tokens: Tokens) => change(id, { ownerId }, tokens, 'ownerId');
    const unchanged = { updateGame: { ownerId: owner.id } };
    expect({
      otherUserByOwner: await setOwner(guest.id, owner),
      nullByOwner: await setOwner(null, owner),
      emptyByPlatform: await setOwner('', app.platform),
      sameByOwner: await setOwner(owner.id, owner),
      otherUserByPlatform: await setOwner(guest.id, app.platform),
    }).toEqual({
      otherUserByOwner: { errors: ['FORBIDDEN: only platforms can transfer a game to another user'] },
      nullByOwner: unchanged,
      emptyByPlatform: unchanged,
      sameByOwner: unchanged,
      otherUserByPlatform: { updateGame: { ownerId: guest.id } },
    });
  });
});

describe('notifications', () => {
  test('of an update reach players, waiting and invited users once each, but not the user who made it', async () => {
    const [player, waiting, invited] = [await app.person(), await app.person(), await app.person()];
    const id = await schedule({
      ...{ title: 'Doubles', startsAt: '2041-06-02T14:30:00Z', timeZone: 'America/Chicago', courtId: 'one' },
      ...{ playerIds: [owner.id, player.id, waiting.id], maxPlayers: 2, hasWaitingList: true },
      ...{ invitedIds: [invited.id, player.id], invitedEmails: ['gus@example.com'] },
    });
    const everybody = { owner, player, waiting, invited, guest };
    await newNotifications(everybody);
    await change(id, { startsAt: '2041-06-02T16:00:00Z', courtId: 'two', maxPlayers: 2 });
    const moved = [
      'GAME_CHANGED: Doubles has changed. The new time is Sunday, 2 June 2041 at 11:00 AM CDT. The court has changed.',
    ];
    expect(await newNotifications(everybody)).toEqual({
      owner: [],
      player: moved,
      waiting: moved,
      invited: moved,
      guest: moved,
    });
    await change(id, { title: 'Singles', startsAt: '2041-06-02T11:00:00-05:00', allowsPlayerNotes: true }, app.platform);
    const renamed = ['GAME_CHANGED: Doubles has changed. The new title is Singles.'];
    expect(await newNotifications(everybody)).toEqual({
      owner: renamed,
      player: renamed,
      waiting: renamed,
      invited: renamed,
      guest: renamed,
    });
    await change(id, { title: 'Singles', minPlayers: 2, isPartnersOnly: true });
    await change(id, { description: 'Bring water.', startsAt: '2041-06-03T16:00:00Z' });
    const described = [
      'GAME_CHANGED: Singles has changed. The new time is Monday, 3 June 2041 at 11:00 AM CDT. The description has changed.',
    ];
    expect(await newNotifications(everybody)).toEqual({
      owner: [],
      player: described,
      waiting: described,
      invited: described,
      guest: described,
    });
  });

  test('of a cancellation reach the owner, players and invited users once each', async () => {
    const [player, invited] = [await app.person(), await app.person()];
    const id = await schedule({ title: 'Off', playerIds: [owner.id, player.id], invitedIds: [invited.id, player.id] });
    await newNotifications({ owner, player, invited });
    await app.graphql('mutation ($id: ID!) { cancelGame(id: $id) { id } }', { id }, app.platform);
    const canceled = ['GAME_CANCELED: Off was canceled.'];
    expect(await newNotifications({ owner, player, invited })).toEqual({ owner: canceled, player: canceled, invited: canceled });
  });

  test('of a cancellation are sent once when several requests cancel the game concurrently', async () => {
    const player = await app.person();
    const id = await schedule({ title: 'Off', playerIds: [player.id] });
    const cancel = () => app.graphql('mutation ($id: ID!) { cancelGame(id: $id) { title } }', { id }, owner);
    const answers = await Promise.all([cancel(), cancel(), cancel()]);
    const notFound = `NOT_FOUND: no game with the id ${id}`;
    expect(answers.map(({ errors }) => errors?.[0] ?? 'done').toSorted()).toEqual([notFound, notFound, 'done']);
    expect(await newNotifications({ player })).toEqual({ player: ['GAME_CANCELED: Off was canceled.'] });
  });

  test('of an invitation reach newly invited users, and nobody twice', async () => {
    const [first, second] = [await app.person(), await app.person({ email: 'second@example.com' })];
    const id = await schedule({ title: 'Open Play', invitedIds: [first.id], invitedEmails: ['old@example.com'] });
    await newNotifications({ first });
    const invitedEmails = ['old@example.com', 'Second@example.com', 'new@example.com'];
    const update = { title: 'Closed Play', invitedIds: [first.id, owner.id], invitedEmails };
    await Promise.all([change(id, update), change(id, update)]);
    expect(await newNotifications({ first, second, owner })).toEqual({
      first: ['GAME_CHANGED: Open Play has changed. The new title is Closed Play.'],
      second: ['GAME_INVITATION: Olga Owner invites you to Closed Play.'],
      owner: [],
    });
    const lines = async (name: string) => (await mailbox(app, `${name}@example.com`)).map(({ text }) => text?.split('\n')[0]);
    expect({
      invitedBefore: await lines('old'),
      invitedNow: await lines('new'),
      registered: await lines('second'),
    }).toEqual({
      invitedBefore: ['Olga Owner invites you to play: Open Play.', 'Closed Play has changed: title.'],
      invitedNow: ['Olga Owner invites you to play: Closed Play.'],
      registered: [],
    });
  });
});

test('removing an address from the invitations revokes access to a private game', async () => {
  const id = await schedule({ isInviteOnly: true, invitedEmails: ['gus@example.com', 'other@example.com'] });
  const canSee = async () => (await app.graphql(`{ game(id: "${id}") { id } }`, {}, guest)).game !== null;
  const before = await canSee();
  await change(id, { invitedEmails: ['other@example.com'] });
  expect({ before, after: await canSee() }).toEqual({ before: true, after: false });
});

test.for([
  [
    'an invalid email address',
    { invitedEmails: ['nobody'] },
    'input.invitedEmails[0]: expected an e-mail address such as ana@example.com',
  ],
  ['a title that is too long', { title: 'x'.repeat(501) }, 'input.title: expected at most 500 characters'],
] as const)('an update with %s is rejected, changes nothing and notifies nobody', async ([_, input, message]) => {
  const id = await schedule({ title: 'As it was', playerIds: [guest.id] });
  await newNotifications({ guest });
  const refusal = await change(id, { courtId: 'other', ...input });
  const { game } = await app.graphql(`{ game(id: "${id}") { title courtId } }`, {}, owner);
  expect({ refusal, game, notifications: await newNotifications({ guest }) }).toEqual({
    refusal: { errors: [`BAD_INPUT: ${message}`] },
    game: { title: 'As it was', courtId: null },
    notifications: { guest: [] },
  });
});

test('joining a game during concurrent updates loses no player', async () => {
  const id = await schedule({ title: 'Busy', maxPlayers: 3, hasWaitingList: true });
  const ids = await Promise.all(Array.from({ length: 8 }, async () => (await app.person()).id));
  const join = 'mutation ($id: ID!, $userId: ID) { optIn(gameId: $id, userId: $userId) { id } }';
  await Promise.all([
    ...ids.map((userId) => app.graphql(join, { id, userId })),
    ...[4, 5, 6].map((maxPlayers) => change(id, { maxPlayers, description: `For ${maxPlayers}.` })),
  ]);
  const row = await app.sql.row<{ max: number; players: string[]; waiting: string[] }>(
    'select max_players as max, player_ids as players, waiting_ids as waiting from game where id = $1',
    [id],
  );
  expect({
    playerCount: row?.players.length,
    everyone: [...(row?.players ?? []), ...(row?.waiting ?? [])].toSorted(),
  }).toEqual({ playerCount: row?.max, everyone: ids.toSorted() });
});

describe('updating a repeated game', () => {
  const startsAt = new Date(Date.now() + 3_600_000).toISOString();
  const repetitions = async (id: string) =>
    (await app.graphql(`{ game(id: "${id}") { repetitions(first: 100) { nodes { id title startsAt } } } }`, {}, owner)).game
      .repetitions.nodes;

  test('creates repetitions once repetition is on, and keeps them when it is off again', async () => {
    const id = await schedule({ startsAt });
    const initial = await repetitions(id);
    await change(id, { isRepeated: true, repeats: 'WEEKLY' });
    const weekly = await repetitions(id);
    await change(id, { isRepeated: false });
    const stopped = await repetitions(id);
    await change(id, { isRepeated: true, repeats: 'DAILY' });
    const daily = await repetitions(id);
    expect({ initial, weekly: weekly.length, stopped: stopped.length, daily: daily.length }).toEqual({
      initial: [],
      weekly: 8,
      stopped: 8,
      daily: 59,
    });
  });

  test('ends when the game is canceled, which returns the IDs of all deleted games', async () => {
    const id = await schedule({ startsAt, isRepeated: true, repeats: 'WEEKLY' });
    const ids = [id, ...(await repetitions(id)).map((game: { id: string }) => game.id)];
    const { cancelGame } = await app.graphql('mutation ($id: ID!) { cancelGame(id: $id) { deletedGameIds } }', { id }, owner);
    expect({ count: ids.length, deleted: cancelGame.deletedGameIds.toSorted() }).toEqual({ count: 9, deleted: ids.toSorted() });
  });

  test('leaves its repetitions unchanged, even when it moves to another time of day', async () => {
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
    const id = await schedule({ title: 'Before', startsAt: `${tomorrow}T12:00:00Z`, isRepeated: true, repeats: 'WEEKLY' });
    const before = await repetitions(id);
    await change(id, { title: 'After', startsAt: `${tomorrow}T14:00:00Z` });
    expect(await repetitions(id)).toEqual(before);
  });

  test('changes one repetition without the others', async () => {
    const id = await schedule({ title: 'All', startsAt, isRepeated: true, repeats: 'WEEKLY' });
    const [first] = await repetitions(id);
    await change(first.id, { title: 'One', startsAt: '2041-01-01T00:00:00Z' });
    const titles = (await repetitions(id)).map(({ title }: { title: string }) => title).toSorted();
    expect(titles).toEqual([...Array(7).fill('All'), 'One']);
  });
});
