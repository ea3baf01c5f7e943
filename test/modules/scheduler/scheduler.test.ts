import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mailbox } from '../../support/clients/mailbox.js';
import { type Person, startApp, type TestApp, type Tokens } from '../../support/servers/app.js';

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

const schedule = (overrides: object, tokens: Tokens = owner) => {
  const input = { startsAt: '2041-06-02T14:30:00Z', ...overrides };
  return app.graphql(
    'mutation ($input: GameInput!) { scheduleGame(input: $input) { id ownerId invitedEmails } }',
    { input },
    tokens,
  );
};
const game = async (input: object = {}): Promise<string> => (await schedule(input)).scheduleGame.id;
const step = (mutation: string, gameId: string, tokens: Tokens, userId?: string) =>
  app.graphql(
    `mutation ($gameId: ID!, $userId: ID) { ${mutation}(gameId: $gameId, userId: $userId) { playerIds waitingIds } }`,
    { gameId, userId },
    tokens,
  );
const notificationsOf = async (person: Person) =>
  (await app.graphql('{ viewer { notifications { nodes { event content } } } }', {}, person)).viewer.notifications.nodes;

describe('invitations', () => {
  test('notify users, by id or address, and send emails only to unknown addresses', async () => {
    const invited = await app.person();
    const input = {
      title: 'Sunday Doubles',
      startsAt: '2041-06-02T14:30:00Z',
      timeZone: 'America/Chicago',
      isInviteOnly: true,
      showsPlayersToInvited: true,
      invitedIds: [invited.id, owner.id],
      invitedEmails: ['Gus@example.com', 'new@example.com', 'NEW@example.com'],
    };
    const { scheduleGame } = await schedule(input);
    const notification = { event: 'GAME_INVITATION', content: 'Olga Owner invites you to Sunday Doubles.' };
    const mails = await mailbox(app, 'new@example.com');
    const { game: seenByGuest } = await app.graphql(
      `{ game(id: "${scheduleGame.id}") { invitedEmails invitedPlayers { nodes { id } } } }`,
      {},
      guest,
    );
    expect({ invitedEmails: scheduleGame.invitedEmails, seenByGuest }).toEqual({
      invitedEmails: input.invitedEmails,
      seenByGuest: { invitedEmails: [], invitedPlayers: { nodes: [{ id: invited.id }, { id: owner.id }] } },
    });
    expect({
      invitedById: await notificationsOf(invited),
      owner: await notificationsOf(owner),
      invitedByAddress: (await notificationsOf(guest)).at(0),
    }).toEqual({ invitedById: [notification], owner: [], invitedByAddress: notification });
    expect({
      subjects: mails.map(({ subject }) => subject),
      invitation: mails[0]?.text?.split('\n')[0],
      time: /When: (.*)/.exec(mails[0]?.text ?? '')?.[1],
      mailsToGuest: await mailbox(app, 'gus@example.com'),
    }).toEqual({
      subjects: ['A player invites you to a game'],
      invitation: 'Olga Owner invites you to play: Sunday Doubles.',
      time: 'Sunday, 2 June 2041 at 9:30 AM CDT',
      mailsToGuest: [],
    });
  });

  test('are not sent if an address is invalid or there are too many', async () => {
    const tooMany = Array.from({ length: 101 }, (_, n) => `n${n}@example.com`);
    expect({
      invalidAddress: await schedule({ invitedEmails: ['a@example.com', 'b'] }),
      tooMany: await schedule({ invitedEmails: tooMany }),
      mailsToValidAddress: await mailbox(app, 'a@example.com'),
    }).toEqual({
      invalidAddress: { errors: ['BAD_INPUT: input.invitedEmails[1]: expected an e-mail address such as ana@example.com'] },
      tooMany: { errors: ['BAD_INPUT: input.invitedEmails: expected at most 100 email addresses'] },
      mailsToValidAddress: [],
    });
  });
});

