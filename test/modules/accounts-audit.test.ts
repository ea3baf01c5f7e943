import { afterAll, beforeAll, expect, test } from 'vitest';
import { forgetAudit } from '../../src/modules/accounts/audit-sql.js';
import { hashPassword } from '../../src/modules/accounts/password.js';
import { type Person, startApp, type TestApp } from '../support/app.js';

let app: TestApp;
let ana: Person;
let admin: Person;
beforeAll(async () => {
  app = await startApp();
  [ana, admin] = [await app.person({ email: 'ana@example.com' }), await app.person({ isSuperAdmin: true })];
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

test('admins read who gave whom which role, and from where', async () => {
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

test('nobody else reads them', async () => {
  const read = (tokens: object) => app.graphql('{ auditEntries { totalCount } }', {}, tokens);
  const refused = { errors: [expect.stringMatching(/^FORBIDDEN: only for: permission ADMIN$/)] };
  expect([await read(ana), await read(app.platform)]).toEqual([refused, refused]);
});

test('what is told of money are amounts, and of a new password nothing but that', async () => {
  await app.sql.rows('update app_user set password_hash = $2 where id = $1', [ana.id, await hashPassword('the old password')]);
  await app.graphql('mutation { createPayment(input: { id: "p1", amount: "12.50", memo: "of Ana" }) { id } }');
  await app.graphql(
    'mutation { changePassword(oldPassword: "the old password", newPassword: "another password") { token } }',
    {},
    { user: ana.user },
  );
  const told = await app.sql.rows<{ row: string }>('select e::text as row from audit_entry e');
  const paid = await entries('recordKey: { eq: "p1" }', 'action changes { field before after }');
  expect([paid, told.some(({ row }) => /argon2|of Ana|password"|example\.com/.test(row))]).toEqual([
    [
      {
        action: 'CREATED',
        changes: [
          { field: 'amount', before: null, after: '12.5' },
          { field: 'isRefund', before: null, after: false },
          { field: 'isReversed', before: null, after: false },
        ],
      },
    ],
    false,
  ]);
  expect(await entries(`recordKey: { eq: "${ana.id}" }, userId: { eq: "${ana.id}" }`, 'fields')).toEqual([
    { fields: ['passwordHash'] },
  ]);
});

test('sign-on that is locked is told once', async () => {
  const wrong = 'mutation { login(input: { email: "ana@example.com", password: "wrong" }) { token } }';
  for (let tries = 0; tries < 12; tries++) await app.graphql(wrong);
  expect(await entries('action: { eq: LOCKED }', 'recordType recordKey platform { id }')).toEqual([
    { recordType: 'User', recordKey: ana.id, platform: { id: 'test-platform' } },
  ]);
});

test('a write that fails leaves no entry, and one behind it has its actor', async () => {
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

test('every day what is older than AUDIT_DAYS goes', async () => {
  const add = (days: number) =>
    app.sql.rows(
      `insert into audit_entry (id, created_at, record_type, record_key, action, source)
       values ($1, now() - make_interval(days => $2), 'Old', $1, 'CREATED', 'SERVICE')`,
      [`old-${days}`, days],
    );
  await Promise.all([add(364), add(366)]);
  await forgetAudit(app.sql, app.resources.services);
  expect(await entries('recordType: { eq: "Old" }', 'id')).toEqual([{ id: 'old-364' }]);
});
