import { afterAll, beforeAll, expect, test } from 'vitest';
import { hashPassword } from '../../src/modules/accounts/password.js';
import { type Person, startApp, type TestApp } from '../support/app.js';
import { entriesOf } from '../support/entries.js';
import { at } from '../support/tournaments.js';

let app: TestApp;
let zelda: Person;
let admin: Person;
let ana: Person;
const password = 'of Hyrule, long';
const personal = { email: 'zelda@hyrule.example', firstName: 'Zelda', lastName: 'Quixote', phone: '(512) 555-0123' };
beforeAll(async () => {
  app = await startApp();
  zelda = await app.person({ ...personal, roles: ['ADMIN'] });
  [admin, ana] = [await app.person({ roles: ['ADMIN'] }), await app.person({ firstName: 'Ana' })];
  await app.sql.rows(
    `update app_user set password_hash = $2, country_id = 'US', date_of_birth = '1990-01-02', city = 'Castle Town', slug = 'zelda-quixote', image_url = 'https://a.example/zelda.png' where id = $1`,
    [zelda.id, await hashPassword(password)],
  );
  await live();
}, 30_000);
afterAll(() => app.close());

const { open, register, withdraw, checkout, entry, save } = entriesOf(() => app);
let invoiceId = '';
let teamId = '';

async function does(who: object, ...mutations: string[]): Promise<void> {
  for (const text of mutations) {
    const answer = await app.graphql(`mutation { done: ${text} }`, {}, who);
    expect(answer.errors, text).toBe(undefined);
  }
}

/** What Zelda does, and what others tell of her. */
async function live(): Promise<void> {
  const eventId = await open({ fee: '40' }, { registrationFee: '10' });
  await register({ eventId, partnerId: ana.id }, zelda);
  const own = await app.sql.row<{ registration: string; tournament: string }>(
    'select id as registration, tournament_id as tournament from registration where user_id = $1',
    [zelda.id],
  );
  invoiceId = (await checkout({ registrationId: own?.registration }, zelda, 'invoice { id }')).invoice.id;
  const requestId = await save('ProviderRequest', { userId: zelda.id, invoiceId });
  await save('ProviderResponse', {
    requestId,
    payer: { firstName: 'Zelda', lastName: 'Quixote', email: 'Zelda@Hyrule.example', phone: '+15125550123' },
    body: 'payer=zelda%40hyrule.example&name=Zelda',
    gross: '50',
  });
  await save('Payment', { invoiceId, amount: '50', reported: { createdBy: 'zelda quixote' } });
  const another = await open();
  await register({ eventId: another, partnerEmail: 'link@hyrule.example' }, zelda);
  teamId = (await app.sql.row<{ id: string }>('select id from team where event_id = $1', [eventId]))?.id ?? '';
  await register({ eventId: await open(), partnerEmail: personal.email }, ana);
  const third = await open();
  await register({ eventId: third, partnerId: ana.id }, zelda);
  await withdraw((await entry(third, zelda))?.id ?? '', zelda);
  await does(
    zelda,
    `scheduleGame(input: { title: "A game of Zelda Quixote", startsAt: "${at(5)}", invitedIds: ["${ana.id}"], invitedEmails: ["link@hyrule.example"] }) { id }`,
    'createTournament(input: { id: "hers", title: "Hyrule Open" }) { id }',
    `createUserImage(userId: "${zelda.id}", input: { type: PROFILE, url: "https://a.example/zelda.png" }) { id }`,
    `createBiography(userId: "${zelda.id}", input: { text: "Zelda Quixote of Hyrule." }) { id }`,
    `addFavorite(userId: "${zelda.id}", kind: TOURNAMENT, subjectId: "${own?.tournament}") { id }`,
    'createNewsItem(input: { id: "news", title: "Open", authorName: "Zelda Quixote" }) { id }',
    `react(userId: "${zelda.id}", newsItemId: "news", kind: LIKE) { id }`,
    `updateProfile(input: { zip: "78701" }) { id }`,
  );
  await does(
    ana,
    `scheduleGame(input: { startsAt: "${at(5)}", invitedEmails: ["zelda@hyrule.example", "tom@a.example"] }) { id }`,
  );
  await does(app.platform, `requestPasswordReset(email: "${personal.email}") { channel }`);
  await does(app.platform, `requestPasswordReset(email: "${personal.email}", channel: SMS) { channel }`);
  await does(app.platform, `login(input: { email: "${personal.email}", password: "${password}" }) { token }`);
}

const traces = /zelda|quixote|hyrule\.example.{0,3}zelda|512\D{0,3}555\D?0123|castle town|\b78701\b|1990-01-02/i;

