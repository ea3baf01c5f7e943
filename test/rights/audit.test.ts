import { getNamedType } from 'graphql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { statementChannel } from '../../src/database/prepared-client.js';
import { graphOfModules } from '../../src/graphql/graph.js';
import { metaOf } from '../../src/kernel/declare/meta.js';
import { hashOf } from '../../src/modules/accounts/tokens/secrets.js';
import { type AuditedOperation, auditedRecords, withAuditRecording } from '../support/checks/audit-trail.js';
import { lastValue, mailbox } from '../support/clients/mailbox.js';
import { entriesOf } from '../support/fixtures/event-registrations.js';
import { newKey } from '../support/fixtures/publishable-keys.js';
import { startApp, type TestApp } from '../support/servers/app.js';
import { type Cast, castOf } from './callers.js';
import { callOf } from './calls.js';
import { freshRow } from './rows.js';

let plain: TestApp;
let app: TestApp;
let operations: AuditedOperation[];
let cast: Cast;
beforeAll(async () => {
  plain = await startApp();
  ({ app, operations } = withAuditRecording(plain));
  cast = await castOf(plain);
});
afterAll(() => plain.close());

const mutations = Object.values(graphOfModules().getMutationType()?.getFields() ?? {});
const nameOf = (operation: string) =>
  /(?:done: )?(\w+)\s*(?:\(|\{)(?![^{]*\$\w+:)/.exec(operation.replace(/^mutation[^{]*\{/, ''))?.[1] ?? operation;

/** Returns the actor that an audit entry must name for a call with the given tokens. */
function actorOf(tokens: AuditedOperation['tokens']): string {
  const { user, platform } = tokens ?? plain.platform;
  const userId = user === undefined ? '-' : (userIds.get(user) ?? '?');
  const keyId = platform?.startsWith('pk_') ? (keyIds.get(platform) ?? '?') : '-';
  return `REQUEST user ${userId} platform ${platform ? 'test-platform' : '-'} key ${keyId} 127.0.0.1`;
}
const userIds = new Map<string, string>();
const keyIds = new Map<string, string>();

/** Reads the IDs of the users and publishable keys to which the tokens of the recorded operations belong. */
async function readTokenOwners(): Promise<void> {
  const rows = await plain.sql.rows<{ hash: string; id: string }>('select token_hash as hash, user_id as id from user_token');
  const byHash = new Map(rows.map(({ hash, id }) => [hash, id]));
  const hashes = await plain.sql.rows<{ hash: string; id: string }>('select key_hash as hash, id from publishable_key');
  for (const { tokens } of operations) {
    const { user, platform } = tokens ?? {};
    if (user) userIds.set(user, byHash.get(hashOf(user)) ?? '?');
    if (platform) keyIds.set(platform, hashes.find(({ hash }) => hash === hashOf(platform))?.id ?? '?');
  }
}

/** Calls every mutation as the platform, the owner and the super admin, until one call succeeds. */
async function callEveryMutation(): Promise<void> {
  const callers = cast.callers.filter(({ name }) => /^(platform|owner|super admin)$/.test(name));
  for (const field of mutations) for (const { tokens } of callers) if ((await callOf({ app, cast }, field, tokens)) === '') break;
}

const mutate = (text: string, tokens?: object) => app.graphql(`mutation { ${text} }`, {}, tokens);

/** Registers a user, then calls the mutations for the password, tokens and profile of that user. */
async function signOn(): Promise<void> {
  const key = await newKey(app);
  await mutate(
    'register(input: { email: "eve@example.com", password: "a good password", firstName: "Eve", lastName: "Lopez" }) { isMailSent }',
    { platform: key.key },
  );
  await mutate(`verifyEmail(value: "${await lastValue(app, 'eve@example.com')}") { id }`, { platform: key.key });
  const { login } = await mutate(
    'login(input: { email: "eve@example.com", password: "a good password" }) { token user { id } }',
    { platform: key.key },
  );
  const { changePassword } = await mutate(
    'changePassword(oldPassword: "a good password", newPassword: "a better password") { token }',
    { user: login.token },
  );
  const { createOneTimeToken } = await mutate('createOneTimeToken { token }', { user: changePassword.token });
  await mutate(`validateOneTimeToken(token: "${createOneTimeToken.token}") { token }`);
  await mutate('requestPasswordReset(email: "eve@example.com") { channel }');
  const value = await lastValue(app, 'eve@example.com');
  await mutate(`resetPassword(value: "${value}", password: "a better password") { id }`, {});
  const secondLogin = await mutate('login(input: { email: "eve@example.com", password: "a better password" }) { token }');
  const eve = { id: login.user.id, user: secondLogin.login.token };
  await mutate(`updateProfile(input: { email: "eve@new.example" }) { id }`, eve);
  await mutate(`verifyEmail(value: "${await lastValue(app, 'eve@new.example')}") { id }`, {});
  await mutate(`placeToken(input: { token: "a-token-of-the-platform", userId: "${eve.id}" }) { token }`);
  const { refreshToken } = await mutate('refreshToken { token }', { user: eve.user });
  await mutate('logout { expiresAt }', { user: refreshToken.token });
  await app.rest('POST', '/v1/sso/login', plain.platform, {
    payload: { email: 'eve@new.example', password: 'a better password' },
  });
}

/** Creates a platform and a deprecation as a super admin, then calls the mutations for webhooks. */
async function administer(): Promise<void> {
  const superAdmin = cast.callers.at(-1)?.tokens;
  await mutate(`createPlatform(input: { title: "Other" }) { token }`, superAdmin);
  await mutate(
    `deprecateRoute(input: { route: "GET /v1/data/teams", deprecatedAt: "2026-01-01T00:00:00Z", text: "Ask in GraphQL." }) { id }`,
    superAdmin,
  );
  const { createWebhook } = await mutate('createWebhook(url: "https://93.184.215.14/", events: ["team.*"]) { webhook { id } }');
  const webhook = `id: "${createWebhook.webhook.id}"`;
  await mutate(`updateWebhook(${webhook}, events: ["game.*"]) { id }`);
  await mutate(`updateWebhook(${webhook}, contactEmail: "ops@club.example") { id }`);
  const code = /(?<=: )[\w-]{22}/.exec((await mailbox(app, 'ops@club.example')).at(-1)?.text ?? '')?.[0];
  await mutate(`confirmWebhookContact(${webhook}, code: "${code}") { id }`);
  await mutate(`rotateWebhookSecret(${webhook}) { secret }`);
  for (const mutation of ['endPreviousWebhookSecret', 'pauseWebhook', 'resumeWebhook', 'deleteWebhook'])
    await mutate(`${mutation}(${webhook}) { id }`);
}

async function createImages(): Promise<void> {
  const sponsor = await freshRow(plain.sql, 'Sponsor', cast.owner.id);
  await mutate(`createSponsorImage(input: { sponsorId: "${sponsor}", url: "https://a.example/b.png" }) { id }`);
  await mutate(`createUserImage(userId: "${cast.owner.id}", input: { type: PROFILE, url: "https://a.example/b.png" }) { id }`, {
    user: cast.owner.user,
  });
}

/**
 * Registers two players for an event. Each player checks out and withdraws: the first player without a payment, and the second player after
 * a payment.
 */
async function registerAndWithdraw(): Promise<void> {
  const { register, open, entry, checkout, withdraw, save } = entriesOf(() => app);
  const first = await plain.person();
  const eventId = await open({ fee: '40' }, { registrationFee: '10' });
  await register({ eventId }, first);
  const firstEntry = await entry(eventId, first);
  await plain.sql.rows(`insert into discount_code (id, code, discount) values ('less', 'LESS', 5)`);
  await checkout({ registrationId: firstEntry?.registration, discountCode: 'LESS' }, first);
  await withdraw(firstEntry?.id ?? '', first);
  const second = await plain.person();
  await register({ eventId }, second);
  const secondEntry = await entry(eventId, second);
  const { invoice } = await checkout({ registrationId: secondEntry?.registration }, second, 'invoice { id }');
  await save('Payment', { invoiceId: invoice.id, amount: '50' });
  await withdraw(secondEntry?.id ?? '', second);
}

beforeAll(async () => {
  await callEveryMutation();
  await signOn();
  await administer();
  await createImages();
  await registerAndWithdraw();
  await readTokenOwners();
}, 60_000);

test('each change of an audited row has one audit entry', () => {
  const mismatches = operations.filter(({ changes, entries }) => JSON.stringify(changes) !== JSON.stringify(entries));
  expect(mismatches.map(({ operation, changes, entries }) => ({ operation, changes, entries }))).toEqual([]);
});

test('each audit entry names the actor', () => {
  const mismatches = operations.filter(({ actors, tokens }) => actors.length > 0 && actors.join() !== actorOf(tokens));
  expect(mismatches.map(({ operation, actors, tokens }) => ({ operation, actors, expectedActor: actorOf(tokens) }))).toEqual([]);
});

test('every mutation of an audited record wrote audit entries', () => {
  const audited = new Set(auditedRecords.map((cls) => cls.name));
  const writing = new Set(operations.filter(({ entries }) => entries.length > 0).map(({ operation }) => nameOf(operation)));
  const expected = mutations.filter(({ type }) => audited.has(getNamedType(type).name)).map(({ name }) => name);
  expect(expected.filter((name) => !writing.has(name))).toEqual([]);
});

/** Returns the record types that are excluded from the trigger that audits changes by users. */
async function recordsWithoutUserEntries(): Promise<string[]> {
  const row = await plain.sql.row<{ definition: string }>(
    `select pg_get_triggerdef(oid) as definition from pg_trigger where tgname = 'audit_change_by_user'`,
  );
  return [...(row?.definition ?? '').matchAll(/'([A-Z]\w+)'/g)].map(([, name = '']) => name);
}

test('each change of another record by a user has an audit entry with its actor', async () => {
  const audited = auditedRecords.map(({ name }) => name);
  expect((await recordsWithoutUserEntries()).toSorted()).toEqual(
    [...audited, 'Favorite', 'MutedNotification', 'Notification', 'Reaction'].toSorted(),
  );
  const changes = await plain.sql.rows<{ entry: string; record: string }>(
    `select record, concat_ws(' ', record, id, columns, actor->>'userId', actor->>'platformId') as entry
     from change where actor->>'userId' is not null and record <> all($1) order by 2`,
    [await recordsWithoutUserEntries()],
  );
  const entries = await plain.sql.rows<{ entry: string }>(
    `select concat_ws(' ', record_type, record_key, columns, user_id, platform_id) as entry
     from audit_entry where record_type <> all($1) and source = 'REQUEST' and address = '127.0.0.1' order by 1`,
    [audited],
  );
  expect(entries.map(({ entry }) => entry)).toEqual(changes.map(({ entry }) => entry));
  expect(new Set(changes.map(({ record }) => record)).size).toBeGreaterThan(3);
});

test('the database has the audit triggers that the records declare', async () => {
  const rows = await plain.sql.rows<{ text: string }>(
    `select c.relname || ' ' || replace(rtrim(encode(t.tgargs, 'escape'), '\\000'), '\\000', ' ') as text
     from pg_trigger t join pg_class c on c.oid = t.tgrelid where t.tgname = 'audited'
       and (t.tgtype = 29 or t.tgtype = 25 and exists (select from pg_trigger i where i.tgrelid = c.oid and i.tgname = 'audited_insert' and i.tgtype = 4))`,
  );
  const declared = auditedRecords.map((cls) => {
    const { options } = metaOf(cls);
    return [options?.table, cls.name, ...(options?.audited ?? [])].join(' ');
  });
  expect(rows.map(({ text }) => text).toSorted()).toEqual(declared.toSorted());
});

test('recording the actor needs no extra statement or transaction', async () => {
  const upsert = (location: string) =>
    `mutation { upsertEventRegistration(input: { id: "plain", updateLocation: "${location}" }) { id } }`;
  await plain.graphql(upsert('one'));
  const texts: string[] = [];
  const collect = (text: unknown) => void texts.push(String(text));
  statementChannel.subscribe(collect);
  await plain.graphql(upsert('other'));
  statementChannel.unsubscribe(collect);
  expect(
    texts.filter((text) => !/token_hash|cache_version|jobs\.|^notify |from webhook|usage_sender|change_position/.test(text)),
  ).toEqual([expect.stringMatching(/^insert into "event_registration"/)]);
});

test.each(['update audit_entry set address = null', 'delete from audit_entry', 'truncate audit_entry'])(
  'the database rejects "%s"',
  async (statement) => {
    await expect(plain.sql.rows(statement)).rejects.toThrow('audit entries are neither changed nor deleted');
  },
);
