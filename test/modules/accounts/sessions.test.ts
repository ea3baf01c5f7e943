import { afterAll, beforeAll, expect, test } from 'vitest';
import { passwordHash } from '../../support/fixtures/passwords.js';
import { newKey } from '../../support/fixtures/publishable-keys.js';
import { type Person, startApp, type TestApp } from '../../support/servers/app.js';
import { type Process, secondProcess } from '../../support/servers/second-app.js';

let app: TestApp;
let otherProcess: Process;
let admin: Person;
beforeAll(async () => {
  app = await startApp();
  otherProcess = await secondProcess(app);
  admin = await app.person({ roles: ['ADMIN'] });
});
afterAll(async () => {
  await otherProcess.close();
  await app.close();
});

const password = 'correct horse';

/** Creates a user with a password and a session. */
async function createMember(values: Parameters<TestApp['person']>[0] = {}): Promise<Person & { email: string }> {
  const person = await app.person(values);
  const email = `${person.id}@example.com`;
  await app.sql.rows('update app_user set password_hash = $2 where id = $1', [person.id, await passwordHash(password)]);
  return { ...person, email };
}

const login = async (email: string, platform = app.platform.platform, browser = 'Firefox'): Promise<string> =>
  (
    await app.graphql(
      'mutation ($input: LoginInput!) { login(input: $input) { token } }',
      { input: { email, password, browser } },
      { platform },
    )
  ).login.token;

const sessionsOf = async ({ user }: { user: string }, filter = {}) =>
  (
    await app.graphql(
      'query ($filter: UserTokenFilter) { sessions(filter: $filter) { nodes { id userId device isCurrent platform { id } } } }',
      { filter },
      { user },
    )
  ).sessions.nodes;
const idsOf = (nodes: { id: string }[]) => nodes.map(({ id }) => id);

const endSession = (id: string, { user }: { user: string }) =>
  app.graphql('mutation ($id: ID!) { endSession(id: $id) { id revokedAt } }', { id }, { user });
const endAllSessions = (id: string, { user }: { user: string }) =>
  app.graphql('mutation ($id: ID!) { endAllSessions(userId: $id) { id } }', { id }, { user });
const viewer = async (user: string) => (await app.graphql('{ viewer { id } }', {}, { user })).viewer?.id ?? null;

test('users see their own active sessions, with the platform and the device', async () => {
  const member = await createMember();
  const { key } = await newKey(app);
  const firefox = await login(member.email);
  const opera = await login(member.email, key, 'Opera');
  await app.sql.rows(
    `insert into user_token (id, token_hash, user_id, expires_at, revoked_at) values
     ('expired', 'e', $1, now() - interval '1 hour', null), ('revoked', 'r', $1, now() + interval '1 hour', now())`,
    [member.id],
  );
  const refreshed = (await app.graphql('mutation { refreshToken { token } }', {}, { user: firefox })).refreshToken.token;
  const platform = { id: 'test-platform' };
  expect(await sessionsOf({ user: opera })).toEqual([
    { id: expect.any(String), userId: member.id, device: 'Firefox', isCurrent: false, platform },
    { id: expect.any(String), userId: member.id, device: 'Opera, 127.0.0.1', isCurrent: true, platform },
    { id: expect.stringMatching(/^token-/), userId: member.id, device: null, isCurrent: false, platform: null },
  ]);
  expect(await viewer(refreshed)).toBe(member.id);
});

test('administrators see the sessions of every user, and other users see none', async () => {
  const [member, player] = [await createMember(), await app.person()];
  const query = 'query ($id: ID!) { user(id: $id) { sessions { nodes { userId } totalCount } } }';
  const read = async ({ user }: Person) => (await app.graphql(query, { id: member.id }, { user })).user.sessions;
  expect({
    admin: await read(admin),
    self: await read(member),
    player: await read(player),
    list: await sessionsOf(admin, { userId: { eq: member.id } }).then((nodes) => nodes.length),
    platform: (await app.graphql(query, { id: member.id })).errors,
  }).toEqual({
    admin: { nodes: [{ userId: member.id }], totalCount: 1 },
    self: { nodes: [{ userId: member.id }], totalCount: 1 },
    player: { nodes: [], totalCount: 0 },
    list: 1,
    platform: ['UNAUTHENTICATED: Authentication required: send a user token (header PB-USER-TOKEN)'],
  });
});

