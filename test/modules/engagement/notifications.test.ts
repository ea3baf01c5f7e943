import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Person, startApp, type TestApp, type Tokens } from '../../support/servers/app.js';

let app: TestApp;
let bo: Person;
beforeAll(async () => {
  app = await startApp();
  bo = await app.person();
});
afterAll(() => app.close());

/** Returns the unread notifications of a user, newest first. */
async function unreadNotifications(person: Person) {
  const { viewer } = await app.graphql(
    '{ viewer { notifications(filter: { isUnread: true }) { nodes { event content subjectKind subjectId } } } }',
    {},
    person,
  );
  return viewer.notifications.nodes;
}

const unreadContents = async (person: Person): Promise<string[]> =>
  (await unreadNotifications(person)).map(({ content }: { content: string }) => content);

const setEnabled = (typeId: string, isEnabled: boolean, person: Person) =>
  app.graphql(
    'mutation ($typeId: ID!, $isEnabled: Boolean!) { setNotificationEnabled(typeId: $typeId, isEnabled: $isEnabled) { isEnabled type { title } } }',
    { typeId, isEnabled },
    person,
  );

const sendLeagueMessage = (text: string, ...people: Person[]) =>
  app.graphql(
    'mutation ($userIds: [ID!]!, $text: String!) { sendLeagueMessage(userIds: $userIds, text: $text) { recipients } }',
    {
      userIds: people.map(({ id }) => id),
      text,
    },
  );

describe('a user is notified', () => {
  test('that an item is approved, only after its last required approval', async () => {
    const owner = await app.person();
    await app.sql.rows(
      "insert into user_image (id, user_id, type, approval_state, approval_required) values ('i1', $1, 'PROFILE', 'PENDING', 2)",
      [owner.id],
    );
    const approveMutation = 'mutation { approveItem(type: USER_IMAGE, id: "i1") { state } }';
    await app.graphql(approveMutation, {}, { ...app.platform, ...(await app.person({ isSuperAdmin: true })) });
    const afterFirstApproval = await unreadNotifications(owner);
    await app.graphql(approveMutation, {}, { ...app.platform, ...(await app.person({ isSuperAdmin: true })) });
    const afterLastApproval = await unreadNotifications(owner);
    expect({ afterFirstApproval, afterLastApproval }).toEqual({
      afterFirstApproval: [],
      afterLastApproval: [
        { event: 'APPROVAL_GIVEN', content: 'Your image was approved.', subjectKind: 'USER_IMAGE', subjectId: 'i1' },
      ],
    });
  });

  test('that an item is declined, with the reason', async () => {
    const owner = await app.person();
    await app.sql.rows("insert into biography (id, user_id, text) values ('b1', $1, 'Me')", [owner.id]);
    await app.graphql('mutation { declineItem(type: BIOGRAPHY, id: "b1", reason: "Too short") { state } }');
    expect(await unreadNotifications(owner)).toEqual([
      {
        event: 'APPROVAL_DECLINED',
        content: 'Your biography was declined: Too short',
        subjectKind: 'BIOGRAPHY',
        subjectId: 'b1',
      },
    ]);
  });

  test('of a league message', async () => {
    const player = await app.person();
    await sendLeagueMessage('Court 3 is closed.', player);
    expect(await unreadNotifications(player)).toEqual([
      { event: 'LEAGUE_MESSAGE', content: 'Court 3 is closed.', subjectKind: null, subjectId: null },
    ]);
  });

  test('of new dates of a tournament they are registered for, and of no other change to it', async () => {
    const player = await app.person();
    const save = (id: string, values: string) =>
      app.graphql(
        `mutation { ${id}(input: { id: "t1", ${values} }) { id } }`.replace('updateTournament(', 'updateTournament(id: "t1", '),
      );
    await save('upsertTournament', 'title: "Austin Open", startsAt: "2041-03-01T00:00:00Z", endsAt: "2041-03-03T00:00:00Z"');
    await app.graphql(
      'mutation ($userId: ID!) { a: createRegistration(input: { tournamentId: "t1", userId: $userId }) { id } b: createRegistration(input: { tournamentId: "t1", userId: $userId }) { id } }',
      { userId: player.id },
    );
    await save('upsertTournament', 'title: "Austin Open", startsAt: "2041-03-01T00:00:00Z", endsAt: "2041-03-03T01:00:00+01:00"');
    await save('updateTournament', 'title: "Austin Classic"');
    const afterSameDates = await unreadNotifications(player);
    await save('upsertTournament', 'startsAt: "2041-03-02T00:00:00Z"');
    await save('updateTournament', 'endsAt: "2041-03-02T20:00:00Z"');
    expect({
      afterSameDates,
      afterNewDates: await unreadContents(player),
      unregisteredUser: await unreadNotifications(bo),
    }).toEqual({
      afterSameDates: [],
      afterNewDates: ['Austin Classic has new dates: 2041-03-02.', 'Austin Classic has new dates: 2041-03-02 to 2041-03-03.'],
      unregisteredUser: [],
    });
  });

  test('of a canceled tournament, once each time it is canceled', async () => {
    const player = await app.person();
    const register = () =>
      app.graphql('mutation ($input: RegistrationInput!) { createRegistration(input: $input) { id } }', {
        input: { tournamentId: 'off', userId: player.id },
      });
    const messages = async () =>
      (await unreadNotifications(player)).map(({ event, content }: Record<string, string>) => `${event}: ${content}`);
    const setCanceled = (isCanceled: boolean) =>
      app.graphql('mutation ($input: TournamentInput!) { upsertTournament(input: $input) { id } }', {
        input: { id: 'off', title: 'Austin Open', isCanceled },
      });
    const message = 'TOURNAMENT_CANCELED: Austin Open was canceled.';

    await setCanceled(true);
    await Promise.all([register(), register()]);
    await setCanceled(true);
    await setCanceled(false);
    expect(await messages()).toEqual([]);

    await Promise.all([setCanceled(true), setCanceled(true), setCanceled(true)]);
    expect(await messages()).toEqual([message]);

    await setCanceled(false);
    await setCanceled(true);
    expect({ player: await messages(), unregisteredUser: await unreadNotifications(bo) }).toEqual({
      player: [message, message],
      unregisteredUser: [],
    });
  });

  test('when a new time zone moves the dates of a tournament, which are days in that time zone', async () => {
    const player = await app.person();
    const save = (values: string) =>
      app.graphql(`mutation { upsertTournament(input: { id: "zoned", title: "Honolulu Open", ${values} }) { id } }`);
    await save('startsAt: "2041-03-01T18:00:00Z", timeZone: "Pacific/Honolulu"');
    await app.graphql(
      'mutation ($userId: ID!) { createRegistration(input: { tournamentId: "zoned", userId: $userId }) { id } }',
      {
        userId: player.id,
      },
    );
    await save('startsAt: "2041-03-02T05:00:00Z", endsAt: "2041-03-04T04:00:00Z"');
    await save('timeZone: "US/Hawaii"');
    await save('legacy: { timeZone: "Nowhere/At_All" }');
    await save('timeZone: "UTC"');
    await save('startsAt: null, endsAt: null');
    expect(await unreadContents(player)).toEqual([
      'Honolulu Open has new dates: to be announced.',
      'Honolulu Open has new dates: 2041-03-02 to 2041-03-04.',
      'Honolulu Open has new dates: 2041-03-01 to 2041-03-03.',
    ]);
  });
});

