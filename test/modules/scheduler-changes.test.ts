import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Person, startApp, type TestApp, type Tokens } from '../support/app.js';
import { mailbox } from '../support/mailbox.js';

let app: TestApp;
let owner: Person;
let guest: Person;
beforeAll(async () => {
  app = await startApp();
  owner = await app.person({ firstName: 'Olga', lastName: 'Owner' });
  guest = await app.person({ email: 'gus@example.com' });
});
afterAll(() => app.close());

const schedule = async (input: object, tokens: Tokens = owner): Promise<string> => {
  const answer = await app.graphql('mutation ($input: GameInput!) { scheduleGame(input: $input) { id } }', { input }, tokens);
  return answer.scheduleGame?.id ?? answer.errors;
};
const change = (id: string, input: object, tokens: Tokens = owner, fields = 'title') =>
  app.graphql(
    `mutation ($id: ID!, $input: GameInput!) { updateGame(id: $id, input: $input) { ${fields} } }`,
    { id, input },
    tokens,
  );
/** What people were told since they were last asked. */
const heard = (...people: Person[]) =>
  Promise.all(
    people.map(async (person) => {
      const query = '{ viewer { notifications(filter: { isUnread: true }) { nodes { id event content } } } }';
      const { nodes } = (await app.graphql(query, {}, person)).viewer.notifications;
      await app.sql.rows('update notification set read_at = now() where user_id = $1', [person.id]);
      return nodes.map(({ event, content }: { event: string; content: string }) => `${event}: ${content}`).toReversed();
    }),
  );

describe('who changes a game', () => {
  test('its owner, admins who see it, and a platform that acts for nobody', async () => {
    const id = await schedule({ title: 'Whose' });
    const admins = [await app.person({ isSuperAdmin: true }), await app.person({ roles: ['ADMIN'] })];
    const allowed = [owner, ...admins, app.platform].map((tokens) => change(id, { title: 'Changed' }, tokens));
    const others = [guest, { ...app.platform, user: guest.user }].map((tokens) => change(id, { title: 'Taken' }, tokens));
    expect([...(await Promise.all(allowed)), ...(await Promise.all(others))]).toEqual([
      ...Array(4).fill({ updateGame: { title: 'Changed' } }),
      ...Array(2).fill({ errors: ['FORBIDDEN: only for: the owner of the game'] }),
    ]);
  });

  test('nobody whom it does not show, and none that is not there', async () => {
    const id = await schedule({ isInviteOnly: true });
    expect([await change(id, {}, guest), await change('nothing', {})]).toEqual([
      { errors: [`NOT_FOUND: no game with the id ${id}`] },
      { errors: ['NOT_FOUND: no game with the id nothing'] },
    ]);
  });

  test('it changes hands by a platform only, and by leaving the owner out it does not', async () => {
    const id = await schedule({});
    const give = (ownerId: string | null, tokens: Tokens) => change(id, { ownerId }, tokens, 'ownerId');
    expect([
      await give(guest.id, owner),
      await give(null, owner),
      await give('', app.platform),
      await give(owner.id, owner),
      await give(guest.id, app.platform),
    ]).toEqual([
      { errors: ['FORBIDDEN: only platforms give a game to somebody else'] },
      ...Array(3).fill({ updateGame: { ownerId: owner.id } }),
      { updateGame: { ownerId: guest.id } },
    ]);
  });
});

