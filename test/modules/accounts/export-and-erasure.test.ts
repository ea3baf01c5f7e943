import { buildSchema, isObjectType } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { emitSchemas } from '../../../src/commands/emit.js';
import { entriesOf } from '../../support/fixtures/event-registrations.js';
import { passwordHash } from '../../support/fixtures/passwords.js';
import { instantAt } from '../../support/fixtures/tournaments.js';
import { type Person, startApp, type TestApp } from '../../support/servers/app.js';

let app: TestApp;
let zelda: Person;
let admin: Person;
let ana: Person;
const password = 'of Hyrule, long';
const personal = { email: 'zelda@hyrule.example', firstName: 'Zelda', lastName: 'Quixote', phone: '(512) 555-0123' };
beforeAll(async () => {
  app = await startApp();
  zelda = await app.person({ ...personal, roles: ['ADMIN'] });
  admin = await app.person({ roles: ['ADMIN'] });
  ana = await app.person({ firstName: 'Ana' });
  await app.sql.rows(
    `update app_user set password_hash = $2, country_id = 'US', date_of_birth = '1990-01-02', city = 'Castle Town', slug = 'zelda-quixote', image_url = 'https://a.example/zelda.png' where id = $1`,
    [zelda.id, await passwordHash(password)],
  );
  await createTraces();
}, 30_000);
afterAll(() => app.close());

const { open, register, withdraw, checkout, entry, save } = entriesOf(() => app);
let invoiceId = '';
let teamId = '';

type Answer = Awaited<ReturnType<TestApp['graphql']>>;

async function mutate(caller: object, ...mutations: string[]): Promise<void> {
  for (const text of mutations) {
    const answer = await app.graphql(`mutation { done: ${text} }`, {}, caller);
    expect(answer.errors, text).toBe(undefined);
  }
}

/**
 * Creates records of every kind that contains personal data of Zelda. Zelda creates some of the records, and other users create the other
 * records.
 */
async function createTraces(): Promise<void> {
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
  await register({ eventId: await open(), partnerEmail: 'link@hyrule.example' }, zelda);
  teamId = (await app.sql.row<{ id: string }>('select id from team where event_id = $1', [eventId]))?.id ?? '';
  await register({ eventId: await open(), partnerEmail: personal.email }, ana);
  const withdrawnEventId = await open();
  await register({ eventId: withdrawnEventId, partnerId: ana.id }, zelda);
  await withdraw((await entry(withdrawnEventId, zelda))?.id ?? '', zelda);
  await mutate(
    zelda,
    `scheduleGame(input: { title: "A game of Zelda Quixote", startsAt: "${instantAt(5)}", invitedIds: ["${ana.id}"], invitedEmails: ["link@hyrule.example"] }) { id }`,
    'createTournament(input: { id: "hers", title: "Hyrule Open" }) { id }',
    `createUserImage(userId: "${zelda.id}", input: { type: PROFILE, url: "https://a.example/zelda.png" }) { id }`,
    `createBiography(userId: "${zelda.id}", input: { text: "Zelda Quixote of Hyrule." }) { id }`,
    `addFavorite(userId: "${zelda.id}", kind: TOURNAMENT, subjectId: "${own?.tournament}") { id }`,
    'createNewsItem(input: { id: "news", title: "Open", authorName: "Zelda Quixote" }) { id }',
    `react(userId: "${zelda.id}", newsItemId: "news", kind: LIKE) { id }`,
    `updateProfile(input: { zip: "78701" }) { id }`,
  );
  await mutate(
    ana,
    `scheduleGame(input: { startsAt: "${instantAt(5)}", invitedEmails: ["zelda@hyrule.example", "tom@a.example"] }) { id }`,
  );
  await mutate(app.platform, `requestPasswordReset(email: "${personal.email}") { channel }`);
  await mutate(app.platform, `requestPasswordReset(email: "${personal.email}", channel: SMS) { channel }`);
  await mutate(app.platform, `login(input: { email: "${personal.email}", password: "${password}" }) { token }`);
}

const traces = /zelda|quixote|hyrule\.example.{0,3}zelda|512\D{0,3}555\D?0123|castle town|(?<!:\d\d\.)\b78701\b|1990-01-02/i;

