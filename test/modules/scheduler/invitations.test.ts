import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Session } from '../../../src/kernel/session.js';
import { createOccurrences } from '../../../src/modules/scheduler/occurrences/make-occurrences.js';
import { lastValue, mailbox } from '../../support/clients/mailbox.js';
import { type Person, startApp, type TestApp, type Tokens } from '../../support/servers/app.js';

let app: TestApp;
let owner: Person;
beforeAll(async () => {
  app = await startApp();
  owner = await app.person({ firstName: 'Olga', lastName: 'Owner' });
});
afterAll(() => app.close());

const started = Date.now();
const days = (count: number) => new Date(started + count * 86_400_000).toISOString();
const schedule = async (title: string, invitedEmails: string[], overrides: object = {}): Promise<string> => {
  const input = { title, startsAt: '2041-06-02T14:30:00Z', isInviteOnly: true, invitedEmails, ...overrides };
  const mutation = 'mutation ($input: GameInput!) { scheduleGame(input: $input) { id } }';
  return (await app.graphql(mutation, { input }, owner)).scheduleGame.id;
};
const password = 'correct horse';
const register = (email: string) =>
  app.graphql('mutation ($input: RegisterInput!) { register(input: $input) { isMailSent } }', { input: { email, password } });
const verifyWith = (value: string) =>
  app.graphql('mutation ($value: String!) { verifyEmail(value: $value) { id } }', { value }, {});
const verify = async (email: string) => verifyWith(await lastValue(app, email));
/** Claims an account or resets its password, using the mailed link. */
const reset = async (email: string) => {
  await app.graphql('mutation ($email: String!) { requestPasswordReset(email: $email) { channel } }', { email });
  const value = await lastValue(app, email);
  const mutation = 'mutation ($value: String!, $password: String!) { resetPassword(value: $value, password: $password) { id } }';
  return app.graphql(mutation, { value, password }, {});
};
const signIn = async (email: string): Promise<Tokens> => {
  const query = 'mutation ($input: LoginInput!) { login(input: $input) { token } }';
  return { user: (await app.graphql(query, { input: { email, password } })).login.token };
};
const invitation = (title: string) => `Olga Owner invites you to ${title}.`;

/** Returns a person's invitation notifications, the invite-only games that the person can see, and the person's `gameInvitations`. */
async function invitationsOf(tokens: Tokens) {
  const { viewer, games } = await app.graphql(
    `{ viewer { notifications(filter: { event: { eq: GAME_INVITATION } }) { nodes { content } } gameInvitations(first: 100) { nodes { title } } }
       games(first: 100, filter: { isInviteOnly: true }) { nodes { title } } }`,
    {},
    tokens,
  );
  const titles = ({ nodes }: { nodes: { title: string }[] }) => [...new Set(nodes.map(({ title }) => title))].toSorted();
  return {
    notifications: viewer.notifications.nodes.map(({ content }: { content: string }) => content).toSorted(),
    visibleGames: titles(games),
    invitations: titles(viewer.gameInvitations),
  };
}
const invitedTo = (...titles: string[]) => ({
  notifications: titles.map(invitation),
  visibleGames: titles,
  invitations: titles,
});
/** Returns the number of registered users who were invited to a game by email address. */
const usersInvitedByEmail = async (title: string) =>
  (await app.sql.row<{ n: number }>('select cardinality(invited_by_email_ids) as n from game where title = $1', [title]))?.n;