describe('who is told', () => {
  test('who plays, waits or is invited hears of each change once, but not who made it', async () => {
    const [player, waiting, invited] = [await app.person(), await app.person(), await app.person()];
    const id = await schedule({
      ...{ title: 'Doubles', startsAt: '2041-06-02T14:30:00Z', timeZoneRaw: 'America/Chicago', courtId: 'one' },
      ...{ playerIds: [owner.id, player.id, waiting.id], maxPlayers: 2, hasWaitingList: true },
      ...{ invitedIds: [invited.id, player.id], invitedEmails: ['gus@example.com'] },
    });
    const everybody = [owner, player, waiting, invited, guest];
    await heard(...everybody);
    await change(id, { startsAt: '2041-06-02T16:00:00Z', courtId: 'two', maxPlayers: 2 });
    const moved = 'GAME_CHANGED: Doubles has changed: it is on Sunday, 2 June 2041 at 11:00 AM CDT, it is on another court.';
    expect(await heard(...everybody)).toEqual([[], [moved], [moved], [moved], [moved]]);
    await change(id, { title: 'Singles', startsAt: '2041-06-02T11:00:00-05:00', allowsPlayerNotes: true }, app.platform);
    const renamed = 'GAME_CHANGED: Doubles has changed: it is called Singles now.';
    expect(await heard(...everybody)).toEqual(everybody.map(() => [renamed]));
    await change(id, { title: 'Singles', minPlayers: 2, isPartnersOnly: true });
    await change(id, { description: 'Bring water.', startsAt: null });
    const unknown = 'GAME_CHANGED: Singles has changed: its time is not known yet, it has another description.';
    expect(await heard(...everybody)).toEqual([[], [unknown], [unknown], [unknown], [unknown]]);
  });

  test('of a deleted game, too', async () => {
    const [player, invited] = [await app.person(), await app.person()];
    const id = await schedule({ title: 'Off', playerIds: [owner.id, player.id], invitedIds: [invited.id, player.id] });
    await heard(owner, player, invited);
    await app.graphql('mutation ($id: ID!) { cancelGame(id: $id) { id } }', { id }, app.platform);
    const off = ['GAME_CANCELED: Off was called off.'];
    expect(await heard(owner, player, invited)).toEqual([off, off, off]);
  });

  test('of one that several call off at the same moment, once', async () => {
    const player = await app.person();
    const id = await schedule({ title: 'Off', playerIds: [player.id] });
    const cancel = () => app.graphql('mutation ($id: ID!) { cancelGame(id: $id) { title } }', { id }, owner);
    const answers = await Promise.all([cancel(), cancel(), cancel()]);
    const gone = `NOT_FOUND: no game with the id ${id}`;
    expect([answers.map(({ errors }) => errors?.[0] ?? 'done').toSorted(), await heard(player)]).toEqual([
      [gone, gone, 'done'],
      [['GAME_CANCELED: Off was called off.']],
    ]);
  });

  test('who is invited anew gets the invitation, and nobody gets it twice', async () => {
    const [first, second] = [await app.person(), await app.person({ email: 'second@example.com' })];
    const id = await schedule({ title: 'Open Play', invitedIds: [first.id], invitedEmails: ['old@example.com'] });
    await heard(first);
    const invitedEmails = ['old@example.com', 'Second@example.com', 'new@example.com'];
    const invite = { title: 'Closed Play', invitedIds: [first.id, owner.id], invitedEmails };
    await Promise.all([change(id, invite), change(id, invite)]);
    const mails = await Promise.all(['old', 'new', 'second'].map((name) => mailbox(app, `${name}@example.com`)));
    expect([await heard(first, second, owner), mails.map((mail) => mail.map(({ subject }) => subject))]).toEqual([
      [
        ['GAME_CHANGED: Open Play has changed: it is called Closed Play now.'],
        ['GAME_INVITATION: Olga Owner invites you to Closed Play.'],
        [],
      ],
      [['Olga Owner invites you to Open Play'], ['Olga Owner invites you to Closed Play'], []],
    ]);
  });

  test('an address that is taken out is not invited any more', async () => {
    const id = await schedule({ isInviteOnly: true, invitedEmails: ['gus@example.com', 'other@example.com'] });
    const sees = async () => (await app.graphql(`{ game(id: "${id}") { id } }`, {}, guest)).game !== null;
    const before = await sees();
    await change(id, { invitedEmails: ['other@example.com'] });
    expect([before, await sees()]).toEqual([true, false]);
  });

  test.for([
    [{ invitedEmails: ['nobody'] }, 'input.invitedEmails[0]: expected an e-mail address such as ana@example.com'],
    [{ title: 'x'.repeat(501) }, 'input.title: expected at most 500 characters'],
  ] as const)('a wrong change is refused and nothing is kept of it', async ([input, message]) => {
    const id = await schedule({ title: 'As it was', playerIds: [guest.id] });
    await heard(guest);
    const refused = await change(id, { courtId: 'other', ...input });
    const { game } = await app.graphql(`{ game(id: "${id}") { title courtId } }`, {}, owner);
    expect([refused, game, await heard(guest)]).toEqual([
      { errors: [`BAD_INPUT: ${message}`] },
      { title: 'As it was', courtId: null },
      [[]],
    ]);
  });
});

test('who joins while it is changed has joined', async () => {
  const id = await schedule({ title: 'Busy', maxPlayers: 3, hasWaitingList: true });
  const ids = Array.from({ length: 8 }, (_, n) => `busy-${n}`);
  const join = 'mutation ($id: ID!, $userId: ID) { optIn(gameId: $id, userId: $userId) { id } }';
  await Promise.all([
    ...ids.map((userId) => app.graphql(join, { id, userId })),
    ...[4, 5, 6].map((maxPlayers) => change(id, { maxPlayers, description: `For ${maxPlayers}.` })),
  ]);
  const row = await app.sql.row<{ max: number; players: string[]; waiting: string[] }>(
    'select max_players as max, player_ids as players, waiting_ids as waiting from game where id = $1',
    [id],
  );
  expect([row?.players.length, [...(row?.players ?? []), ...(row?.waiting ?? [])].toSorted()]).toEqual([row?.max, ids]);
});

describe('a series', () => {
  const startsAt = new Date(Date.now() + 3_600_000).toISOString();
  const repetitions = async (id: string) =>
    (await app.graphql(`{ game(id: "${id}") { repetitions(first: 100) { nodes { id title startsAt } } } }`, {}, owner)).game
      .repetitions.nodes;

  test('repeats from when it is said to, and stops where it is said to', async () => {
    const id = await schedule({ startsAt });
    const none = await repetitions(id);
    await change(id, { isRepeated: true, repeats: 'WEEKLY' });
    const weekly = (await repetitions(id)).length;
    await change(id, { isRepeated: false });
    expect([none, weekly, (await repetitions(id)).length]).toEqual([[], 8, 8]);
    await change(id, { isRepeated: true, repeats: 'DAILY' });
    expect((await repetitions(id)).length).toBe(59);
  });

  test('leaves repetitions as they are when the first game changes, also to another time of the day', async () => {
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
    const id = await schedule({ title: 'Before', startsAt: `${tomorrow}T12:00:00Z`, isRepeated: true, repeats: 'WEEKLY' });
    const before = await repetitions(id);
    await change(id, { title: 'After', startsAt: `${tomorrow}T14:00:00Z` });
    expect(await repetitions(id)).toEqual(before);
  });

  test('changes one repetition alone', async () => {
    const id = await schedule({ title: 'All', startsAt, isRepeated: true, repeats: 'WEEKLY' });
    const [one] = await repetitions(id);
    await change(one.id, { title: 'One', startsAt: '2041-01-01T00:00:00Z' });
    const titles = (await repetitions(id)).map(({ title }: { title: string }) => title).toSorted();
    expect(titles).toEqual([...Array(7).fill('All'), 'One']);
  });
});
