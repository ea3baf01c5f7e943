import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { lastLink, lastValue, mailbox } from '../../support/clients/mailbox.js';
import { type Person, startApp, type TestApp, type Tokens } from '../../support/servers/app.js';

let app: TestApp;
let owner: Person;
beforeAll(async () => {
  app = await startApp();
  owner = await app.person({ firstName: 'Olga', lastName: 'Owner' });
});
afterAll(() => app.close());

const startsAt = '2041-06-02T14:30:00Z';
const place = { venue: 'Zilker Park', city: 'Austin', state: 'TX' };
const schedule = async (overrides: object): Promise<string> => {
  const input = { title: 'Open Play', startsAt, timeZone: 'America/Chicago', location: place, ...overrides };
  const text = 'mutation ($input: GameInput!) { scheduleGame(input: $input) { id } }';
  return (await app.graphql(text, { input }, owner)).scheduleGame.id;
};
const update = (id: string, input: object, tokens: Tokens = owner) =>
  app.graphql(
    'mutation ($id: ID!, $input: GameInput!) { updateGame(id: $id, input: $input) { title startsAt } }',
    { id, input },
    tokens,
  );
const cancel = (id: string) => app.graphql(`mutation { cancelGame(id: "${id}") { id } }`, {}, owner);
const invite = (gameId: string, invitees: { userIds?: string[]; emails?: string[] }, tokens: Tokens = owner) =>
  app.graphql(
    `mutation ($gameId: ID!, $userIds: [ID!]! = [], $emails: [String!]! = []) {
       inviteToGame(gameId: $gameId, userIds: $userIds, emails: $emails) { invitedIds invitedEmails declinedIds declinedEmails } }`,
    { gameId, ...invitees },
    tokens,
  );
const decline = (gameId: string, tokens: Tokens, userId: string | null = null) =>
  app.graphql(
    'mutation ($gameId: ID!, $userId: ID) { declineGameInvitation(gameId: $gameId, userId: $userId) { title } }',
    { gameId, userId },
    tokens,
  );
const declineByLink = (value: string) =>
  app.graphql(
    'mutation ($value: String!) { declineMailedGameInvitation(value: $value) { host title when where } }',
    { value },
    {},
  );
const inviteesOf = async (id: string) =>
  (await app.graphql(`{ game(id: "${id}") { invitedIds invitedEmails declinedIds declinedEmails } }`, {}, owner)).game;
const notificationsOf = async (person: Person): Promise<string[]> => {
  const { viewer } = await app.graphql('{ viewer { notifications { nodes { event content } } } }', {}, person);
  return viewer.notifications.nodes
    .map(({ event, content }: { event: string; content: string }) => `${event}: ${content}`)
    .toReversed();
};
/** Returns the subject and the paragraphs of the last email to an address, with the link replaced. */
const lastMail = async (to: string) => {
  const { subject, text } = (await mailbox(app, to)).at(-1) ?? {};
  return {
    subject,
    paragraphs: text
      ?.trim()
      .replace(/http\S+/, '<link>')
      .split('\n\n'),
  };
};
const timeLine = 'When: Sunday, 2 June 2041 at 9:30 AM CDT';
const placeLine = 'Where: Zilker Park, Austin, TX';
const closing = 'You received this email because a player entered your email address. No account was created for you.';
const footer = ['View or decline the invitation: <link>', closing];

describe('emails to an invited address contain the time and place', () => {
  test('of an invitation, with its link', async () => {
    await schedule({ invitedEmails: ['mail-1@example.com'] });
    expect(await lastMail('mail-1@example.com')).toEqual({
      subject: 'A player invites you to a game',
      paragraphs: ['Olga Owner invites you to play: Open Play.', timeLine, placeLine, ...footer],
    });
  });

  test('of a change, with the link of the invitation', async () => {
    const id = await schedule({ invitedEmails: ['mail-2@example.com'] });
    await update(id, { title: 'Night Play', startsAt: '2041-06-03T01:00:00Z', location: { venue: 'Court 4' } });
    expect(await lastMail('mail-2@example.com')).toEqual({
      subject: 'A game you were invited to has changed',
      paragraphs: [
        'Night Play has changed: title, time, location.',
        'When: Sunday, 2 June 2041 at 8:00 PM CDT',
        'Where: Court 4, Austin, TX',
        ...footer,
      ],
    });
  });

  test('of a cancellation, without a link, because the invitation page no longer exists', async () => {
    const id = await schedule({ invitedEmails: ['mail-3@example.com'] });
    await cancel(id);
    expect(await lastMail('mail-3@example.com')).toEqual({
      subject: 'A game you were invited to was canceled',
      paragraphs: ['Open Play was canceled.', timeLine, placeLine, closing],
    });
  });
});