describe('verifying an invited address invites its user', () => {
  test('by the link of a registration', async () => {
    await schedule('A registration', ['Rita@Example.com']);
    await register('rita@example.com');
    const usersBefore = await usersInvitedByEmail('A registration');
    await verify('rita@example.com');
    const after = await invitationsOf(await signIn('rita@example.com'));
    expect({ usersBefore, after }).toEqual({ usersBefore: 0, after: invitedTo('A registration') });
  });

  test('even if the address was invited after the registration', async () => {
    await register('uma@example.com');
    const value = await lastValue(app, 'uma@example.com');
    await schedule('After a registration', ['uma@example.com']);
    const usersBefore = await usersInvitedByEmail('After a registration');
    const subjects = (await mailbox(app, 'uma@example.com')).map(({ subject }) => subject);
    await verifyWith(value);
    const after = await invitationsOf(await signIn('uma@example.com'));
    expect({ usersBefore, invitationMail: subjects.at(-1), after }).toEqual({
      usersBefore: 0,
      invitationMail: 'A player invites you to a game',
      after: invitedTo('After a registration'),
    });
  });

  test('by a claim: a new password for an account that a platform created', async () => {
    await schedule('A claim', ['clara@example.com']);
    await app.graphql('mutation { upsertUser(input: { email: "clara@example.com" }) { id } }');
    const usersBefore = await usersInvitedByEmail('A claim');
    const claim = await reset('clara@example.com');
    const after = await invitationsOf(await signIn('clara@example.com'));
    expect({ usersBefore, claim, after }).toEqual({
      usersBefore: 0,
      claim: { resetPassword: { id: expect.any(String) } },
      after: invitedTo('A claim'),
    });
  });

  test('by a change of address', async () => {
    await schedule('A change', ['mia.new@example.com']);
    const mia = await app.person({ email: 'mia.old@example.com' });
    await app.graphql('mutation { updateProfile(input: { email: "mia.new@example.com" }) { id } }', {}, mia);
    const before = await invitationsOf(mia);
    await verify('mia.new@example.com');
    expect({ before, after: await invitationsOf(mia) }).toEqual({ before: invitedTo(), after: invitedTo('A change') });
  });

  test('with one notification per series, even if the address is verified repeatedly', async () => {
    const startsAt = days(1);
    await schedule('A series', ['sue@example.com'], { startsAt, isRepeated: true, repeats: 'WEEKLY' });
    await schedule('By both ways', ['sue@example.com']);
    await register('sue@example.com');
    await verify('sue@example.com');
    const afterRegistration = await invitationsOf(await signIn('sue@example.com'));
    const resetAnswer = await reset('sue@example.com');
    const sue = await signIn('sue@example.com');
    const { viewer } = await app.graphql('{ viewer { gameInvitations { totalCount } } }', {}, sue);
    const both = invitedTo('A series', 'By both ways');
    expect({
      afterRegistration,
      resetAnswer,
      afterReset: await invitationsOf(sue),
      invitationCount: viewer.gameInvitations.totalCount,
    }).toEqual({
      afterRegistration: both,
      resetAnswer: { resetPassword: { id: expect.any(String) } },
      afterReset: both,
      invitationCount: 10,
    });
  });

  test('and they can then find the game in /v1 and join it', async () => {
    const id = await schedule('By invitation', ['joe@example.com']);
    await register('joe@example.com');
    await verify('joe@example.com');
    const joe = await signIn('joe@example.com');
    const { body } = await app.rest('GET', '/v1/data/game_scheduler?private=true', joe);
    expect(body.results.map(({ uuid }: { uuid: string }) => uuid)).toEqual([id]);
    const { optIn } = await app.graphql(`mutation { optIn(gameId: "${id}") { playerCount } }`, {}, joe);
    expect(optIn).toEqual({ playerCount: 1 });
  });

  test('and is rolled back as a whole when the invitation fails', async () => {
    await schedule('Nobody', ['nina@example.com']);
    await register('nina@example.com');
    const value = await lastValue(app, 'nina@example.com');
    await app.sql.rows(
      `create function refused() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$;`,
    );
    await app.sql.rows(
      `create trigger refused before update on game for each row when (new.title = 'Nobody') execute function refused()`,
    );
    const failure = await app.graphql('mutation ($value: String!) { verifyEmail(value: $value) { id } }', { value }, {});
    await app.sql.rows('drop trigger refused on game');
    const [user] = await app.sql.rows(`select verified_at from app_user where email = 'nina@example.com'`);
    expect({ errors: failure.errors, user, secondAttempt: await verify('nina@example.com') }).toEqual({
      errors: ['INTERNAL: internal error'],
      user: { verified_at: null },
      secondAttempt: { verifyEmail: { id: expect.any(String) } },
    });
  });
});

