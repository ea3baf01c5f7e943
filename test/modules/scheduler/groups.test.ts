import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Person, startApp, type TestApp, type Tokens } from '../../support/servers/app.js';

let app: TestApp;
let owner: Person;
let guest: Person;
beforeAll(async () => {
  app = await startApp();
  [owner, guest] = [await app.person(), await app.person()];
});
afterAll(() => app.close());

test('only a platform sets another user as the owner of a game group', async () => {
  const save = (tokens: Tokens, input: object) =>
    app.graphql('mutation ($input: GameGroupInput!) { upsertGameGroup(input: $input) { ownerId } }', { input }, tokens);
  const refused = { errors: ['FORBIDDEN: input.ownerId: only the id of the signed-in user'] };
  expect({
    createdForOneself: await save(owner, { id: 'g2', ownerId: owner.id }),
    givenAway: await save(owner, { id: 'g2', ownerId: guest.id }),
    ownerLeftOut: await save(owner, { id: 'g2', ownerId: null }),
    createdForAnother: await save(guest, { ownerId: owner.id }),
    givenAwayByPlatform: await save(app.platform, { id: 'g2', ownerId: guest.id }),
  }).toEqual({
    createdForOneself: { upsertGameGroup: { ownerId: owner.id } },
    givenAway: refused,
    ownerLeftOut: { upsertGameGroup: { ownerId: owner.id } },
    createdForAnother: refused,
    givenAwayByPlatform: { upsertGameGroup: { ownerId: guest.id } },
  });
});

test('only its owner or a platform can change and delete a game group', async () => {
  const save = (tokens: Tokens, title: string) =>
    app.graphql(
      'mutation ($title: String!) { upsertGameGroup(input: { id: "g1", title: $title }) { title ownerId } }',
      { title },
      tokens,
    );
  const remove = (tokens: Tokens) => app.graphql('mutation { deleteGameGroup(id: "g1") { title } }', {}, tokens);
  const refused = { errors: ['FORBIDDEN: Not allowed: requires a user token of the owner of the group'] };
  expect({
    createdByOwner: await save(owner, 'Mine'),
    changedByGuest: await save(guest, 'Yours'),
    changedByPlatform: await save(app.platform, 'Ours'),
    deletedByGuest: await remove(guest),
    deletedByOwner: await remove(owner),
  }).toEqual({
    createdByOwner: { upsertGameGroup: { title: 'Mine', ownerId: owner.id } },
    changedByGuest: refused,
    changedByPlatform: { upsertGameGroup: { title: 'Ours', ownerId: owner.id } },
    deletedByGuest: refused,
    deletedByOwner: { deleteGameGroup: { title: 'Ours' } },
  });
});

test('a user cannot take over a deleted group that games still name, but a platform can create it again', async () => {
  const save = (tokens: Tokens) => app.graphql('mutation { upsertGameGroup(input: { id: "left" }) { ownerId } }', {}, tokens);
  await save(owner);
  await app.graphql('mutation { scheduleGame(input: { groupId: "left", startsAt: "2035-01-01T00:00:00Z" }) { id } }', {}, owner);
  await app.graphql('mutation { deleteGameGroup(id: "left") { id } }', {}, owner);
  expect({ byGuest: await save(guest), byPlatform: await save(app.platform) }).toEqual({
    byGuest: { errors: ['FORBIDDEN: input.id: games already refer to a group with this id'] },
    byPlatform: { upsertGameGroup: { ownerId: null } },
  });
});

test('concurrent deletions of a game group delete it once', async () => {
  await app.graphql('mutation { upsertGameGroup(input: { id: "g3", title: "Mine" }) { id } }', {}, owner);
  const remove = () => app.graphql('mutation { deleteGameGroup(id: "g3") { title } }', {}, owner);
  expect((await Promise.all([remove(), remove(), remove()])).map(({ errors }) => errors?.[0] ?? 'deleted').toSorted()).toEqual([
    'NOT_FOUND: no gameGroup with the id g3',
    'NOT_FOUND: no gameGroup with the id g3',
    'deleted',
  ]);
});