test('players are notified when the location of a game changes', async () => {
  const guest = await app.person();
  const id = await schedule({ invitedIds: [guest.id] });
  await update(id, { location: { city: 'Dallas' } });
  expect((await notificationsOf(guest)).at(-1)).toBe('GAME_CHANGED: Open Play has changed. The location has changed.');
});

test('the cancellation of a series sends one email to each invited address', async () => {
  const soon = new Date(Date.now() + 3_600_000).toISOString();
  const id = await schedule({ startsAt: soon, isRepeated: true, repeats: 'WEEKLY', invitedEmails: ['series@example.com'] });
  await cancel(id);
  const subjects = (await mailbox(app, 'series@example.com')).map(({ subject }) => subject);
  expect(subjects).toEqual(['A player invites you to a game', 'A game you were invited to was canceled']);
});

test('verified users with an invited address get notifications of changes and no emails', async () => {
  const guest = await app.person({ email: 'verified@example.com' });
  const id = await schedule({ invitedEmails: ['verified@example.com'] });
  await update(id, { title: 'Renamed' });
  expect({ mails: await mailbox(app, 'verified@example.com'), notifications: await notificationsOf(guest) }).toEqual({
    mails: [],
    notifications: [
      'GAME_INVITATION: Olga Owner invites you to Open Play.',
      'GAME_CHANGED: Open Play has changed. The new title is Renamed.',
    ],
  });
});

test('changes and the cancellation of a game succeed above the email limits, without the emails', async () => {
  const [to, busy] = ['flooded@example.com', await app.person()];
  const text = 'mutation ($input: GameInput!) { scheduleGame(input: $input) { id } }';
  const input = { startsAt, invitedEmails: [to] };
  const { id } = (await app.graphql(text, { input }, busy)).scheduleGame;
  for (let count = 1; count <= 8; count++) await update(id, { title: `Title ${count}` }, busy);
  const changed = await update(id, { title: 'Last' }, busy);
  const canceled = await app.graphql(`mutation { cancelGame(id: "${id}") { title } }`, {}, busy);
  const { points } = (await app.sql.row<{ points: number }>(
    `select points from rate_limit where key like 'account.messages:%' and key = 'account.messages:' || translate(encode(sha256($1::bytea), 'base64'), '+/=', '-_')`,
    [to],
  )) ?? { points: null };
  expect({
    changed: changed.updateGame.title,
    canceled: canceled.cancelGame.title,
    mails: (await mailbox(app, to)).length,
    countedForRecipient: points,
  }).toEqual({ changed: 'Last', canceled: 'Last', mails: 5, countedForRecipient: 5 });
});

test('a title from a user has no link in the email about a change', async () => {
  const id = await schedule({ invitedEmails: ['phished@example.com'] });
  await update(id, { title: 'https://evil.example/login' });
  const { subject, text = '' } = (await mailbox(app, 'phished@example.com')).at(-1) ?? {};
  expect({ subject, hasLink: text.includes('evil.example') }).toEqual({
    subject: 'A game you were invited to has changed',
    hasLink: false,
  });
});

describe('inviteToGame', () => {
  test('adds users and addresses to a game and notifies only the new ones', async () => {
    const [first, second] = [await app.person(), await app.person()];
    const id = await schedule({ invitedIds: [first.id], invitedEmails: ['Old@example.com'] });
    const invited = await invite(id, { userIds: [first.id, second.id], emails: ['old@example.com', 'new@example.com'] });
    expect({
      invited: invited.inviteToGame,
      first: await notificationsOf(first),
      second: await notificationsOf(second),
      mails: [(await mailbox(app, 'old@example.com')).length, (await mailbox(app, 'new@example.com')).length],
    }).toEqual({
      invited: {
        invitedIds: [first.id, second.id],
        invitedEmails: ['Old@example.com', 'new@example.com'],
        declinedIds: [],
        declinedEmails: [],
      },
      first: ['GAME_INVITATION: Olga Owner invites you to Open Play.'],
      second: ['GAME_INVITATION: Olga Owner invites you to Open Play.'],
      mails: [1, 1],
    });
  });

  test('rejects unknown users, malformed addresses and empty lists', async () => {
    const id = await schedule({});
    expect({
      unknown: await invite(id, { userIds: [owner.id, 'nobody'] }),
      malformed: await invite(id, { emails: ['nobody'] }),
      empty: await invite(id, {}),
      invitees: await inviteesOf(id),
    }).toEqual({
      unknown: { errors: ['BAD_INPUT: userIds[1]: expected the id of a user'] },
      malformed: { errors: ['BAD_INPUT: emails[0]: expected an e-mail address such as ana@example.com'] },
      empty: { errors: ['BAD_INPUT: userIds: expected at least one user or one e-mail address'] },
      invitees: { invitedIds: [], invitedEmails: [], declinedIds: [], declinedEmails: [] },
    });
  });

  test('is limited to the owner of the game, and rejected for an archived game', async () => {
    const guest = await app.person();
    const [id, archived] = [await schedule({}), await schedule({ archivedAt: startsAt })];
    expect({
      guest: await invite(id, { userIds: [guest.id] }, guest),
      archived: await invite(archived, { userIds: [guest.id] }),
    }).toEqual({
      guest: { errors: ['FORBIDDEN: Not allowed: requires a user token of the owner of the game'] },
      archived: { errors: ['CONFLICT: the game is archived'] },
    });
  });

  test('limits the invited addresses of a game to 100', async () => {
    const emails = Array.from({ length: 60 }, (_, index) => `many-${index}@example.com`);
    const id = await schedule({ invitedEmails: emails });
    const more = Array.from({ length: 41 }, (_, index) => `more-${index}@example.com`);
    expect(await invite(id, { emails: more }, app.platform)).toEqual({
      errors: ['BAD_INPUT: emails: expected at most 100 invited addresses per game'],
    });
  });
});

