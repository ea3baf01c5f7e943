import { afterAll, beforeAll, expect, test } from 'vitest';
import { subscribe } from '../../../support/clients/event-stream.js';
import { lastValue } from '../../../support/clients/mailbox.js';
import { passwordHash } from '../../../support/fixtures/passwords.js';
import { newKey } from '../../../support/fixtures/publishable-keys.js';
import { type Person, startApp, type TestApp } from '../../../support/servers/app.js';
import { type Process, secondProcess } from '../../../support/servers/second-app.js';

let app: TestApp;
let otherProcess: Process;
let admin: Person;
let key: string;
beforeAll(async () => {
  app = await startApp();
  otherProcess = await secondProcess(app);
  admin = await app.person({ roles: ['ADMIN'] });
  ({ key } = await newKey(app));
});
afterAll(async () => {
  await otherProcess.close();
  await app.close();
});

const password = 'correct horse';
const locked = { errors: ['FORBIDDEN: the account is locked: contact an administrator'] };
const incorrect = { errors: ['INVALID_CREDENTIALS: incorrect username or password'] };
const rejected = { errors: ['UNAUTHENTICATED: the token is unknown, expired or revoked'] };

interface Member extends Person {
  email: string;
}

async function createMember(): Promise<Member> {
  const person = await app.person();
  await app.sql.rows('update app_user set password_hash = $2 where id = $1', [person.id, await passwordHash(password)]);
  return { ...person, email: `${person.id}@example.com` };
}

const login = (email: string, text = password, platform = app.platform.platform) =>
  app.graphql(
    'mutation ($input: LoginInput!) { login(input: $input) { user { id } } }',
    { input: { email, password: text } },
    { platform },
  );
const lock = (id: string, { user }: { user: string } = admin, reason = 'Spam in comments') =>
  app.graphql(
    'mutation ($id: ID!, $reason: String!) { lockUser(id: $id, reason: $reason) { lockedAt lockReason } }',
    { id, reason },
    { user },
  );
const unlock = (id: string, { user }: { user: string } = admin) =>
  app.graphql('mutation ($id: ID!) { unlockUser(id: $id) { lockedAt lockReason } }', { id }, { user });
const instant = expect.stringMatching(/^\d{4}-.*Z$/);

test('a locked user cannot sign in until unlocked, and gets the reason only with the right password', async () => {
  const { id, email } = await createMember();
  const lockResult = await lock(id);
  const answers = {
    withPlatform: await login(email),
    withKey: await login(email, password, key),
    wrongPassword: await login(email, 'wrong', key),
    unlock: await unlock(id),
    afterwards: await login(email),
  };
  expect({ lockResult, ...answers }).toEqual({
    lockResult: { lockUser: { lockedAt: instant, lockReason: 'Spam in comments' } },
    withPlatform: locked,
    withKey: locked,
    wrongPassword: incorrect,
    unlock: { unlockUser: { lockedAt: null, lockReason: null } },
    afterwards: { login: { user: { id } } },
  });
});

test('/v1 rejects the sign-in of a locked user with 403 in its own envelope, and a wrong password as before', async () => {
  const { id, email } = await createMember();
  await lock(id);
  const signIn = async (text: string) => {
    const { status, body } = await app.rest('POST', '/v1/sso/login', app.platform, { payload: { email, password: text } });
    return { status, keys: Object.keys(body).sort(), code: body.Code, message: body.Message };
  };
  const keys = ['Code', 'Message', 'RequestId', 'Timestamp'];
  expect({ right: await signIn(password), wrong: await signIn('wrong') }).toEqual({
    right: { status: 403, keys, code: 403, message: 'the account is locked: contact an administrator' },
    wrong: { status: 401, keys, code: 401, message: 'incorrect username or password' },
  });
});

test('a lock ends all sessions immediately and permanently', async () => {
  const { id, user } = await createMember();
  const viewer = () => app.graphql('{ viewer { id } }', {}, { user });
  const refresh = () => app.graphql('mutation { refreshToken { token } }', {}, { user });
  const elsewhere = async () => (await otherProcess.graphql('{ viewer { id } }', {}, { user })).data?.viewer ?? null;
  expect({ viewer: await viewer(), elsewhere: await elsewhere() }).toEqual({
    viewer: { viewer: { id } },
    elsewhere: { id },
  });
  await lock(id);
  const duringLock = { viewer: await viewer(), refresh: await refresh() };
  await expect.poll(elsewhere, { timeout: 2_000 }).toBeNull();
  await unlock(id);
  expect({ duringLock, afterwards: await viewer() }).toEqual({
    duringLock: { viewer: rejected, refresh: rejected },
    afterwards: rejected,
  });
});