describe('invitations by email', () => {
  test('go to unknown addresses and to accounts that were never claimed, but not to claimed accounts', async () => {
    await app.graphql('mutation { upsertUser(input: { email: "unclaimed@example.com" }) { id } }');
    await register('waiting@example.com');
    await app.person({ email: 'claimed@example.com' });
    const addresses = ['unclaimed', 'waiting', 'claimed', 'unknown'].map((name) => `${name}@example.com`);
    await schedule('Mails', addresses);
    const mailsTo = async (name: string) =>
      (await mailbox(app, `${name}@example.com`)).filter(({ text }) => text?.includes('Mails')).length;
    expect({
      unclaimed: await mailsTo('unclaimed'),
      waiting: await mailsTo('waiting'),
      claimed: await mailsTo('claimed'),
      unknown: await mailsTo('unknown'),
    }).toEqual({ unclaimed: 1, waiting: 1, claimed: 0, unknown: 1 });
  });

  test('to an account that is claimed later are followed by one notification', async () => {
    await app.graphql('mutation { upsertUser(input: { email: "later@example.com" }) { id } }');
    await schedule('Once', ['later@example.com']);
    await register('later@example.com');
    await verify('later@example.com');
    expect(await invitationsOf(await signIn('later@example.com'))).toEqual(invitedTo('Once'));
  });
});

test('users who are invited by address are hidden from the owner of the game', async () => {
  const guest = await app.person({ email: 'guest@example.com' });
  await schedule('Discreet', ['guest@example.com']);
  const invitationCount = async (tokens: Tokens) =>
    (await app.graphql(`{ user(id: "${guest.id}") { gameInvitations { totalCount } } }`, {}, tokens)).user.gameInvitations;
  const query = '{ games(filter: { title: { eq: "Discreet" } }) { nodes { invitedIds } } }';
  expect({
    seenByOwner: await invitationCount(owner),
    seenByGuest: await invitationCount(guest),
    games: (await app.graphql(query, {}, owner)).games.nodes,
  }).toEqual({ seenByOwner: { totalCount: 0 }, seenByGuest: { totalCount: 1 }, games: [{ invitedIds: [] }] });
});

/** Runs `work` in a transaction that stays open until `commit` is called. */
async function openTransaction(work: (sql: Session) => Promise<unknown>): Promise<{ commit(): Promise<void> }> {
  const sql = new Session(app.resources.pools, 'write');
  const [gate, workDone] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const done = sql.transaction(async () => {
    await work(sql);
    workDone.resolve();
    await gate.promise;
  });
  await workDone.promise;
  return {
    async commit() {
      gate.resolve();
      await done;
    },
  };
}

describe('concurrently', () => {
  const blockedStatements = async () =>
    (
      await app.sql.row<{ n: number }>(`select count(*)::int as n from pg_stat_activity where datname = current_database() and
       wait_event_type = 'Lock' and application_name not like 'courtside%'`)
    )?.n;

  test('a user who verifies the address during an uncommitted invitation is invited', async () => {
    const racer = await app.person();
    await app.graphql('mutation { updateProfile(input: { email: "race@example.com" }) { id } }', {}, racer);
    const value = await lastValue(app, 'race@example.com');
    // The transaction of the invitation looks up the users, and then waits for this lock to queue the email. It stays open until then.
    const mailLock = await openTransaction((sql) => sql.rows('lock table jobs.job in share row exclusive mode'));
    const inviting = schedule('A race', ['race@example.com']);
    await expect.poll(blockedStatements).toBe(1);
    const verifying = verifyWith(value);
    await Promise.race([verifying, expect.poll(blockedStatements).toBe(2)]);
    await mailLock.commit();
    await Promise.all([inviting, verifying]);
    expect(await invitationsOf(racer)).toEqual(invitedTo('A race'));
  });

  test('created repetitions invite a user who is verifying the address', async () => {
    const id = await schedule('Making', ['maker@example.com'], { startsAt: days(1), isRepeated: true, repeats: 'DAILY' });
    await register('maker@example.com');
    const creation = await openTransaction((sql) => createOccurrences(sql, [id], new Date(days(20))));
    const verifying = verify('maker@example.com');
    await expect.poll(blockedStatements).toBe(1);
    await creation.commit();
    await verifying;
    const [row] = await app.sql.rows(
      `select count(*) > 70 as many, bool_and(cardinality(invited_by_email_ids) = 1) as invited from game where title = 'Making'`,
    );
    expect(row).toEqual({ many: true, invited: true });
  });
});