describe('notification settings', () => {
  test('a disabled type sends no notification until it is enabled again', async () => {
    const player = await app.person();
    expect(await setEnabled('4', false, player)).toEqual({
      setNotificationEnabled: { isEnabled: false, type: { title: 'League message' } },
    });
    await sendLeagueMessage('Not heard', player, bo);
    await setEnabled('4', true, player);
    await sendLeagueMessage('Heard', player);
    expect(await unreadContents(player)).toEqual(['Heard']);
  });

  test('concurrent changes of one type end in one setting', async () => {
    const player = await app.person();
    await Promise.all(Array.from({ length: 6 }, () => setEnabled('1', false, player)));
    const { notificationSettings } = await app.graphql('{ notificationSettings(isEnabled: false) { typeId } }', {}, player);
    expect(notificationSettings).toEqual([{ typeId: '1' }]);
  });

  test('only their owner and platforms see them', async () => {
    const player = await app.person();
    const query = `{ user(id: "${player.id}") { notificationSettings { isEnabled } } }`;
    const count = async (tokens: Partial<Person>) =>
      (await app.graphql(query, {}, tokens)).user.notificationSettings?.length ?? null;
    expect({ owner: await count(player), platform: await count(app.platform), otherUser: await count(bo) }).toEqual({
      owner: 6,
      platform: 6,
      otherUser: null,
    });
  });
});

describe('marking a notification', () => {
  const mark = (as: 'Read' | 'Unread', id: string, tokens: Person) =>
    app.graphql(`mutation ($id: ID!) { markNotification${as}(id: $id) { readAt type { title } } }`, { id }, tokens);

  test('keeps the time of the first read, can be undone, and is refused for other users', async () => {
    const player = await app.person();
    await sendLeagueMessage('Read me', player);
    const { notifications } = await app.graphql('{ notifications { totalCount nodes { id } } }', {}, player);
    const { id } = notifications.nodes[0];
    const firstRead = await mark('Read', id, player);
    const secondRead = await mark('Read', id, player);
    const unreadCount = (await unreadNotifications(player)).length;
    expect({
      totalCount: notifications.totalCount,
      secondRead,
      unreadCount,
      unread: await mark('Unread', id, player),
      readByOther: await mark('Read', id, bo),
    }).toEqual({
      totalCount: 1,
      secondRead: firstRead,
      unreadCount: 0,
      unread: { markNotificationUnread: { readAt: null, type: { title: 'League message' } } },
      readByOther: { errors: [`NOT_FOUND: no notification of this user with the id ${id}`] },
    });
  });
});

test('all unread notifications of a user are marked as read, and those of others stay unread', async () => {
  const [reader, other] = [await app.person(), await app.person()];
  await sendLeagueMessage('First', reader, other);
  await sendLeagueMessage('Second', reader);
  const markAll = async (tokens: Tokens, userId = '') => {
    const answer = await app.graphql(
      `mutation { markAllNotificationsRead${userId && `(userId: "${userId}")`} { count } }`,
      {},
      tokens,
    );
    return answer.markAllNotificationsRead?.count ?? answer.errors;
  };
  expect({
    ofOther: await markAll(reader, other.id),
    marked: await markAll(reader),
    markedAgain: await markAll(reader),
    unread: await unreadContents(reader),
    unreadOfOther: await unreadContents(other),
    byPlatform: await markAll(app.platform, other.id),
  }).toEqual({
    ofOther: ['FORBIDDEN: a user token opens the records of that user only'],
    marked: 2,
    markedAgain: 0,
    unread: [],
    unreadOfOther: [expect.stringContaining('First')],
    byPlatform: 1,
  });
});