/** Every row of every table that tells of Zelda, by its table. */
async function found(): Promise<string[]> {
  const tables = await app.sql.rows<{ name: string }>(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
     where table_schema not in ('pg_catalog', 'information_schema') and table_type = 'BASE TABLE'`,
  );
  const rows = [];
  for (const { name } of tables)
    for (const { text } of await app.sql.rows<{ text: string }>(`select t::text as text from ${name} t`))
      if (traces.test(text)) rows.push(`${name}: ${text}`);
  return rows;
}

test('all that is kept about a person is given to the person and to admins, and to nobody else', async () => {
  const ask = (tokens: object) => app.graphql(`{ exportUser(id: "${zelda.id}") }`, {}, tokens);
  const [own, forAdmin, forAna] = [await ask(zelda), await ask(admin), await ask(ana)];
  const { changed, ...records } = own.exportUser;
  expect(Object.keys(records).sort()).toEqual([
    'AuditEntry',
    'Biography',
    'EventRegistration',
    'Favorite',
    'Game',
    'Invoice',
    'Notification',
    'OneTimeValue',
    'ProviderRequest',
    'ProviderResponse',
    'Reaction',
    'Registration',
    'Team',
    'TeamInvitation',
    'User',
    'UserImage',
    'UserToken',
  ]);
  expect(records.User).toMatchObject([
    { id: zelda.id, email: personal.email, dateOfBirth: '1990-01-02T00:00:00Z', roleIds: [expect.any(String)] },
  ]);
  expect(changed).toMatchObject({ Tournament: ['hers'], NewsItem: ['news'] });
  expect(JSON.stringify(own)).not.toMatch(/argon2|Hash|tom@a\.example/);
  expect(Object.keys(forAdmin.exportUser)).toEqual(Object.keys(own.exportUser));
  expect(forAna.errors).toEqual([expect.stringMatching(/^FORBIDDEN/)]);
});

test('nobody erases another person, or themselves with a wrong password', async () => {
  const erase = (tokens: object, more = '') => app.graphql(`mutation { eraseUser(id: "${zelda.id}"${more}) { id } }`, {}, tokens);
  expect([await erase(ana), await erase(zelda), await erase(zelda, ', password: "wrong"'), await erase(app.platform)]).toEqual([
    { errors: [expect.stringMatching(/^FORBIDDEN/)] },
    { errors: ['INVALID_CREDENTIALS: password: expected the password of the account'] },
    { errors: ['INVALID_CREDENTIALS: password: expected the password of the account'] },
    { errors: [expect.stringMatching(/^FORBIDDEN/)] },
  ]);
});

test('an admin who is none of the super admins erases no super admin', async () => {
  const boss = await app.person({ isSuperAdmin: true });
  const answer = await app.graphql(`mutation { eraseUser(id: "${boss.id}") { id } }`, {}, admin);
  expect(answer.errors).toEqual(['FORBIDDEN: a super admin is erased by super admins only']);
});

test('an erased person is found in no table, and what others need stays', async () => {
  expect((await found()).length).toBeGreaterThan(15);
  const erased = await app.graphql(
    `mutation { eraseUser(id: "${zelda.id}", password: "${password}") { id firstName lastName email city slug imageUrl } }`,
    {},
    zelda,
  );
  const nothing = { email: null, city: null, slug: null, imageUrl: null };
  expect(erased).toEqual({ eraseUser: { id: zelda.id, firstName: 'Deleted', lastName: 'user', ...nothing } });
  expect(await found()).toEqual([]);
  const stays = await app.graphql(
    `{ team(id: "${teamId}") { playerOne { id firstName lastName } } invoice(id: "${invoiceId}") { total paid user { id } } tournament(id: "hers") { title createdBy } }`,
  );
  expect(stays).toEqual({
    team: { playerOne: { id: zelda.id, firstName: 'Deleted', lastName: 'user' } },
    invoice: { total: '50', paid: '50', user: { id: zelda.id } },
    tournament: { title: 'Hyrule Open', createdBy: 'Deleted user' },
  });
});

test('others keep what is theirs, and the tokens are dead', async () => {
  const rows = await app.sql.rows('select invited_emails as emails from game where owner_id = $1', [ana.id]);
  const [told] = await app.sql.rows('select content from notification where user_id = $1 and event <> $2 order by created_at', [
    ana.id,
    '',
  ]);
  const { viewer } = await app.graphql('{ viewer { firstName } }', {}, ana);
  expect([rows, viewer, told]).toEqual([
    [{ emails: ['tom@a.example'] }],
    { firstName: 'Ana' },
    { content: expect.stringMatching(/^Deleted user has entered/) },
  ]);
  expect((await app.graphql('{ viewer { id } }', {}, zelda)).errors).toEqual([expect.stringMatching(/^UNAUTHENTICATED/)]);
});

test('the audit has who asked for it, who erased, and no name', async () => {
  const { auditEntries } = await app.graphql(
    `{ auditEntries(filter: { recordKey: { eq: "${zelda.id}" }, action: { in: [EXPORTED, ERASED] } }, orderBy: [{ field: CREATED_AT }]) { nodes { action user { id } } } }`,
    {},
    admin,
  );
  expect(auditEntries.nodes).toEqual([
    { action: 'EXPORTED', user: { id: zelda.id } },
    { action: 'EXPORTED', user: { id: admin.id } },
    { action: 'ERASED', user: { id: zelda.id } },
  ]);
});