describe('declineGameInvitation', () => {
  test('removes the invitation, notifies the owner and stops notifications about the game', async () => {
    const guest = await app.person({ firstName: 'Gus', lastName: 'Guest' });
    const id = await schedule({ title: 'Declined Play', isInviteOnly: true, invitedIds: [guest.id] });
    const declined = await decline(id, guest);
    await update(id, { title: 'Later' });
    const { game } = await app.graphql(`{ game(id: "${id}") { id } }`, {}, guest);
    expect({
      declined,
      game,
      invitees: await inviteesOf(id),
      guest: await notificationsOf(guest),
      owner: (await notificationsOf(owner)).at(-1),
    }).toEqual({
      declined: { declineGameInvitation: { title: 'Declined Play' } },
      game: null,
      invitees: { invitedIds: [], invitedEmails: [], declinedIds: [guest.id], declinedEmails: [] },
      guest: ['GAME_INVITATION: Olga Owner invites you to Declined Play.'],
      owner: 'GAME_INVITATION_DECLINED: Gus Guest has declined the invitation to Declined Play.',
    });
  });

  test('by a user with an invited address reports the address to the owner, not the user', async () => {
    const guest = await app.person({ email: 'shy@example.com' });
    const id = await schedule({ title: 'Shy Play', invitedEmails: ['Shy@example.com'] });
    await decline(id, guest);
    expect({ invitees: await inviteesOf(id), owner: (await notificationsOf(owner)).at(-1) }).toEqual({
      invitees: { invitedIds: [], invitedEmails: [], declinedIds: [], declinedEmails: ['shy@example.com'] },
      owner: 'GAME_INVITATION_DECLINED: shy@example.com has declined the invitation to Shy Play.',
    });
  });

  test('stays in effect for updates with the same invitees, until inviteToGame invites them again', async () => {
    const guest = await app.person();
    const id = await schedule({ invitedIds: [guest.id], invitedEmails: ['again@example.com'] });
    await decline(id, guest);
    await declineByLink(await lastValue(app, 'again@example.com'));
    await update(id, { invitedIds: [guest.id], invitedEmails: ['again@example.com'] });
    const declined = await inviteesOf(id);
    const invited = await invite(id, { userIds: [guest.id], emails: ['again@example.com'] });
    expect({ declined, invited: invited.inviteToGame, notifications: (await notificationsOf(guest)).length }).toEqual({
      declined: { invitedIds: [], invitedEmails: [], declinedIds: [guest.id], declinedEmails: ['again@example.com'] },
      invited: { invitedIds: [guest.id], invitedEmails: ['again@example.com'], declinedIds: [], declinedEmails: [] },
      notifications: 2,
    });
  });

  test('of the first game of a series includes its repetitions', async () => {
    const guest = await app.person();
    const soon = new Date(Date.now() + 3_600_000).toISOString();
    const id = await schedule({ startsAt: soon, isRepeated: true, repeats: 'WEEKLY', invitedIds: [guest.id] });
    await decline(id, guest);
    const { game } = await app.graphql(`{ game(id: "${id}") { repetitions(first: 20) { nodes { invitedIds } } } }`, {}, owner);
    expect([...new Set(game.repetitions.nodes.map(({ invitedIds }: { invitedIds: string[] }) => invitedIds.length))]).toEqual([
      0,
    ]);
  });

  test('is rejected without an invitation, for players, and on behalf of others', async () => {
    const [guest, other] = [await app.person(), await app.person()];
    const id = await schedule({ invitedIds: [guest.id], isInviteOnly: false });
    await app.graphql(`mutation { optIn(gameId: "${id}") { id } }`, {}, guest);
    expect({
      player: await decline(id, guest),
      uninvited: await decline(id, other),
      onBehalf: await decline(id, other, guest.id),
      byPlatform: await decline(id, app.platform, other.id),
    }).toEqual({
      player: { errors: ['CONFLICT: the user is a player or on the waiting list of the game, and must opt out instead'] },
      uninvited: { errors: ['NOT_FOUND: the user is not invited to the game'] },
      onBehalf: { errors: ['FORBIDDEN: a user token opens the records of that user only'] },
      byPlatform: { errors: ['NOT_FOUND: the user is not invited to the game'] },
    });
  });
});