test('a token that SQL leaves valid is rejected while the account is locked', async () => {
  const { id, user } = await createMember();
  await app.sql.rows(`update app_user set locked_at = now(), lock_reason = 'by SQL' where id = $1`, [id]);
  expect(await app.graphql('{ sessions { totalCount } }', {}, { user })).toEqual(rejected);
});

test('no link, code or token signs in a locked user', async () => {
  const { id, email, user } = await createMember();
  const requestReset = () =>
    app.graphql('mutation ($email: String!) { requestPasswordReset(email: $email) { channel } }', { email });
  const reset = (value: string) =>
    app.graphql(
      'mutation ($value: String!) { resetPassword(value: $value, password: "a better password") { id } }',
      { value },
      {},
    );
  const { createOneTimeToken: oneTime } = await app.graphql('mutation { createOneTimeToken { token } }', {}, { user });
  const { createCalendarLink: link } = await app.graphql('mutation { createCalendarLink { url } }', {}, { user });
  const calendar = async () => (await fetch(link.url.replace(/^https?:..[^/]*/, app.origin))).status;
  await requestReset();
  const earlierValue = await lastValue(app, email);
  const calendarBefore = await calendar();
  await lock(id);
  await requestReset();
  const placed = { token: 'a-token-of-the-platform-1', userId: id };
  expect({
    earlierReset: await reset(earlierValue),
    reset: await reset(await lastValue(app, email)),
    oneTime: await app.graphql('mutation ($token: String!) { validateOneTimeToken(token: $token) { token } }', oneTime),
    placed: await app.graphql('mutation ($input: PlaceTokenInput!) { placeToken(input: $input) { token } }', { input: placed }),
    oldPassword: await login(email),
    calendar: { before: calendarBefore, locked: await calendar() },
  }).toEqual({
    earlierReset: { errors: ['BAD_INPUT: the link or code is wrong or was used already'] },
    reset: locked,
    oneTime: { errors: ['UNAUTHENTICATED: the token is unknown, expired or used'] },
    placed: locked,
    oldPassword: locked,
    calendar: { before: 200, locked: 401 },
  });
});

test('only administrators lock users, and only super admins lock super admins', async () => {
  const [member, superAdmin] = [await createMember(), await app.person({ isSuperAdmin: true })];
  const forbidden = { errors: ['FORBIDDEN: only super admins can lock and unlock a super admin'] };
  expect({
    member: await lock(admin.id, member),
    self: await lock(admin.id),
    unknown: await lock('unknown'),
    withoutReason: await lock(member.id, admin, ' '),
    longReason: await lock(member.id, admin, 'x'.repeat(501)),
    superAdmin: await lock(superAdmin.id),
    unlockSuperAdmin: await unlock(superAdmin.id),
    bySuperAdmin: await lock(admin.id, superAdmin),
  }).toEqual({
    member: { errors: ['FORBIDDEN: Not allowed: requires a user token with the role ADMIN'] },
    self: { errors: ['BAD_INPUT: id: expected the ID of another user'] },
    unknown: { errors: ['NOT_FOUND: no user with the id unknown'] },
    withoutReason: { errors: ['BAD_INPUT: reason: expected 1 to 500 characters'] },
    longReason: { errors: ['BAD_INPUT: reason: expected 1 to 500 characters'] },
    superAdmin: forbidden,
    unlockSuperAdmin: forbidden,
    bySuperAdmin: { lockUser: { lockedAt: instant, lockReason: 'Spam in comments' } },
  });
  await unlock(admin.id, superAdmin);
  admin = await app.person({ roles: ['ADMIN'] });
});

test('a second lock keeps the time and changes the reason', async () => {
  const { id } = await createMember();
  const { lockUser: first } = await lock(id);
  const { lockUser: second } = await lock(id, admin, 'Threats');
  expect(second).toEqual({ lockedAt: first.lockedAt, lockReason: 'Threats' });
});