test('only members set a private group as the group of a game, because a game makes its owner a member', async () => {
  const [outsider, member] = [await app.person(), await app.person()];
  const save = (input: object) =>
    app.graphql('mutation ($input: GameGroupInput!) { upsertGameGroup(input: $input) { id } }', { input }, owner);
  await save({ id: 'private-group', isPrivate: true });
  await save({ id: 'open-group' });
  const schedule = async (groupId: string, tokens: Tokens, more = {}) => {
    const text = 'mutation ($input: GameInput!) { scheduleGame(input: $input) { id groupId } }';
    const answer = await app.graphql(text, { input: { groupId, startsAt: '2041-06-02T14:30:00Z', ...more } }, tokens);
    return answer.scheduleGame ?? answer.errors;
  };
  const named = (groupId: string) => ({ id: expect.any(String), groupId });
  const refused = ['BAD_INPUT: input.groupId: expected the id of a group that is not private or that the user is a member of'];
  const byOwner = await schedule('private-group', owner, { invitedIds: [member.id] });
  const move = async (tokens: Tokens) => {
    const { id } = await schedule('open-group', tokens);
    const answer = await app.graphql(
      `mutation { updateGame(id: "${id}", input: { groupId: "private-group" }) { groupId } }`,
      {},
      tokens,
    );
    return answer.updateGame ?? answer.errors;
  };
  expect({
    byOwner,
    byMember: await schedule('private-group', member),
    byPlatform: await schedule('private-group', app.platform, { ownerId: owner.id }),
    byOutsider: await schedule('private-group', outsider),
    movedByOutsider: await move(outsider),
    futureGroup: await schedule('not-yet-a-group', outsider),
    openGroup: await schedule('open-group', outsider),
  }).toEqual({
    byOwner: named('private-group'),
    byMember: named('private-group'),
    byPlatform: named('private-group'),
    byOutsider: refused,
    movedByOutsider: refused,
    futureGroup: refused,
    openGroup: named('open-group'),
  });
});

test('only members and invited users join a game of a private group, because a game makes its players members', async () => {
  const [outsider, invited, added, admin] = [
    await app.person(),
    await app.person({ email: 'invited@example.com' }),
    await app.person(),
    await app.person({ roles: ['ADMIN'] }),
  ];
  await app.graphql('mutation { upsertGameGroup(input: { id: "closed-group", isPrivate: true }) { id } }', {}, owner);
  const schedule = async (input: object) => {
    const text = 'mutation ($input: GameInput!) { scheduleGame(input: $input) { id } }';
    const values = { groupId: 'closed-group', startsAt: '2041-06-02T14:30:00Z', ...input };
    return (await app.graphql(text, { input: values }, owner)).scheduleGame.id;
  };
  const game = await schedule({ maxPlayers: 1, hasWaitingList: true });
  const otherGame = await schedule({ invitedEmails: ['invited@example.com'] });
  const optIn = async (tokens: Tokens, userId?: string) => {
    const text = 'mutation ($game: ID!, $userId: ID) { optIn(gameId: $game, userId: $userId) { playerCount waitingCount } }';
    const answer = await app.graphql(text, { game, userId }, tokens);
    return answer.optIn ?? answer.errors;
  };
  const seesGroup = async (tokens: Tokens) =>
    (await app.graphql('{ gameGroups { nodes { id } } }', {}, tokens)).gameGroups.nodes.some(
      ({ id }: { id: string }) => id === 'closed-group',
    );
  const refused = ['FORBIDDEN: only members of the private group and invited users can join the game'];
  const waiting = (waitingCount: number) => ({ playerCount: 1, waitingCount });
  expect({
    outsider: await optIn(outsider),
    isOutsiderMember: await seesGroup(outsider),
    owner: await optIn(owner),
    invitedToOtherGame: await optIn(invited),
    admin: await optIn(admin),
    platform: await optIn({ ...app.platform, user: outsider.user }),
    platformAlone: await optIn(app.platform, guest.id),
    addedByOwner: await app.graphql(
      `mutation { addGamePlayers(id: "${otherGame}", input: { userIds: ["${added.id}"] }) { playerIds } }`,
      {},
      owner,
    ),
    addedUser: await optIn(added),
  }).toEqual({
    outsider: refused,
    isOutsiderMember: false,
    owner: waiting(0),
    invitedToOtherGame: waiting(1),
    admin: waiting(2),
    platform: waiting(3),
    platformAlone: waiting(4),
    addedByOwner: { addGamePlayers: { playerIds: [added.id] } },
    addedUser: waiting(5),
  });
});
