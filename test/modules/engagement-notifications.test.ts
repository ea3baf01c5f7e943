import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Person, startApp, type TestApp } from '../support/app.js';

let app: TestApp;
let bo: Person;
beforeAll(async () => {
  app = await startApp();
  bo = await app.person();
});
afterAll(() => app.close());

/** What a person was told, newest first. */
async function told(person: Person) {
  const { viewer } = await app.graphql(
    '{ viewer { notifications(filter: { isUnread: true }) { nodes { event content subjectKind subjectId } } } }',
    {},
    person,
  );
  return viewer.notifications.nodes;
}

const mute = (typeId: string, isEnabled: boolean, person: Person) =>
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

describe('users are told', () => {
  test('of an approval given, once the last one is', async () => {
    const owner = await app.person();
    await app.sql.rows(
      "insert into user_image (id, user_id, type, approval_state, approval_required) values ('i1', $1, 'PROFILE', 'PENDING', 2)",
      [owner.id],
    );
    const approve = 'mutation { approveItem(type: USER_IMAGE, id: "i1") { state } }';
    await app.graphql(approve, {}, { ...app.platform, ...(await app.person({ isSuperAdmin: true })) });
    const first = await told(owner);
    await app.graphql(approve, {}, { ...app.platform, ...(await app.person({ isSuperAdmin: true })) });
    expect([first, await told(owner)]).toEqual([
      [],
      [{ event: 'APPROVAL_GIVEN', content: 'Your image was approved.', subjectKind: 'USER_IMAGE', subjectId: 'i1' }],
    ]);
  });

  test('of an approval declined, with the reason', async () => {
    const owner = await app.person();
    await app.sql.rows("insert into biography (id, user_id, text) values ('b1', $1, 'Me')", [owner.id]);
    await app.graphql('mutation { declineItem(type: BIOGRAPHY, id: "b1", reason: "Too short") { state } }');
    expect(await told(owner)).toEqual([
      {
        event: 'APPROVAL_DECLINED',
        content: 'Your biography was declined: Too short',
        subjectKind: 'BIOGRAPHY',
        subjectId: 'b1',
      },
    ]);
  });

  test('of what a league writes to them', async () => {
    const player = await app.person();
    await sendLeagueMessage('Court 3 is closed.', player);
    expect(await told(player)).toEqual([
      { event: 'LEAGUE_MESSAGE', content: 'Court 3 is closed.', subjectKind: null, subjectId: null },
    ]);
  });

  test('of new dates of a tournament that they are registered for, and of nothing else about it', async () => {
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
    const before = await told(player);
    await save('upsertTournament', 'startsAt: "2041-03-02T00:00:00Z"');
    await save('updateTournament', 'endsAt: "2041-03-02T20:00:00Z"');
    expect([before, (await told(player)).map(({ content }: { content: string }) => content), await told(bo)]).toEqual([
      [],
      ['Austin Classic has new dates: 2041-03-02.', 'Austin Classic has new dates: 2041-03-02 to 2041-03-03.'],
      [],
    ]);
  });
});

describe('who is registered for a tournament', () => {
  const register = (tournamentId: string, userId: string) =>
    app.graphql('mutation ($input: RegistrationInput!) { createRegistration(input: $input) { id } }', {
      input: { tournamentId, userId },
    });

  test('hears once that it is cancelled, each time that it becomes so', async () => {
    const player = await app.person();
    const contents = async () => (await told(player)).map(({ event, content }: Record<string, string>) => `${event}: ${content}`);
    const cancel = (isCanceled: boolean) =>
      app.graphql('mutation ($input: TournamentInput!) { upsertTournament(input: $input) { id } }', {
        input: { id: 'off', title: 'Austin Open', isCanceled },
      });
    await cancel(true);
    await Promise.all([register('off', player.id), register('off', player.id)]);
    await cancel(true);
    await cancel(false);
    const before = await contents();
    await Promise.all([cancel(true), cancel(true), cancel(true)]);
    const once = 'TOURNAMENT_CANCELED: Austin Open was cancelled.';
    expect([before, await contents()]).toEqual([[], [once]]);
    await cancel(false);
    await cancel(true);
    expect([await contents(), await told(bo)]).toEqual([[once, once], []]);
  });
});

