import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mailbox } from '../support/clients/mailbox.js';
import { entriesOf } from '../support/fixtures/event-registrations.js';
import { type Person, startApp, type TestApp } from '../support/servers/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const { open, register, withdraw, entry } = entriesOf(() => app);

const schedule = (overrides: object, { user }: Person) => {
  const input = { startsAt: '2041-06-02T14:30:00Z', ...overrides };
  return app.graphql('mutation ($input: GameInput!) { scheduleGame(input: $input) { id } }', { input }, { user });
};
const gamesOf = async ({ id }: Person) => (await app.sql.rows('select id from game where owner_id = $1', [id])).length;
const mailCount = async (to: string) => (await mailbox(app, to)).length;
const limitError = (points: number) => [`RATE_LIMITED: too many messages: at most ${points} until the limit is reset`];

describe('messages of a user', () => {
  test('are limited to 100 a day, and a request above the limit changes nothing', async () => {
    const sender = await app.person();
    const invite = (from: number, count: number) =>
      schedule({ invitedEmails: Array.from({ length: count }, (_, index) => `guest-${from + index}@example.com`) }, sender);
    expect({
      first: (await invite(0, 90)).errors,
      aboveTheLimit: (await invite(90, 20)).errors,
      upToTheLimit: (await invite(200, 10)).errors,
      exhausted: (await invite(300, 1)).errors,
      withoutMail: (await schedule({}, sender)).errors,
      games: await gamesOf(sender),
      mailAboveTheLimit: await mailCount('guest-90@example.com'),
    }).toEqual({
      first: undefined,
      aboveTheLimit: limitError(100),
      upToTheLimit: undefined,
      exhausted: limitError(100),
      withoutMail: undefined,
      games: 3,
      mailAboveTheLimit: 0,
    });
  });

  test('about a changed game are sent up to the limit, and skipped messages do not count', async () => {
    const sender = await app.person();
    const to = (index: number) => `player-${index}@example.com`;
    const { scheduleGame } = await schedule({ invitedEmails: Array.from({ length: 60 }, (_, index) => to(index)) }, sender);
    const rename = 'mutation ($id: ID!) { updateGame(id: $id, input: { title: "Moved" }) { id } }';
    const { errors } = await app.graphql(rename, { id: scheduleGame.id }, { user: sender.user });
    const counts = await Promise.all(Array.from({ length: 60 }, (_, index) => mailCount(to(index))));
    const [counter] = await app.sql.rows(`select max(points) as points from rate_limit where key like 'user.messages:%'`);
    expect({ errors, once: counts.filter((count) => count === 1).length, twice: counts.filter((count) => count === 2).length })
      // The 60 invitations leave 40 messages.
      .toEqual({ errors: undefined, once: 20, twice: 40 });
    expect(counter).toEqual({ points: 100 });
  });

  test('to one address are limited to 5 a day, across all operations', async () => {
    const [sender, other] = [await app.person(), await app.person()];
    const to = 'victim@example.com';
    for (let count = 1; count <= 3; count++) await schedule({ invitedEmails: [to] }, sender);
    const eventId = await open({ formatId: '3' });
    for (let count = 1; count <= 2; count++) {
      await register({ eventId, partnerEmail: to }, sender);
      await withdraw((await entry(eventId, sender))?.id ?? '', sender);
    }
    expect({
      game: (await schedule({ invitedEmails: [to] }, sender)).errors,
      team: await register({ eventId, partnerEmail: to }, sender),
      profile: (await app.graphql(`mutation { updateProfile(input: { email: "${to}" }) { id } }`, {}, { user: sender.user }))
        .errors,
      entry: await entry(eventId, sender),
      mails: await mailCount(to),
      otherSender: (await schedule({ invitedEmails: [to] }, other)).errors,
    }).toEqual({
      game: limitError(5),
      team: limitError(5),
      profile: ['RATE_LIMITED: too many tries: wait before the next one'],
      entry: null,
      mails: 5,
      otherSender: undefined,
    });
  });
});

