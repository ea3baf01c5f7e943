import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Session } from '../../src/kernel/session.js';
import { makeOccurrences } from '../../src/modules/scheduler/make-occurrences.js';
import { type Person, startApp, type TestApp, type Tokens } from '../support/app.js';
import { lastValue, mailbox } from '../support/mailbox.js';

let app: TestApp;
let owner: Person;
beforeAll(async () => {
  app = await startApp();
  owner = await app.person({ firstName: 'Olga', lastName: 'Owner' });
});
afterAll(() => app.close());

const started = Date.now();
const days = (count: number) => new Date(started + count * 86_400_000).toISOString();
const schedule = async (title: string, invitedEmails: string[], more: object = {}): Promise<string> => {
  const input = { title, isInviteOnly: true, invitedEmails, ...more };
  const mutation = 'mutation ($input: GameInput!) { scheduleGame(input: $input) { id } }';
  return (await app.graphql(mutation, { input }, owner)).scheduleGame.id;
};
const password = 'correct horse';
const register = (email: string) =>
  app.graphql('mutation ($input: RegisterInput!) { register(input: $input) { mailSent } }', { input: { email, password } });
const verify = async (email: string) =>
  app.graphql('mutation ($value: String!) { verifyEmail(value: $value) { id } }', { value: await lastValue(app, email) }, {});
/** Claims an account, or forgets its password, by the link that is mailed. */
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

/** What a person knows of their invitations: notifications of them, private games that they see, and their list. */
async function known(tokens: Tokens) {
  const { viewer, games } = await app.graphql(
    `{ viewer { notifications(filter: { event: { eq: GAME_INVITATION } }) { nodes { content } } gameInvitations(first: 100) { nodes { title } } }
       games(first: 100, filter: { isInviteOnly: true }) { nodes { title } } }`,
    {},
    tokens,
  );
  const titles = ({ nodes }: { nodes: { title: string }[] }) => [...new Set(nodes.map(({ title }) => title))].toSorted();
  return {
    told: viewer.notifications.nodes.map(({ content }: { content: string }) => content).toSorted(),
    sees: titles(games),
    invited: titles(viewer.gameInvitations),
  };
}
const knows = (...titles: string[]) => ({ told: titles.map(invitation), sees: titles, invited: titles });

describe('an invited address is an invited person from the moment it is proven', () => {
  test('by the link of a registration', async () => {
    await schedule('A registration', ['Rita@Example.com']);
    await register('rita@example.com');
    const before = await app.sql.row('select cardinality(invited_by_email_ids) as n from game where title = $1', [
      'A registration',
    ]);
    await verify('rita@example.com');
    expect([before, await known(await signIn('rita@example.com'))]).toEqual([{ n: 0 }, knows('A registration')]);
  });

  test('by a claim: a new password for an account that a platform made', async () => {
    await schedule('A claim', ['clara@example.com']);
    await app.graphql('mutation { upsertUser(input: { email: "clara@example.com" }) { id } }');
    const before = await app.sql.row('select cardinality(invited_by_email_ids) as n from game where title = $1', ['A claim']);
    expect([before, await reset('clara@example.com'), await known(await signIn('clara@example.com'))]).toEqual([
      { n: 0 },
      { resetPassword: { id: expect.any(String) } },
      knows('A claim'),
    ]);
  });

  test('by a change of address', async () => {
    await schedule('A change', ['mia.new@example.com']);
    const mia = await app.person({ email: 'mia.old@example.com' });
    await app.graphql('mutation { updateProfile(input: { email: "mia.new@example.com" }) { id } }', {}, mia);
    const before = await known(mia);
    await verify('mia.new@example.com');
    expect([before, await known(mia)]).toEqual([knows(), knows('A change')]);
  });

  test('and is told once, of a game with its repetitions too, however often it is proven', async () => {
    const startsAt = days(1);
    await schedule('A series', ['sue@example.com'], { startsAt, isRepeated: true, repeats: 'WEEKLY' });
    await schedule('By both ways', ['sue@example.com']);
    await register('sue@example.com');
    await verify('sue@example.com');
    const sue = await signIn('sue@example.com');
    const first = await known(sue);
    const again = await reset('sue@example.com');
    const { viewer } = await app.graphql('{ viewer { gameInvitations { totalCount } } }', {}, await signIn('sue@example.com'));
    expect([first, again, await known(await signIn('sue@example.com')), viewer.gameInvitations.totalCount]).toEqual([
      knows('A series', 'By both ways'),
      { resetPassword: { id: expect.any(String) } },
      knows('A series', 'By both ways'),
      10,
    ]);
  });

  test('finds the game in /v1 then, and may join it', async () => {
    const id = await schedule('By invitation', ['joe@example.com']);
    await register('joe@example.com');
    await verify('joe@example.com');
    const joe = await signIn('joe@example.com');
    const { body } = await app.rest('GET', '/v1/data/game_scheduler?private=true', joe);
    const { optIn } = await app.graphql(`mutation { optIn(gameId: "${id}") { playerCount } }`, {}, joe);
    expect([body.results.map(({ uuid }: { uuid: string }) => uuid), optIn]).toEqual([[id], { playerCount: 1 }]);
  });

  test('and nothing is kept of a proof that fails', async () => {
    await schedule('Nobody', ['nina@example.com']);
    await register('nina@example.com');
    const value = await lastValue(app, 'nina@example.com');
    await app.sql.rows(
      `create function refused() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$;`,
    );
    await app.sql.rows(
      `create trigger refused before update on game for each row when (new.title = 'Nobody') execute function refused()`,
    );
    const failed = await app.graphql('mutation ($value: String!) { verifyEmail(value: $value) { id } }', { value }, {});
    await app.sql.rows('drop trigger refused on game');
    const [user] = await app.sql.rows(`select verified_at from app_user where email = 'nina@example.com'`);
    expect([failed.errors, user, await verify('nina@example.com')]).toEqual([
      ['INTERNAL: internal error'],
      { verified_at: null },
      { verifyEmail: { id: expect.any(String) } },
    ]);
  });
});