describe('the link of an invitation email', () => {
  const open = (value: string) =>
    app.graphql('query ($value: String!) { gameInvitation(value: $value) { host title when where } }', { value }, {});
  const invitation = {
    host: 'Olga Owner',
    title: 'Open Play',
    when: 'Sunday, 2 June 2041 at 9:30 AM CDT',
    where: 'Zilker Park, Austin, TX',
  };
  const goneError = { errors: ['GONE: the invitation was declined or withdrawn, or the game was deleted'] };

  test('shows and declines the invitation without an account', async () => {
    const id = await schedule({ isInviteOnly: true, invitedEmails: ['link@example.com', 'stays@example.com'] });
    const value = await lastValue(app, 'link@example.com');
    expect({
      opened: await open(value),
      declined: await declineByLink(value),
      openedAgain: await open(value),
      declinedAgain: await declineByLink(value),
      invitees: await inviteesOf(id),
    }).toEqual({
      opened: { gameInvitation: invitation },
      declined: { declineMailedGameInvitation: invitation },
      openedAgain: goneError,
      declinedAgain: goneError,
      invitees: {
        invitedIds: [],
        invitedEmails: ['stays@example.com'],
        declinedIds: [],
        declinedEmails: ['link@example.com'],
      },
    });
  });

  test('stops working after the game is canceled, and works only for its own invitation', async () => {
    const id = await schedule({ invitedEmails: ['gone@example.com'] });
    const value = await lastValue(app, 'gone@example.com');
    const otherId = await schedule({ invitedEmails: ['gone@example.com'] });
    const forged = `${value.slice(0, 43)}${Buffer.from(otherId).toString('base64url')}`;
    await cancel(id);
    expect({ canceled: await open(value), forged: await open(forged), malformed: await open('short') }).toEqual({
      canceled: goneError,
      forged: goneError,
      malformed: { errors: ['BAD_INPUT: value: expected the value at the end of the link in an invitation email'] },
    });
  });

  test('opens a page that declines with a button, not when it is opened', async () => {
    const id = await schedule({ title: 'Page Play', invitedEmails: ['page@example.com'] });
    const path = new URL(await lastLink(app, 'page@example.com')).pathname;
    const get = await fetch(app.origin + path);
    const shown = await get.text();
    const before = await inviteesOf(id);
    const post = await fetch(app.origin + path, { method: 'POST' });
    const answered = await post.text();
    const again = await fetch(app.origin + path);
    expect({
      get: { status: get.status, isNamed: shown.includes('Page Play'), hasButton: shown.includes('<button>Decline') },
      before: before.invitedEmails,
      post: { status: post.status, isConfirmed: answered.includes('You have declined') },
      again: again.status,
      after: (await inviteesOf(id)).declinedEmails,
    }).toEqual({
      get: { status: 200, isNamed: true, hasButton: true },
      before: ['page@example.com'],
      post: { status: 200, isConfirmed: true },
      again: 410,
      after: ['page@example.com'],
    });
  });
});

describe('a user whose invited address was verified and then changed', () => {
  const inviteAndChange = async (oldAddress: string, newAddress: string) => {
    const guest = await app.person({ email: oldAddress });
    const id = await schedule({ isInviteOnly: true, invitedEmails: [oldAddress] });
    await app.sql.rows('update app_user set email = $2 where id = $1', [guest.id, newAddress]);
    return { guest, id };
  };

  test('declines without revealing the new address to the owner', async () => {
    const { guest, id } = await inviteAndChange('old.address@example.com', 'new.address@example.com');
    await decline(id, guest);
    expect((await notificationsOf(owner)).at(-1)).toBe(
      'GAME_INVITATION_DECLINED: An invited player has declined the invitation to Open Play.',
    );
  });

  test('is no longer invited after the owner removes all invited addresses', async () => {
    const { guest, id } = await inviteAndChange('first.address@example.com', 'second.address@example.com');
    const isInvited = async () => (await app.graphql(`{ game(id: "${id}") { isViewerInvited } }`, {}, guest)).game;
    const before = await isInvited();
    await update(id, { invitedEmails: [] });
    expect({ before, after: await isInvited() }).toEqual({ before: { isViewerInvited: true }, after: null });
  });
});
