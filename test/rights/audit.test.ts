import { getNamedType } from 'graphql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { statements } from '../../src/database/prepared-client.js';
import { graphOfModules } from '../../src/gateway/graph.js';
import { metaOf } from '../../src/kernel/declare/meta.js';
import { hashOf } from '../../src/modules/accounts/secrets.js';
import { startApp, type TestApp } from '../support/app.js';
import { auditedRecords, type Seen, watched } from '../support/audit.js';
import { entriesOf } from '../support/entries.js';
import { newKey } from '../support/keys.js';
import { lastValue } from '../support/mailbox.js';
import { type Cast, castOf } from './callers.js';
import { callOf } from './calls.js';
import { freshRow } from './rows.js';

let plain: TestApp;
let app: TestApp;
let seen: Seen[];
let cast: Cast;
beforeAll(async () => {
  plain = await startApp();
  ({ app, seen } = watched(plain));
  cast = await castOf(plain);
});
afterAll(() => plain.close());

const mutations = Object.values(graphOfModules().getMutationType()?.getFields() ?? {});
const nameOf = (operation: string) =>
  /(?:done: )?(\w+)\s*(?:\(|\{)(?![^{]*\$\w+:)/.exec(operation.replace(/^mutation[^{]*\{/, ''))?.[1] ?? operation;

/** Who acts by these tokens, as the audit says it. */
function actorOf(tokens: Seen['tokens']): string {
  const { user, platform } = tokens ?? plain.platform;
  const person = user === undefined ? '-' : (people.get(user) ?? '?');
  const key = platform?.startsWith('pk_') ? (keys.get(platform) ?? '?') : '-';
  return `REQUEST user ${person} platform ${platform ? 'test-platform' : '-'} key ${key} 127.0.0.1`;
}
const people = new Map<string, string>();
const keys = new Map<string, string>();

async function learnTokens(): Promise<void> {
  const rows = await plain.sql.rows<{ hash: string; id: string }>('select token_hash as hash, user_id as id from user_token');
  const byHash = new Map(rows.map(({ hash, id }) => [hash, id]));
  const hashes = await plain.sql.rows<{ hash: string; id: string }>('select key_hash as hash, id from publishable_key');
  for (const { tokens } of seen) {
    const { user, platform } = tokens ?? {};
    if (user) people.set(user, byHash.get(hashOf(user)) ?? '?');
    if (platform) keys.set(platform, hashes.find(({ hash }) => hash === hashOf(platform))?.id ?? '?');
  }
}

/** Calls every mutation as the first of these who may. */
async function callAll(): Promise<void> {
  const callers = cast.callers.filter(({ name }) => /^(platform|owner|super admin)$/.test(name));
  for (const field of mutations) for (const { tokens } of callers) if ((await callOf({ app, cast }, field, tokens)) === '') break;
}

/** What takes more than one call: sign-on, checkout, and what rules write by statements. */
async function tellStories(): Promise<void> {
  const { register, open, entry, checkout, withdraw, save } = entriesOf(() => app);
  const key = await newKey(app);
  const ask = (text: string, tokens?: object) => app.graphql(`mutation { ${text} }`, {}, tokens);
  await ask(
    'register(input: { email: "eve@example.com", password: "a good password", firstName: "Eve", lastName: "Lopez" }) { mailSent }',
    { platform: key.key },
  );
  await ask(`verifyEmail(value: "${await lastValue(app, 'eve@example.com')}") { id }`, { platform: key.key });
  const { login } = await ask('login(input: { email: "eve@example.com", password: "a good password" }) { token user { id } }', {
    platform: key.key,
  });
  const { changePassword } = await ask(
    'changePassword(oldPassword: "a good password", newPassword: "a better password") { token }',
    { user: login.token },
  );
  const { createOneTimeToken } = await ask('createOneTimeToken { token }', { user: changePassword.token });
  await ask(`validateOneTimeToken(token: "${createOneTimeToken.token}") { token }`);
  await ask('requestPasswordReset(email: "eve@example.com") { channel }');
  const value = await lastValue(app, 'eve@example.com');
  await ask(`resetPassword(value: "${value}", password: "a better password") { id }`, {});
  const again = await ask('login(input: { email: "eve@example.com", password: "a better password" }) { token }');
  const eve = { id: login.user.id, user: again.login.token };
  await ask(`updateProfile(input: { email: "eve@new.example" }) { id }`, eve);
  await ask(`verifyEmail(value: "${await lastValue(app, 'eve@new.example')}") { id }`, {});
  await ask(`placeToken(input: { token: "a-token-of-the-platform", userId: "${eve.id}" }) { token }`);
  const { refreshToken } = await ask('refreshToken { token }', { user: eve.user });
  await ask('logout { expiresAt }', { user: refreshToken.token });
  await app.rest('POST', '/v1/sso/login', plain.platform, {
    payload: { email: 'eve@new.example', password: 'a better password' },
  });
  await ask(`createPlatform(input: { title: "Other" }) { token }`, cast.callers.at(-1)?.tokens);
  await ask(
    `deprecateRoute(input: { route: "GET /v1/data/teams", deprecatedAt: "2026-01-01T00:00:00Z", text: "Ask in GraphQL." }) { id }`,
    cast.callers.at(-1)?.tokens,
  );

  const { createWebhook } = await ask('createWebhook(url: "https://93.184.215.14/", events: ["team.*"]) { webhook { id } }');
  const webhook = `id: "${createWebhook.webhook.id}"`;
  await ask(`updateWebhook(${webhook}, events: ["game.*"]) { id }`);
  await ask(`rotateWebhookSecret(${webhook}) { secret }`);
  for (const done of ['endPreviousWebhookSecret', 'pauseWebhook', 'resumeWebhook', 'deleteWebhook'])
    await ask(`${done}(${webhook}) { id }`);

  const sponsor = await freshRow(plain.sql, 'Sponsor', cast.owner.id);
  await ask(`createSponsorImage(input: { sponsorId: "${sponsor}", url: "https://a.example/b.png" }) { id }`);
  await ask(`createUserImage(userId: "${cast.owner.id}", input: { type: PROFILE, url: "https://a.example/b.png" }) { id }`, {
    user: cast.owner.user,
  });

  const who = await plain.person();
  const eventId = await open({ fee: '40' }, { registrationFee: '10' });
  await register({ eventId }, who);
  const own = await entry(eventId, who);
  await plain.sql.rows(`insert into discount_code (id, code, discount) values ('less', 'LESS', 5)`);
  await checkout({ registrationId: own?.registration, discountCode: 'LESS' }, who);
  await withdraw(own?.id ?? '', who);
  const other = await plain.person();
  await register({ eventId }, other);
  const second = await entry(eventId, other);
  const { invoice } = await checkout({ registrationId: second?.registration }, other, 'invoice { id }');
  await save('Payment', { invoiceId: invoice.id, amount: '50' });
  await withdraw(second?.id ?? '', other);
}

beforeAll(async () => {
  await callAll();
  await tellStories();
  await learnTokens();
}, 60_000);

test('the audit has what the tables show, once each', () => {
  const wrong = seen.filter(({ changes, entries }) => JSON.stringify(changes) !== JSON.stringify(entries));
  expect(wrong.map(({ operation, changes, entries }) => ({ operation, changes, entries }))).toEqual([]);
});

test('each with who acted', () => {
  const wrong = seen.filter(({ actors, tokens }) => actors.length > 0 && actors.join() !== actorOf(tokens));
  expect(wrong.map(({ operation, actors, tokens }) => [operation, actors, actorOf(tokens)])).toEqual([]);
});

test('all mutations of audited records were among them, and wrote', () => {
  const audited = new Set(auditedRecords.map((cls) => cls.name));
  const wrote = new Set(seen.filter(({ entries }) => entries.length > 0).map(({ operation }) => nameOf(operation)));
  const of = mutations.filter(({ type }) => audited.has(getNamedType(type).name)).map(({ name }) => name);
  expect(of.filter((name) => !wrote.has(name))).toEqual([]);
});

test('the triggers of the database are those that the records declare', async () => {
  const rows = await plain.sql.rows<{ text: string }>(
    `select c.relname || ' ' || replace(rtrim(encode(t.tgargs, 'escape'), '\\000'), '\\000', ' ') as text
     from pg_trigger t join pg_class c on c.oid = t.tgrelid where t.tgname = 'audited' and t.tgtype = 29`,
  );
  const declared = auditedRecords.map((cls) => {
    const { options } = metaOf(cls);
    return [options?.table, cls.name, ...(options?.audited ?? [])].join(' ');
  });
  expect(rows.map(({ text }) => text).toSorted()).toEqual(declared.toSorted());
});

test('who writes is noted without a statement and a transaction for it', async () => {
  const upsert = (place: string) =>
    `mutation { upsertEventRegistration(input: { id: "plain", updateLocation: "${place}" }) { id } }`;
  await plain.graphql(upsert('one'));
  const texts: string[] = [];
  const listen = (text: unknown) => void texts.push(String(text));
  statements.subscribe(listen);
  await plain.graphql(upsert('other'));
  statements.unsubscribe(listen);
  expect(
    texts.filter((text) => !/token_hash|kept_version|jobs\.|^notify |from webhook|usage_sender|change_position/.test(text)),
  ).toEqual([expect.stringMatching(/^insert into "event_registration"/)]);
});

test('entries are neither changed nor deleted, by whomever', async () => {
  const tries = ['update audit_entry set address = null', 'delete from audit_entry', 'truncate audit_entry'];
  for (const text of tries) await expect(plain.sql.rows(text)).rejects.toThrow('audit entries are neither changed nor deleted');
});