describe('who gets a mail', () => {
  test('addresses of nobody and of accounts that were never claimed, and nobody else', async () => {
    await app.graphql('mutation { upsertUser(input: { email: "unclaimed@example.com" }) { id } }');
    await register('waiting@example.com');
    await app.person({ email: 'claimed@example.com' });
    const addresses = ['unclaimed', 'waiting', 'claimed', 'unknown'].map((name) => `${name}@example.com`);
    await schedule('Mails', addresses);
    const got = await Promise.all(
      addresses.map(async (address) => (await mailbox(app, address)).filter(({ subject }) => subject?.includes('Mails')).length),
    );
    expect(got).toEqual([1, 1, 0, 1]);
  });

  test('an account that was never claimed is told once, by then or later', async () => {
    await app.graphql('mutation { upsertUser(input: { email: "later@example.com" }) { id } }');
    await schedule('Once', ['later@example.com']);
    await register('later@example.com');
    await verify('later@example.com');
    expect(await known(await signIn('later@example.com'))).toEqual(knows('Once'));
  });
});

test('whose address was invited is not told to others', async () => {
  const guest = await app.person({ email: 'guest@example.com' });
  await schedule('Discreet', ['guest@example.com']);
  const asked = async (tokens: Tokens) =>
    (await app.graphql(`{ user(id: "${guest.id}") { gameInvitations { totalCount } } }`, {}, tokens)).user.gameInvitations;
  const query = '{ games(filter: { title: { eq: "Discreet" } }) { nodes { invitedIds } } }';
  expect([await asked(owner), await asked(guest), (await app.graphql(query, {}, owner)).games.nodes]).toEqual([
    { totalCount: 0 },
    { totalCount: 1 },
    [{ invitedIds: [] }],
  ]);
});

/** Runs some work in a transaction of its own, which ends when it is told to. */
async function holding(work: (sql: Session) => Promise<unknown>): Promise<{ end(): Promise<void> }> {
  const sql = new Session(app.resources.pools, 'write');
  const [gate, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const done = sql.transaction(async () => {
    await work(sql);
    held.resolve();
    await gate.promise;
  });
  await held.promise;
  return {
    async end() {
      gate.resolve();
      await done;
    },
  };
}

describe('at the same moment', () => {
  const waiting = async () =>
    (
      await app.sql.row<{ n: number }>(`select count(*)::int as n from pg_stat_activity where datname = current_database() and
       wait_event_type = 'Lock' and application_name not like 'courtside%'`)
    )?.n;

  test('an invitation that is not kept yet and the proof of its address find each other', async () => {
    const racer = await app.person();
    await app.graphql('mutation { updateProfile(input: { email: "race@example.com" }) { id } }', {}, racer);
    // The mail of the invitation cannot be left, so that its transaction has seen who there is and has not ended.
    const mails = await holding((sql) => sql.rows('lock table jobs.job in share row exclusive mode'));
    const inviting = schedule('A race', ['race@example.com']);
    await expect.poll(waiting).toBe(1);
    const proving = verify('race@example.com');
    await Promise.race([proving, expect.poll(waiting).toBe(2)]);
    await mails.end();
    await Promise.all([inviting, proving]);
    expect(await known(racer)).toEqual(knows('A race'));
  });

  test('repetitions that are just made invite who has just proven the address', async () => {
    const id = await schedule('Making', ['maker@example.com'], { startsAt: days(1), isRepeated: true, repeats: 'DAILY' });
    await register('maker@example.com');
    const making = await holding((sql) => makeOccurrences(sql, [id], new Date(days(20))));
    const proving = verify('maker@example.com');
    await expect.poll(waiting).toBe(1);
    await making.end();
    await proving;
    const [row] = await app.sql.rows(
      `select count(*) > 70 as many, bool_and(cardinality(invited_by_email_ids) = 1) as invited from game where title = 'Making'`,
    );
    expect(row).toEqual({ many: true, invited: true });
  });
});
