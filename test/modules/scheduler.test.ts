import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Person, startApp, type TestApp, type Tokens } from '../support/app.js';
import { mailbox } from '../support/mailbox.js';

let app: TestApp;
let owner: Person;
let guest: Person;
let stranger: Person;
beforeAll(async () => {
  app = await startApp();
  owner = await app.person({ firstName: 'Olga', lastName: 'Owner' });
  guest = await app.person({ firstName: 'Gus', email: 'gus@example.com' });
  stranger = await app.person();
});
afterAll(() => app.close());

const schedule = (input: object, tokens: Tokens = owner) =>
  app.graphql('mutation ($input: GameInput!) { scheduleGame(input: $input) { id ownerId invitedEmails } }', { input }, tokens);
const game = async (input: object = {}): Promise<string> => (await schedule(input)).scheduleGame.id;
const step = (mutation: string, gameId: string, tokens: Tokens, userId?: string) =>
  app.graphql(
    `mutation ($gameId: ID!, $userId: ID) { ${mutation}(gameId: $gameId, userId: $userId) { playerIds waitingIds } }`,
    { gameId, userId },
    tokens,
  );
const events = async (person: Person) =>
  (await app.graphql('{ viewer { notifications { nodes { event content } } } }', {}, person)).viewer.notifications.nodes;

describe('invitations', () => {
  test('users are notified, by id or by their address; only unknown addresses get a mail', async () => {
    const invited = await app.person();
    const input = {
      title: 'Sunday Doubles',
      startsAt: '2041-06-02T14:30:00Z',
      timeZoneRaw: 'America/Chicago',
      isInviteOnly: true,
      showsPlayersToInvited: true,
      invitedIds: [invited.id, owner.id],
      invitedEmails: ['Gus@example.com', 'new@example.com', 'NEW@example.com'],
    };
    const { scheduleGame } = await schedule(input);
    const told = { event: 'GAME_INVITATION', content: 'Olga Owner invites you to Sunday Doubles.' };
    const mails = await mailbox(app, 'new@example.com');
    const { game: seen } = await app.graphql(
      `{ game(id: "${scheduleGame.id}") { invitedEmails invitedPlayers { nodes { id } } } }`,
      {},
      guest,
    );
    expect([
      scheduleGame.invitedEmails,
      seen,
      await events(invited),
      await events(owner),
      (await events(guest)).at(0),
      mails.map(({ subject }) => subject),
      /When: (.*)/.exec(mails[0]?.text ?? '')?.[1],
      await mailbox(app, 'gus@example.com'),
    ]).toEqual([
      input.invitedEmails,
      { invitedEmails: [], invitedPlayers: { nodes: [{ id: invited.id }, { id: owner.id }] } },
      [told],
      [],
      told,
      ['Olga Owner invites you to Sunday Doubles'],
      'Sunday, 2 June 2041 at 9:30 AM CDT',
      [],
    ]);
  });

  test('nothing leaves when an address is none, or there are too many', async () => {
    const many = Array.from({ length: 101 }, (_, n) => `n${n}@example.com`);
    expect([await schedule({ invitedEmails: ['a@example.com', 'b'] }), await schedule({ invitedEmails: many })]).toEqual([
      { errors: ['BAD_INPUT: input.invitedEmails[1]: expected an e-mail address such as ana@example.com'] },
      { errors: ['BAD_INPUT: input.invitedEmails: expected at most 100 e-mail addresses'] },
    ]);
    expect(await mailbox(app, 'a@example.com')).toEqual([]);
  });
});