test('new dates are days of the time zone, and another zone is told when it moves them', async () => {
  const player = await app.person();
  const save = (values: string) =>
    app.graphql(`mutation { upsertTournament(input: { id: "zoned", title: "Honolulu Open", ${values} }) { id } }`);
  await save('startsAt: "2041-03-01T18:00:00Z", timeZoneRaw: "Pacific/Honolulu"');
  await app.graphql('mutation ($userId: ID!) { createRegistration(input: { tournamentId: "zoned", userId: $userId }) { id } }', {
    userId: player.id,
  });
  await save('startsAt: "2041-03-02T05:00:00Z", endsAt: "2041-03-04T04:00:00Z"');
  await save('timeZoneRaw: "US/Hawaii"');
  await save('timeZoneRaw: "Nowhere/At_All"');
  await save('timeZoneRaw: "UTC"');
  await save('startsAt: null, endsAt: null');
  expect((await told(player)).map(({ content }: { content: string }) => content)).toEqual([
    'Honolulu Open has new dates: not known yet.',
    'Honolulu Open has new dates: 2041-03-02 to 2041-03-04.',
    'Honolulu Open has new dates: 2041-03-01 to 2041-03-03.',
  ]);
});

describe('settings', () => {
  test('who has switched a type off is not told, and is again when it is on', async () => {
    const player = await app.person();
    expect(await mute('4', false, player)).toEqual({
      setNotificationEnabled: { isEnabled: false, type: { title: 'League message' } },
    });
    await sendLeagueMessage('Not heard', player, bo);
    await mute('4', true, player);
    await sendLeagueMessage('Heard', player);
    expect((await told(player)).map(({ content }: { content: string }) => content)).toEqual(['Heard']);
  });

  test('switching off at the same moment is one setting', async () => {
    const player = await app.person();
    await Promise.all(Array.from({ length: 6 }, () => mute('1', false, player)));
    const { notificationSettings } = await app.graphql('{ notificationSettings(isEnabled: false) { typeId } }', {}, player);
    expect(notificationSettings).toEqual([{ typeId: '1' }]);
  });

  test('are shown to their owner and to platforms only', async () => {
    const player = await app.person();
    const query = `{ user(id: "${player.id}") { notificationSettings { isEnabled } } }`;
    const counts = await Promise.all(
      [player, app.platform, bo].map(async (tokens) => (await app.graphql(query, {}, tokens)).user.notificationSettings?.length),
    );
    expect(counts).toEqual([6, 6, undefined]);
  });
});

describe('reading', () => {
  const mark = (as: string, id: string, tokens: Person) =>
    app.graphql(`mutation ($id: ID!) { markNotification${as}(id: $id) { readAt type { title } } }`, { id }, tokens);

  test('the first reading is kept, unread clears it, and nobody marks for others', async () => {
    const player = await app.person();
    await sendLeagueMessage('Read me', player);
    const { notifications } = await app.graphql('{ notifications { totalCount nodes { id } } }', {}, player);
    const { id } = notifications.nodes[0];
    const [first, again] = [await mark('Read', id, player), await mark('Read', id, player)];
    const unreadCount = (await told(player)).length;
    expect([notifications.totalCount, again, unreadCount, await mark('Unread', id, player), await mark('Read', id, bo)]).toEqual([
      1,
      first,
      0,
      { markNotificationUnread: { readAt: null, type: { title: 'League message' } } },
      { errors: [`NOT_FOUND: no notification of this user with the id ${id}`] },
    ]);
  });
});