test('a user who also sends a platform token has the limits of a user', async () => {
  const sender = await app.person();
  const to = 'moving@example.com';
  const change = () =>
    app.graphql(`mutation { updateProfile(input: { email: "${to}" }) { id } }`, {}, { ...app.platform, user: sender.user });
  for (let count = 0; count < 5; count++) await change();
  expect({ error: (await change()).errors, mails: await mailCount(to) }).toEqual({
    error: ['RATE_LIMITED: too many tries: wait before the next one'],
    mails: 5,
  });
});

describe('messages to one address', () => {
  test('are limited to 50 an hour, across all users', async () => {
    const to = 'crowded@example.com';
    for (let senders = 0; senders < 10; senders++) {
      const sender = await app.person();
      for (let count = 0; count < 5; count++) await schedule({ invitedEmails: [to] }, sender);
    }
    const last = await app.person();
    expect({
      team: await register({ eventId: await open({ formatId: '3' }), partnerEmail: to }, last),
      amongOthers: (await schedule({ invitedEmails: [to, 'free@example.com'] }, last)).errors,
      mails: await mailCount(to),
      mailsToOthers: await mailCount('free@example.com'),
    }).toEqual({ team: limitError(50), amongOthers: undefined, mails: 50, mailsToOthers: 1 });
  });

  test('from a league skip recipients above the limit', async () => {
    const [first, second] = [await app.person({ email: 'first@example.com' }), await app.person({ email: 'second@example.com' })];
    const send = (userIds: string[]) =>
      app.graphql(
        'mutation ($userIds: [ID!]!) { sendLeagueEmail(userIds: $userIds, title: "News", body: "Hello") { recipients skipped } }',
        { userIds },
      );
    for (let count = 0; count < 50; count++) await send([first.id]);
    expect(await send([first.id, second.id])).toEqual({ sendLeagueEmail: { recipients: 1, skipped: 1 } });
  });

  test('from a league count against the limits of the user who sends them', async () => {
    const [admin, player] = [await app.person({ roles: ['ADMIN'] }), await app.person({ email: 'led@example.com' })];
    const send = async () => {
      const text =
        'mutation ($userIds: [ID!]!) { sendLeagueEmail(userIds: $userIds, title: "News", body: "Hello") { recipients } }';
      return (await app.graphql(text, { userIds: [player.id] }, { user: admin.user })).errors;
    };
    for (let count = 0; count < 5; count++) await send();
    expect({ error: await send(), mails: await mailCount('led@example.com') }).toEqual({ error: limitError(5), mails: 5 });
  });
});

describe('messages of a platform that sends a user token', () => {
  test('from a league do not count against the limits of the user', async () => {
    const [sender, player] = [await app.person(), await app.person({ email: 'league-member@example.com' })];
    const send = async () => {
      const payload = { uuids: [player.id], title: 'News', body: 'Hello' };
      return (await app.rest('POST', '/v1/leagues/send-email', { ...app.platform, user: sender.user }, { payload })).status;
    };
    const statuses = [];
    for (let count = 1; count <= 7; count++) statuses.push(await send());
    expect({ statuses, mails: await mailCount('league-member@example.com') }).toEqual({
      statuses: Array.from({ length: 7 }, () => 200),
      mails: 7,
    });
  });

  test('about games do not count against the limits of the user', async () => {
    const sender = await app.person();
    const invite = async () => {
      const payload = { title: 'Doubles', invitePlayersEmails: ['game-guest@example.com'] };
      return (await app.rest('POST', '/v1/game_scheduler', { ...app.platform, user: sender.user }, { payload })).status;
    };
    for (let count = 1; count <= 5; count++) await invite();
    expect({ sixth: await invite(), mails: await mailCount('game-guest@example.com') }).toEqual({ sixth: 200, mails: 6 });
  });
});