describe('whose game it is', () => {
  test('the user of the token, or the one that a platform or an admin names', async () => {
    const both = { ...app.platform, user: guest.user };
    const admin = await app.person({ roles: ['ADMIN'] });
    const owners = await Promise.all([
      schedule({ ownerId: owner.id }, owner),
      schedule({ ownerId: owner.id }, both),
      schedule({}, both),
      schedule({ ownerId: owner.id }, app.platform),
      schedule({ ownerId: guest.id }, admin),
      schedule({ ownerId: '' }, admin),
    ]);
    expect(owners.map(({ scheduleGame }) => scheduleGame.ownerId)).toEqual(
      [owner, owner, guest, owner, guest, admin].map(({ id }) => id),
    );
  });

  test('and nobody else: a game for another is refused, in /v1 too, and nobody is invited', async () => {
    const v1 = await app.rest('POST', '/v1/game_scheduler', owner, { payload: { title: 'Gift', ownerUuid: guest.id } });
    expect([
      await schedule({ title: 'Gift', ownerId: guest.id, invitedEmails: ['gift@example.com'] }),
      [v1.status, v1.body.Message],
      (await app.graphql('{ games(filter: { title: { eq: "Gift" } }) { totalCount } }')).games,
      await mailbox(app, 'gift@example.com'),
    ]).toEqual([
      { errors: ['FORBIDDEN: input.ownerId: only the id of the signed-in user'] },
      [403, 'payload.ownerUuid: only the id of the signed-in user'],
      { totalCount: 0 },
      [],
    ]);
  });

  test('the owner calls it off, and players and who waits are told', async () => {
    const id = await game({ title: 'Off', maxPlayers: 1, hasWaitingList: true });
    const [player, waiting] = [await app.person(), await app.person()];
    for (const person of [player, waiting]) await step('optIn', id, person);
    const cancel = (tokens: Tokens) =>
      app.graphql(`mutation { cancelGame(id: "${id}") { title playerCount waitingCount } }`, {}, tokens);
    expect([await cancel(player), await cancel(owner), await cancel(owner), await events(player), await events(waiting)]).toEqual(
      [
        { errors: ['FORBIDDEN: only for: the owner of the game'] },
        { cancelGame: { title: 'Off', playerCount: 1, waitingCount: 1 } },
        { errors: [`NOT_FOUND: no game with the id ${id}`] },
        [{ event: 'GAME_CANCELED', content: 'Off was called off.' }],
        [{ event: 'GAME_CANCELED', content: 'Off was called off.' }],
      ],
    );
  });
});

describe('who sees a private game', () => {
  test('owner, players, who waits, who is invited by id or address, and super admins', async () => {
    const [player, waiting, invited] = [await app.person(), await app.person(), await app.person()];
    const admin = await app.person({ isSuperAdmin: true });
    const id = await game({
      isInviteOnly: true,
      maxPlayers: 1,
      hasWaitingList: true,
      playerIds: [player.id],
      invitedIds: [invited.id],
      invitedEmails: ['gus@example.com'],
    });
    await app.sql.rows('update game set waiting_ids = $2 where id = $1', [id, [waiting.id]]);
    const sees = async (tokens: Tokens) => (await app.graphql(`{ game(id: "${id}") { id } }`, {}, tokens)).game !== null;
    expect(await Promise.all([owner, player, waiting, invited, guest, admin, stranger, app.platform].map(sees))).toEqual([
      ...[true, true, true, true, true, true],
      ...[false, false],
    ]);
  });
});

test('a game leads to its owner, players, group, and they lead back', async () => {
  const { upsertGameGroup } = await app.graphql(
    'mutation { upsertGameGroup(input: { title: "Early Birds", isPrivate: true }) { id owner { id } } }',
    {},
    owner,
  );
  const id = await game({ title: 'At six', groupId: upsertGameGroup.id, playerIds: [guest.id], courtId: 'court-1' });
  await app.graphql(
    `mutation { a: addFavorite(kind: COURT, subjectId: "court-1") { id } b: addFavorite(kind: GAME, subjectId: "${id}") { id } }`,
    {},
    guest,
  );
  const of = `filter: { isAtFavoriteCourt: true, isViewerFavorite: true }`;
  const { viewer, games } = await app.graphql(
    `{ games(${of}) { nodes { title isViewerFavorite owner { lastName } group { title games { totalCount } } players { nodes { firstName } } } }
       viewer { games { nodes { title } } favorites(filter: { kind: { eq: GAME } }) { nodes { game { title } } } } }`,
    {},
    guest,
  );
  expect([upsertGameGroup.owner.id, games.nodes, viewer]).toEqual([
    owner.id,
    [
      {
        title: 'At six',
        isViewerFavorite: true,
        owner: { lastName: 'Owner' },
        group: { title: 'Early Birds', games: { totalCount: 1 } },
        players: { nodes: [{ firstName: 'Gus' }] },
      },
    ],
    { games: { nodes: [{ title: 'At six' }] }, favorites: { nodes: [{ game: { title: 'At six' } }] } },
  ]);
});