test('a lock can require that the account is unlocked, and an unlock can require that the lock is still the same', async () => {
  const { id } = await createMember();
  const lockUnlocked = (reason: string) =>
    app.graphql(
      'mutation ($id: ID!, $reason: String!) { lockUser(id: $id, reason: $reason, keepsExisting: true) { lockedAt lockReason } }',
      { id, reason },
      admin,
    );
  const unlockSame = (lockedAt: string) =>
    app.graphql(
      'mutation ($id: ID!, $lockedAt: Instant) { unlockUser(id: $id, ifLockedAt: $lockedAt) { lockedAt } }',
      { id, lockedAt },
      admin,
    );
  const { lockUser: first } = await lockUnlocked('Spam');
  const whileLocked = await lockUnlocked('Threats');
  await unlock(id);
  const whileUnlocked = await unlockSame(first.lockedAt);
  const { lockUser: second } = await lockUnlocked('Threats');
  const changed = { errors: ['CONFLICT: the account was unlocked or locked again'] };
  expect({
    whileLocked,
    whileUnlocked,
    secondReason: second.lockReason,
    firstLock: await unlockSame(first.lockedAt),
    secondLock: await unlockSame(second.lockedAt),
  }).toEqual({
    whileLocked: { errors: ['CONFLICT: the account is already locked'] },
    whileUnlocked: changed,
    secondReason: 'Threats',
    firstLock: changed,
    secondLock: { unlockUser: { lockedAt: null } },
  });
});

test('only administrators see and filter by the lock', async () => {
  const { id } = await createMember();
  const player = await app.person();
  await lock(id);
  const fields = (tokens: object) =>
    app.graphql('query ($id: ID!) { user(id: $id) { lockedAt lockReason } }', { id }, tokens).then(({ user }) => user);
  const list = (tokens: object) =>
    app.graphql(
      'query ($id: ID!) { users(filter: { id: { eq: $id }, lockedAt: { isNull: false } }) { totalCount } }',
      { id },
      tokens,
    );
  const hidden = { lockedAt: null, lockReason: null };
  expect({
    admin: await fields({ user: admin.user }),
    platform: await fields(app.platform),
    player: await fields({ user: player.user }),
    adminList: await list({ user: admin.user }),
    platformList: (await list(app.platform)).errors?.[0]?.slice(0, 40),
  }).toEqual({
    admin: { lockedAt: instant, lockReason: 'Spam in comments' },
    platform: hidden,
    player: hidden,
    adminList: { users: { totalCount: 1 } },
    platformList: expect.stringMatching(/^(UNAUTHENTICATED|FORBIDDEN): filter\.lockedAt/),
  });
});

test('locks are in the audit trail, without the reason', async () => {
  const { id } = await createMember();
  const { lockUser } = await lock(id);
  await unlock(id);
  const { auditEntries } = await app.graphql(
    `query ($id: String!) { auditEntries(filter: { recordKey: { eq: $id }, action: { eq: CHANGED }, userId: { isNull: false } }, orderBy: [{ field: CREATED_AT }]) {
       nodes { fields changes { field before after } userId } } }`,
    { id },
    admin,
  );
  const fields = ['lockReason', 'lockedAt'];
  const entry = (before: unknown, after: unknown) => ({
    fields,
    changes: [{ field: 'lockedAt', before, after }],
    userId: admin.id,
  });
  expect(JSON.stringify(auditEntries)).not.toContain('Spam');
  expect(auditEntries.nodes).toEqual([entry(null, expect.any(String)), entry(expect.any(String), null)]);
  expect(Date.parse(auditEntries.nodes[0].changes[0].after)).toBe(Date.parse(lockUser.lockedAt));
});

test('the changes of a user do not name the lock fields', async () => {
  const { id } = await createMember();
  const stream = await subscribe(app, app.platform, 'subscription { changes(records: ["User"]) { kind id changedFields } }');
  await lock(id);
  await app.sql.rows(`update app_user set city = 'Austin', lock_reason = 'Threats' where id = $1`, [id]);
  const events = await stream.until(2);
  stream.close();
  expect(events.map(({ data }) => data?.changes)).toEqual([
    { kind: 'CHANGED', id, changedFields: ['updatedBy'] },
    { kind: 'CHANGED', id, changedFields: ['city'] },
  ]);
});
