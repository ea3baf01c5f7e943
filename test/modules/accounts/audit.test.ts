import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { deleteOldAuditEntries } from '../../../src/modules/accounts/audit/audit-sql.js';
import { passwordHash } from '../../support/fixtures/passwords.js';
import { type Person, startApp, type TestApp } from '../../support/servers/app.js';

let app: TestApp;
let ana: Person;
let admin: Person;
beforeAll(async () => {
  app = await startApp();
  ana = await app.person({ email: 'ana@example.com' });
  admin = await app.person({ isSuperAdmin: true });
});
afterAll(() => app.close());

const entries = async (filter: string, fields: string, tokens: object = admin) =>
  (
    await app.graphql(
      `{ auditEntries(filter: { ${filter} }, orderBy: [{ field: CREATED_AT }]) { nodes { ${fields} } } }`,
      {},
      tokens,
    )
  ).auditEntries?.nodes;

test('a role grant is audited with its actor, target, values and network address', async () => {
  await app.graphql(`mutation { grantRole(userId: "${ana.id}", roleId: "3") { id } }`, {}, admin);
  const fields = 'action fields changes { field before after } source user { id } platform { id } key { id } address';
  expect(await entries(`recordKey: { eq: "${ana.id}" }, source: { eq: REQUEST }`, fields)).toEqual([
    {
      action: 'CHANGED',
      fields: ['roleIds'],
      changes: [{ field: 'roleIds', before: [], after: ['3'] }],
      source: 'REQUEST',
      user: { id: admin.id },
      platform: null,
      key: null,
      address: '127.0.0.1',
    },
  ]);
});

test('rows of one insert are audited one by one, with the values that it sets', async () => {
  await app.sql.rows(
    `insert into app_user (id, role_ids, verified_at) values ('many-1', '{3}', null), ('many-2', '{}', '2026-01-02T03:04:05Z')`,
  );
  expect(
    await entries('recordKey: { in: ["many-1", "many-2"] }', 'recordKey action fields source changes { field before after }'),
  ).toEqual([
    {
      recordKey: 'many-1',
      action: 'CREATED',
      fields: [],
      source: 'SERVICE',
      changes: [
        { field: 'roleIds', before: null, after: ['3'] },
        { field: 'isSuperAdmin', before: null, after: false },
      ],
    },
    {
      recordKey: 'many-2',
      action: 'CREATED',
      fields: [],
      source: 'SERVICE',
      changes: [
        { field: 'roleIds', before: null, after: [] },
        { field: 'isSuperAdmin', before: null, after: false },
        { field: 'verifiedAt', before: null, after: '2026-01-02T03:04:05+00:00' },
      ],
    },
  ]);
});

test('entries are filtered by the name of the user', async () => {
  const robin = await app.person({ firstName: 'Robin', lastName: 'Zielinski', isSuperAdmin: true });
  await app.graphql(`mutation { grantRole(userId: "${ana.id}", roleId: "4") { id } }`, {}, robin);
  expect(await entries('user: { search: "zielinski" }, recordType: { eq: "User" }', 'recordKey fields user { id }')).toEqual([
    { recordKey: ana.id, fields: ['roleIds'], user: { id: robin.id } },
  ]);
});

test('users and platforms cannot read audit entries', async () => {
  const read = (tokens: object) => app.graphql('{ auditEntries { totalCount } }', {}, tokens);
  expect({ asUser: await read(ana), asPlatform: await read(app.platform) }).toEqual({
    asUser: { errors: ['FORBIDDEN: Not allowed: requires a user token with the role ADMIN'] },
    asPlatform: {
      errors: ['UNAUTHENTICATED: Authentication required: send a user token with the role ADMIN (header PB-USER-TOKEN)'],
    },
  });
});

describe('after a payment and a password change', () => {
  beforeAll(async () => {
    await app.sql.rows('update app_user set password_hash = $2 where id = $1', [ana.id, await passwordHash('the old password')]);
    await app.graphql('mutation { createPayment(input: { id: "p1", amount: "12.50", memo: "of Ana" }) { id } }');
    await app.graphql(
      'mutation { changePassword(oldPassword: "the old password", newPassword: "another password") { token } }',
      {},
      { user: ana.user },
    );
  });

  test('the entry of the payment contains only its amount and flags', async () => {
    expect(await entries('recordKey: { eq: "p1" }', 'action changes { field before after }')).toEqual([
      {
        action: 'CREATED',
        changes: [
          { field: 'amount', before: null, after: '12.5' },
          { field: 'isRefund', before: null, after: false },
          { field: 'isReversed', before: null, after: false },
        ],
      },
    ]);
  });

  test('the entry of the password change names only the changed field', async () => {
    expect(await entries(`recordKey: { eq: "${ana.id}" }, userId: { eq: "${ana.id}" }`, 'fields')).toEqual([
      { fields: ['passwordHash'] },
    ]);
  });

  test('no entry contains a hash, a password, a memo or an e-mail address', async () => {
    const rows = await app.sql.rows<{ text: string }>('select e::text as text from audit_entry e');
    expect(rows.filter(({ text }) => /argon2|of Ana|password"|example\.com/.test(text))).toEqual([]);
  });
});

test('the lock of an account is audited once', async () => {
  const wrongLogin = 'mutation { login(input: { email: "ana@example.com", password: "wrong" }) { token } }';
  for (let attempt = 0; attempt < 12; attempt++) await app.graphql(wrongLogin);
  expect(await entries('action: { eq: LOCKED }', 'recordType recordKey platform { id }')).toEqual([
    { recordType: 'User', recordKey: ana.id, platform: { id: 'test-platform' } },
  ]);
});

test('a failed write leaves no entry, and the next write of the same request has its actor', async () => {
  await app.graphql('mutation { a: createPlatform(input: { title: "Twice" }) { token } }', {}, admin);
  await app.graphql(
    'mutation { a: createPlatform(input: { title: "Twice" }) { token } b: createPlatform(input: { title: "Once" }) { token } }',
    {},
    admin,
  );
  expect(await entries('recordType: { eq: "Platform" }, source: { eq: REQUEST }', 'action user { id }')).toEqual([
    { action: 'CREATED', user: { id: admin.id } },
    { action: 'CREATED', user: { id: admin.id } },
  ]);
});

test('the daily cleanup deletes entries older than AUDIT_DAYS', async () => {
  const add = (days: number) =>
    app.sql.rows(
      `insert into audit_entry (id, created_at, record_type, record_key, action, source)
       values ($1, now() - make_interval(days => $2), 'Old', $1, 'CREATED', 'SERVICE')`,
      [`old-${days}`, days],
    );
  await Promise.all([add(364), add(366)]);
  await deleteOldAuditEntries(app.sql, app.resources.services);
  expect(await entries('recordType: { eq: "Old" }', 'id')).toEqual([{ id: 'old-364' }]);
});