describe('the owner of a game', () => {
  test('is the user of the token, or the user that a platform or an admin names', async () => {
    const both = { ...app.platform, user: guest.user };
    const admin = await app.person({ roles: ['ADMIN'] });
    const ownerOf = async (input: object, tokens: Tokens) => (await schedule(input, tokens)).scheduleGame.ownerId;
    expect({
      sameUser: await ownerOf({ ownerId: owner.id }, owner),
      namedByPlatformWithUser: await ownerOf({ ownerId: owner.id }, both),
      platformWithUser: await ownerOf({}, both),
      namedByPlatform: await ownerOf({ ownerId: owner.id }, app.platform),
      namedByAdmin: await ownerOf({ ownerId: guest.id }, admin),
      emptyByAdmin: await ownerOf({ ownerId: '' }, admin),
    }).toEqual({
      sameUser: owner.id,
      namedByPlatformWithUser: owner.id,
      platformWithUser: guest.id,
      namedByPlatform: owner.id,
      namedByAdmin: guest.id,
      emptyByAdmin: admin.id,
    });
  });

  test('cannot be another user, not even in /v1, and a rejected game invites nobody', async () => {
    const { status, body } = await app.rest('POST', '/v1/game_scheduler', owner, {
      payload: { title: 'Gift', ownerUuid: guest.id },
    });
    expect({ status, message: body.Message }).toEqual({
      status: 403,
      message: 'payload.ownerUuid: only the id of the signed-in user',
    });
    expect({
      refusal: await schedule({ title: 'Gift', ownerId: guest.id, invitedEmails: ['gift@example.com'] }),
      games: (await app.graphql('{ games(filter: { title: { eq: "Gift" } }) { totalCount } }')).games,
      mails: await mailbox(app, 'gift@example.com'),
    }).toEqual({
      refusal: { errors: ['FORBIDDEN: input.ownerId: only the id of the signed-in user'] },
      games: { totalCount: 0 },
      mails: [],
    });
  });

  test('cancels it once, and players and waiting users are notified', async () => {
    const id = await game({ title: 'Off', maxPlayers: 1, hasWaitingList: true });
    const [player, waiting] = [await app.person(), await app.person()];
    for (const person of [player, waiting]) await step('optIn', id, person);
    const cancel = (tokens: Tokens) =>
      app.graphql(`mutation { cancelGame(id: "${id}") { title playerCount waitingCount } }`, {}, tokens);
    expect({
      byPlayer: await cancel(player),
      byOwner: await cancel(owner),
      again: await cancel(owner),
    }).toEqual({
      byPlayer: { errors: ['FORBIDDEN: Not allowed: requires a user token of the owner of the game'] },
      byOwner: { cancelGame: { title: 'Off', playerCount: 1, waitingCount: 1 } },
      again: { errors: [`NOT_FOUND: no game with the id ${id}`] },
    });
    const notifications = [{ event: 'GAME_CANCELED', content: 'Off was canceled.' }];
    expect({ player: await notificationsOf(player), waiting: await notificationsOf(waiting) }).toEqual({
      player: notifications,
      waiting: notifications,
    });
  });
});

test('a private game is visible to its owner, players, waiting and invited users, and super admins', async () => {
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
  const canSee = async (tokens: Tokens) => (await app.graphql(`{ game(id: "${id}") { id } }`, {}, tokens)).game !== null;
  expect({
    owner: await canSee(owner),
    player: await canSee(player),
    waiting: await canSee(waiting),
    invitedById: await canSee(invited),
    invitedByAddress: await canSee(guest),
    superAdmin: await canSee(admin),
    stranger: await canSee(stranger),
    platform: await canSee(app.platform),
  }).toEqual({
    ...{ owner: true, player: true, waiting: true, invitedById: true, invitedByAddress: true, superAdmin: true },
    ...{ stranger: false, platform: false },
  });
});

test('a game and its owner, players and group are related in both directions', async () => {
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
  const filter = `filter: { isAtFavoriteCourt: true, isViewerFavorite: true }`;
  const { viewer, games } = await app.graphql(
    `{ games(${filter}) { nodes { title isViewerFavorite owner { lastName } group { title games { totalCount } } players { nodes { firstName } } } }
       viewer { games { nodes { title } } favorites(filter: { kind: { eq: GAME } }) { nodes { game { title } } } } }`,
    {},
    guest,
  );
  expect({ groupOwner: upsertGameGroup.owner.id, games: games.nodes, viewer }).toEqual({
    groupOwner: owner.id,
    games: [
      {
        title: 'At six',
        isViewerFavorite: true,
        owner: { lastName: 'Owner' },
        group: { title: 'Early Birds', games: { totalCount: 1 } },
        players: { nodes: [{ firstName: 'Gus' }] },
      },
    ],
    viewer: { games: { nodes: [{ title: 'At six' }] }, favorites: { nodes: [{ game: { title: 'At six' } }] } },
  });
});