test('an ended session is rejected at once, and by other processes within half a second', async () => {
  const member = await createMember();
  const other = await login(member.email);
  const warmed = await otherProcess.graphql('{ viewer { id } }', {}, { user: other });
  const session = (await sessionsOf({ user: other })).find(({ isCurrent }: { isCurrent: boolean }) => isCurrent);
  const ended = await endSession(session.id, member);
  expect({ warmed, ended, again: await endSession(session.id, member) }).toEqual({
    warmed: { data: { viewer: { id: member.id } }, extensions: expect.anything() },
    ended: { endSession: { id: session.id, revokedAt: expect.any(String) } },
    again: ended,
  });
  expect({ ended: await viewer(other), own: await viewer(member.user) }).toEqual({ ended: null, own: member.id });
  await expect
    .poll(async () => (await otherProcess.graphql('{ viewer { id } }', {}, { user: other })).data?.viewer ?? null, {
      timeout: 2_000,
    })
    .toBeNull();
});

test('all sessions end at once, and one-time tokens become invalid', async () => {
  const member = await createMember();
  const tokens = [await login(member.email), await login(member.email)];
  const oneTime = (await app.graphql('mutation { createOneTimeToken { token } }', {}, member)).createOneTimeToken.token;
  expect(await endAllSessions(member.id, member)).toEqual({ endAllSessions: { id: member.id } });
  const validated = await app.graphql('mutation ($token: String!) { validateOneTimeToken(token: $token) { token } }', {
    token: oneTime,
  });
  expect({
    viewers: await Promise.all([member.user, ...tokens].map(viewer)),
    validated,
    newSession: await viewer(await login(member.email)),
  }).toEqual({
    viewers: [null, null, null],
    validated: { errors: ['UNAUTHENTICATED: the token is unknown, expired or used'] },
    newSession: member.id,
  });
});

test('administrators can end the sessions of others, but only super admins can end those of super admins', async () => {
  const [member, player] = [await createMember(), await app.person()];
  const superAdmin = await app.person({ isSuperAdmin: true });
  const [session] = idsOf(await sessionsOf(member));
  const [sessionOfSuperAdmin] = idsOf(await sessionsOf(superAdmin, { userId: { eq: superAdmin.id } }));
  const forbidden = { errors: ['FORBIDDEN: only super admins can end the sessions of a super admin'] };
  expect({
    player: await endSession(session ?? '', player),
    playerAll: await endAllSessions(member.id, player),
    unknown: await endSession('unknown', admin),
    unknownUser: await endAllSessions('unknown', admin),
    admin: await endSession(sessionOfSuperAdmin ?? '', admin),
    adminAll: await endAllSessions(superAdmin.id, admin),
    ofMember: await endSession(session ?? '', admin),
    self: await endSession(sessionOfSuperAdmin ?? '', superAdmin),
  }).toEqual({
    player: { errors: [`NOT_FOUND: no session with the id ${session}`] },
    playerAll: { errors: [expect.stringMatching(/^FORBIDDEN/)] },
    unknown: { errors: ['NOT_FOUND: no session with the id unknown'] },
    unknownUser: { errors: ['NOT_FOUND: no user with the id unknown'] },
    admin: forbidden,
    adminAll: forbidden,
    ofMember: { endSession: { id: session, revokedAt: expect.any(String) } },
    self: { endSession: { id: sessionOfSuperAdmin, revokedAt: expect.any(String) } },
  });
  expect(await viewer(member.user)).toBeNull();
});