/** Returns all rows with personal data of Zelda, each with the name of its table. */
async function rowsAboutZelda(): Promise<string[]> {
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

describe('the export of a person', () => {
  let ownExport: Answer;
  let exportForAdmin: Answer;
  let exportForAna: Answer;
  beforeAll(async () => {
    const request = (tokens: object) => app.graphql(`{ exportUser(id: "${zelda.id}") }`, {}, tokens);
    ownExport = await request(zelda);
    exportForAdmin = await request(admin);
    exportForAna = await request(ana);
  });

  test('contains their records, by type', () => {
    const { changed, ...records } = ownExport.exportUser;
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
  });

  test('contains the ids of other records that they changed', () => {
    expect(ownExport.exportUser.changed).toMatchObject({ Tournament: ['hers'], NewsItem: ['news'] });
  });

  test('contains no hashes and no addresses of other people', () => {
    expect(JSON.stringify(ownExport)).not.toMatch(/argon2|Hash|tom@a\.example/);
  });

  test('is available to admins, and forbidden to other users', () => {
    expect(Object.keys(exportForAdmin.exportUser)).toEqual(Object.keys(ownExport.exportUser));
    expect(exportForAna.errors).toEqual([expect.stringMatching(/^FORBIDDEN/)]);
  });
});

test('other users, platforms, and the person without their password cannot erase a person', async () => {
  const erase = (tokens: object, more = '') =>
    app.graphql(`mutation { eraseUser(id: "${zelda.id}"${more}) { user { id } } }`, {}, tokens);
  const forbidden = { errors: [expect.stringMatching(/^FORBIDDEN/)] };
  const passwordNeeded = { errors: ['INVALID_CREDENTIALS: password: expected the password of the account'] };
  expect({
    asAnotherUser: await erase(ana),
    withoutPassword: await erase(zelda),
    withWrongPassword: await erase(zelda, ', password: "wrong"'),
    asPlatform: await erase(app.platform),
  }).toEqual({
    asAnotherUser: forbidden,
    withoutPassword: passwordNeeded,
    withWrongPassword: passwordNeeded,
    asPlatform: {
      errors: [
        'UNAUTHENTICATED: Authentication required: send a user token with the role ADMIN (header PB-USER-TOKEN), or a user token of the user in `id` (header PB-USER-TOKEN)',
      ],
    },
  });
});

test('an admin without super admin rights cannot erase a super admin', async () => {
  const superAdmin = await app.person({ isSuperAdmin: true });
  const answer = await app.graphql(`mutation { eraseUser(id: "${superAdmin.id}") { user { id } } }`, {}, admin);
  expect(answer.errors).toEqual(['FORBIDDEN: only super admins can erase a super admin']);
});

const schema = buildSchema(emitSchemas().get('schema.graphql') ?? '');

const tablesOfDeletedIds = {
  deletedUserImageIds: 'user_image',
  deletedBiographyIds: 'biography',
  deletedApprovalIds: 'approval',
  deletedApprovalCommentIds: 'approval_comment',
  deletedFavoriteIds: 'favorite',
  deletedReactionIds: 'reaction',
  deletedNotificationIds: 'notification',
  deletedCalendarLinkIds: 'calendar_link',
  deletedUserTokenIds: 'user_token',
};

const isOnItemOfZelda =
  'item_id in (select id from user_image where user_id = $1 union select id from biography where user_id = $1)';

/** Returns the IDs of the rows of a table that are deleted when Zelda's data is erased. */
const idsOf = async (table: string): Promise<string[]> => {
  const conditions: Record<string, string> = {
    approval: isOnItemOfZelda,
    approval_comment: `author_id = $1 or ${isOnItemOfZelda}`,
  };
  const rows = await app.sql.rows<{ id: string }>(`select id from ${table} where ${conditions[table] ?? 'user_id = $1'}`, [
    zelda.id,
  ]);
  return rows.map(({ id }) => id).toSorted();
};

/** Approves the image and the biography of Zelda, and comments on them. Also comments on an item of Ana. */
async function reviewItems(): Promise<void> {
  const [imageId, biographyId] = [(await idsOf('user_image'))[0], (await idsOf('biography'))[0]];
  await mutate(
    app.platform,
    `createUserImage(userId: "${ana.id}", input: { id: "image-of-ana", type: PROFILE, url: "https://a.example/ana.png" }) { id }`,
    `approveItem(id: "${imageId}", type: USER_IMAGE) { id }`,
    `approveItem(id: "${biographyId}", type: BIOGRAPHY) { id }`,
    'approveItem(id: "image-of-ana", type: USER_IMAGE) { id }',
    `createApprovalComment(itemId: "${imageId}", content: "Sharp.") { id }`,
    `createApprovalComment(itemId: "${biographyId}", content: "Short.") { id }`,
    'createApprovalComment(itemId: "image-of-ana", content: "Dark.") { id }',
  );
  await mutate(zelda, `createApprovalComment(itemId: "${imageId}", content: "Mine.") { id }`);
}

describe('after a person is erased', () => {
  let rowsBefore: string[];
  let idsBefore: Record<string, string[]>;
  let erased: Answer;
  const deletedIds = Object.keys(tablesOfDeletedIds).join(' ');
  beforeAll(async () => {
    await app.graphql(`mutation { createCalendarLink { url } }`, {}, zelda);
    await reviewItems();
    rowsBefore = await rowsAboutZelda();
    const ids = Object.entries(tablesOfDeletedIds).map(async ([field, table]) => [field, await idsOf(table)] as const);
    idsBefore = Object.fromEntries(await Promise.all(ids));
    erased = await app.graphql(
      `mutation { eraseUser(id: "${zelda.id}", password: "${password}") { user { id firstName lastName email city slug imageUrl } ${deletedIds} } }`,
      {},
      zelda,
    );
  });

  test('their user has a placeholder name and no other personal data', () => {
    const erasedValues = { email: null, city: null, slug: `~${zelda.id}`, imageUrl: null };
    const user = { id: zelda.id, firstName: 'Deleted', lastName: 'user', ...erasedValues };
    expect(erased).toMatchObject({ eraseUser: { user } });
  });

  test('platforms and admins see the time of the erasure, and find erased users', async () => {
    const read = async (tokens: object) => {
      const { user, errors } = await app.graphql('query ($id: ID!) { user(id: $id) { erasedAt } }', { id: zelda.id }, tokens);
      const list = await app.graphql('{ users(filter: { erasedAt: { isNull: false } }) { nodes { id } } }', {}, tokens);
      return { erasedAt: user?.erasedAt ?? errors ?? null, list: list.users?.nodes ?? list.errors };
    };
    const visible = { erasedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/), list: [{ id: zelda.id }] };
    expect({
      platform: await read(app.platform),
      admin: await read({ user: admin.user }),
      player: await read({ user: ana.user }),
      others: (await app.graphql('query ($id: ID!) { user(id: $id) { erasedAt } }', { id: ana.id })).user,
    }).toEqual({
      platform: visible,
      admin: visible,
      player: { erasedAt: null, list: [expect.stringMatching(/^FORBIDDEN: filter\.erasedAt/)] },
      others: { erasedAt: null },
    });
  });

  test('the result has the IDs of all deleted records that clients can read', async () => {
    const deleted = Object.keys(tablesOfDeletedIds).map((field) => [field, erased.eraseUser[field].toSorted()]);
    const payload = schema.getType('EraseUserPayload');
    const fields = isObjectType(payload) ? Object.keys(payload.getFields()) : [];
    expect({ ids: Object.fromEntries(deleted), fields: fields.toSorted() }).toEqual({
      ids: idsBefore,
      fields: [...Object.keys(tablesOfDeletedIds), 'user'].toSorted(),
    });
    expect(Object.values(idsBefore).filter((ids) => ids.length === 0)).toEqual([]);
  });

  test('approvals and comments of deleted items are deleted, and those of other items remain', async () => {
    const itemsOf = (table: string) => app.sql.rows(`select item_id as item from ${table}`);
    expect({ approvals: await itemsOf('approval'), comments: await itemsOf('approval_comment') }).toEqual({
      approvals: [{ item: 'image-of-ana' }],
      comments: [{ item: 'image-of-ana' }],
    });
  });

  test('the type User has no fields for the result of the erasure', () => {
    const user = schema.getType('User');
    const fields = isObjectType(user) ? Object.keys(user.getFields()) : [];
    expect(fields.filter((field) => field.startsWith('deleted'))).toEqual([]);
  });

  test('no table contains their personal data', async () => {
    expect(rowsBefore.length).toBeGreaterThan(15);
    expect(await rowsAboutZelda()).toEqual([]);
  });

  test('their teams, invoices and tournaments stay, under the placeholder name', async () => {
    const records = await app.graphql(
      `{ team(id: "${teamId}") { playerOne { id firstName lastName } } invoice(id: "${invoiceId}") { total paid user { id } } tournament(id: "hers") { title createdBy } }`,
    );
    expect(records).toEqual({
      team: { playerOne: { id: zelda.id, firstName: 'Deleted', lastName: 'user' } },
      invoice: { total: '50', paid: '50', user: { id: zelda.id } },
      tournament: { title: 'Hyrule Open', createdBy: 'Deleted user' },
    });
  });

  test('another user keeps their games, name and notifications', async () => {
    const games = await app.sql.rows('select invited_emails as emails from game where owner_id = $1', [ana.id]);
    const { viewer } = await app.graphql('{ viewer { firstName } }', {}, ana);
    const [notification] = await app.sql.rows(
      'select content from notification where user_id = $1 and event <> $2 order by created_at',
      [ana.id, ''],
    );
    expect({ games, viewer, notification }).toEqual({
      games: [{ emails: ['tom@a.example'] }],
      viewer: { firstName: 'Ana' },
      notification: { content: expect.stringMatching(/^Deleted user has entered/) },
    });
  });

  test('their tokens are rejected', async () => {
    expect((await app.graphql('{ viewer { id } }', {}, zelda)).errors).toEqual([expect.stringMatching(/^UNAUTHENTICATED/)]);
  });

  test('the audit trail has the actors of the exports and of the erasure', async () => {
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
});