describe('text messages to one phone number', () => {
  test('are limited to 50 an hour, for any number of accounts', async () => {
    const phone = '+15125550142';
    const emails = ['caller-1@example.com', 'caller-2@example.com'];
    for (const email of emails) await app.person({ email, phone: '+1 512 555 0142' });
    for (let count = 0; count < 30; count++)
      for (const email of emails)
        await app.graphql(`mutation { requestPasswordReset(email: "${email}", channel: SMS) { channel } }`);
    expect(await mailCount(phone)).toBe(50);
  });
});

test('a contact message has no links', async () => {
  const input = {
    details: 'See http://evil.example/login\nand www\u3002evil\uff0eexample',
    fullName: 'www.evil.example',
    email: 'ana@example.com',
  };
  await app.graphql('mutation ($input: ContactInput!) { contact(input: $input) { isMailSent } }', { input });
  const [mail] = await mailbox(app, app.resources.services.settings.contactEmail);
  expect({
    text: mail?.text?.replaceAll('\u2060', ''),
    link: /https?:\/\/|www\.evil|evil[.\uff0e]example/.exec(`${mail?.text} ${mail?.html}`),
  }).toEqual({
    text: expect.stringContaining(`${input.details}\n\nName: www.evil.example\nEmail: ana@example.com`),
    link: null,
  });
});

describe('the text of a league', () => {
  const phone = '+15125550177';
  const sent = async (tokens: object, email: string) => {
    const { id } = await app.person({ email, phone: '+1 512 555 0177' });
    const title = 'Locked, visit http://evil.example';
    const body = `Pay at https://evil.example/now\n${'x'.repeat(6_000)}`;
    const text =
      'mutation ($ids: [ID!]!, $title: String!, $body: String!, $text: String!) { sendLeagueEmail(userIds: $ids, title: $title, body: $body) { recipients } sendLeagueMessage(userIds: $ids, text: $text) { recipients } }';
    await app.graphql(text, { ids: [id], title, body, text: 'Pay at https://evil.example/now' }, tokens);
    const [mail] = await mailbox(app, email);
    return {
      subject: mail?.subject,
      length: mail?.text?.length,
      start: mail?.text?.replaceAll('\u2060', '').slice(0, 66),
      links: /https?:\/\/|evil\.example/.exec(`${mail?.text} ${mail?.html} ${(await mailbox(app, phone)).at(-1)?.body}`),
    };
  };

  test('has no links, is shortened, and is in the subject only if a platform sends it without a user', async () => {
    const admin = await app.person({ roles: ['ADMIN'] });
    const mailOfUser = {
      subject: 'A message from your league',
      length: 5_045,
      start: 'Locked, visit http://evil.example\n\nPay at https://evil.example/now',
      links: null,
    };
    expect({
      user: await sent({ user: admin.user }, 'led-by-user@example.com'),
      userOfPlatform: await sent({ ...app.platform, user: admin.user }, 'led-by-user-of-platform@example.com'),
      platform: await sent(app.platform, 'led-by-platform@example.com'),
    }).toEqual({
      user: mailOfUser,
      userOfPlatform: mailOfUser,
      platform: {
        subject: 'Locked, visit http://evil.example',
        length: 5_006,
        start: 'Pay at https://evil.example/now\nxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
        links: null,
      },
    });
  });
});

test('a text by a user is never in a subject, and is on one line, shortened and without links in the body', async () => {
  const name = 'Your account is locked, visit http://evil.example/login';
  const sender = await app.person({ firstName: name, lastName: '\r\nBcc: all@example.com' });
  await schedule({ title: `www.evil.example ${'x'.repeat(200)}`, invitedEmails: ['reader@example.com'] }, sender);
  const [mail] = await mailbox(app, 'reader@example.com');
  const [line = ''] = mail?.text?.split('\n') ?? [];
  const links = (mail?.text ?? '').match(/https?:\/\/[^/\s]*|www\.evil|evil\.example/g);
  expect({ subject: mail?.subject, links }).toEqual({
    subject: 'A player invites you to a game',
    links: ['http://localhost:4000'],
  });
  expect(line.replaceAll('\u2060', '')).toBe(
    `${name} Bcc: all@example.com invites you to play: www.evil.example ${'x'.repeat(62)}….`,
  );
});
