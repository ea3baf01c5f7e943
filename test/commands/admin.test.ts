import { afterAll, beforeAll, expect, test } from 'vitest';
import { runAdmin } from '../../src/commands/admin.js';
import { UsageError } from '../../src/process/command.js';
import { startApp, type TestApp } from '../support/servers/app.js';
import { emptyDatabase } from '../support/servers/test-database.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

/** Runs a command. Returns its exit code, output and error messages. */
async function run(
  args: string[],
  { url = app.databaseUrl, password = '' } = {},
): Promise<{ code: number; out: string; problems: string }> {
  const [out, problems]: [string[], string[]] = [[], []];
  const readPassword = async () => password;
  const code = await runAdmin([...args, '--database-url', url], (line) => out.push(line), readPassword).catch((error: Error) => {
    problems.push(error.message);
    return error instanceof UsageError ? 2 : 1;
  });
  return { code, out: out.join('\n'), problems: problems.join('\n') };
}

/** Returns the value of a field in the output of a command. */
const fieldOf = (out: string, name: string) => new RegExp(`^${name} +(\\S+)$`, 'm').exec(out)?.[1] ?? '';
/** Whether the service accepts a platform token or publishable key. */
const isAccepted = async (token: string) =>
  !('errors' in (await app.graphql('{ tournaments { totalCount } }', {}, { platform: token })));

test('the token of a created platform is accepted until the platform is revoked', async () => {
  const { code, out } = await run(['platform', 'create', 'First steps']);
  const token = fieldOf(out, 'token');
  expect({ code, isAccepted: await isAccepted(token) }).toEqual({ code: 0, isAccepted: true });
  const list = await run(['platform', 'list']);
  expect(list.out).toMatch(/^\S+ {2}enabled {2}First steps$/m);
  expect(list.out).not.toContain(token);
  const revoked = await run(['platform', 'revoke', 'First steps']);
  expect(revoked.code).toBe(0);
  await expect.poll(() => isAccepted(token)).toBe(false);
});

test('after a renewal with --hours, the new and the previous platform token are accepted', async () => {
  const created = fieldOf((await run(['platform', 'create', 'Renewed'])).out, 'token');
  const { code, out } = await run(['platform', 'renew-token', 'Renewed', '--hours', '2']);
  const renewed = fieldOf(out, 'token');
  expect({
    code,
    created: await isAccepted(created),
    renewed: await isAccepted(renewed),
    invalidHours: await run(['platform', 'renew-token', 'Renewed', '--hours', 'two']),
    tooManyHours: await run(['platform', 'renew-token', 'Renewed', '--hours', '721']),
  }).toEqual({
    code: 0,
    created: true,
    renewed: true,
    invalidHours: { code: 2, out: '', problems: '--hours: expected a whole number from 0 to 720, but got two.' },
    tooManyHours: { code: 2, out: '', problems: '--hours: expected a whole number from 0 to 720, but got 721.' },
  });
});

test('a created publishable key is accepted until it is revoked', async () => {
  const { code, out } = await run(['key', 'create', 'test-platform', '--label', 'Site', '--origin', 'https://a.example']);
  const id = fieldOf(out, 'id');
  const key = fieldOf(out, 'key');
  expect({ code, isAccepted: await isAccepted(key) }).toEqual({ code: 0, isAccepted: true });
  const list = await run(['key', 'list']);
  expect(list.out).toMatch(new RegExp(`^${id} {2}enabled {2}pk_.{4}… {2}Test Platform {2}Site$`, 'm'));
  const revoked = await run(['key', 'revoke', id]);
  expect(revoked.code).toBe(0);
  await expect.poll(() => isAccepted(key)).toBe(false);
});

test('granted and revoked roles are stored, with an audit entry for each command', async () => {
  const { id } = await app.person({ email: 'ana@example.com' });
  const roleIds = async () => (await app.sql.row('select role_ids as ids from app_user where id = $1', [id]))?.ids;
  const granted = await run(['user', 'grant-role', 'Ana@Example.com', 'news_creator']);
  expect({ granted, roleIds: await roleIds() }).toEqual({
    granted: { code: 0, out: 'The user Ana@Example.com has the role NEWS_CREATOR.', problems: '' },
    roleIds: [expect.any(String)],
  });
  const revoked = await run(['user', 'revoke-role', id, 'NEWS_CREATOR']);
  expect({ revoked, roleIds: await roleIds() }).toEqual({
    revoked: { code: 0, out: `The user ${id} no longer has the role NEWS_CREATOR.`, problems: '' },
    roleIds: [],
  });
  const entries = await app.sql.rows(`select action from audit_entry where record_key = $1 and source = 'COMMAND'`, [id]);
  expect(entries).toEqual([{ action: 'CHANGED' }, { action: 'CHANGED' }]);
});

const password = 'correct horse battery';
const signIn = (email: string) =>
  app.graphql(`mutation { login(input: { email: "${email}", password: "${password}" }) { token } }`);

test('a created super admin can sign in and has all roles, and the creation has an audit entry', async () => {
  const { code, out } = await run(['user', 'create', 'First@Example.com', '--super-admin', '--first-name', 'Ana'], { password });
  const id = fieldOf(out, 'id');
  const query = 'select first_name, is_super_admin, role_ids = array(select id from role order by position) as has_all_roles';
  expect({
    code,
    hasPassword: out.includes(password),
    login: await signIn('first@example.com'),
    user: await app.sql.row(`${query} from app_user where id = $1`, [id]),
    audit: await app.sql.rows(`select action, source from audit_entry where record_key = $1 and record_type = 'User'`, [id]),
  }).toEqual({
    code: 0,
    hasPassword: false,
    login: { login: { token: expect.any(String) } },
    user: { first_name: 'Ana', is_super_admin: true, has_all_roles: true },
    audit: [{ action: 'CREATED', source: 'COMMAND' }],
  });
});

test('a user who is created with a link gets an email, and has a role but no password', async () => {
  const { code, out } = await run(['user', 'create', 'link@example.com', '--role', 'news_creator', '--email-link']);
  const query = `select password_hash, verified_at, (select title from role where id = any(role_ids)) as role from app_user`;
  expect({
    code,
    user: await app.sql.row(`${query} where id = $1`, [fieldOf(out, 'id')]),
    mails: await app.sql.rows(`select data->>'to' as to from jobs.job where data->>'to' = 'link@example.com'`),
  }).toEqual({
    code: 0,
    user: { password_hash: null, verified_at: null, role: 'NEWS_CREATOR' },
    mails: [{ to: 'link@example.com' }],
  });
});

test.each([
  ['an invalid address', ['nobody'], password, /^email: .*e-mail address/],
  ['a short password', ['short@example.com'], 'short', /^password: .*8 to 200 characters/],
  ['a weak password', ['weak@example.com'], 'weak@example.com', /^password: .*harder to guess/],
  ['an unknown role', ['role@example.com', '--role', 'KING'], password, /^no role with the id or title KING$/],
  ['an unknown role of a super admin', ['role@example.com', '--super-admin', '--role', 'KING'], password, /^no role .* KING$/],
  ['an address that is in use', ['FIRST@example.com'], password, /^another user has the same email$/],
])('a user with %s is not created', async (_, args, password, problems) => {
  const result = await run(['user', 'create', ...args], { password });
  expect(result).toEqual({ code: 1, out: '', problems: expect.stringMatching(problems) });
});

test('a user whose address was set by a platform gets a role only if --email names that address', async () => {
  const { id } = await app.person({ email: 'before@example.com' });
  await app.graphql(`mutation { upsertUser(input: { id: "${id}", email: "after@example.com" }) { id } }`);
  const grant = ['user', 'grant-role', id, 'ADMIN'];
  expect({ without: await run(grant), confirmed: await run([...grant, '--email', 'after@example.com']) }).toEqual({
    without: { code: 1, out: '', problems: expect.stringMatching(/^email: the user has not confirmed the e-mail address/) },
    confirmed: { code: 0, out: `The user ${id} has the role ADMIN.`, problems: '' },
  });
});

test.each<[string[], number, RegExp]>([
  [[], 2, /^Missing action\.$/],
  [['platform', 'create'], 2, /^platform create: expected 1 argument, but got 0\.$/],
  [['platform', 'list', '--nonsense'], 2, /^Unknown option '--nonsense'/],
  [['platform', 'create', 'Test Platform'], 1, /^another platform has the same title$/],
  [['platform', 'revoke', 'nobody'], 1, /^no platform with the id or title nobody$/],
  [['key', 'create', 'test-platform', '--origin', 'not an origin'], 1, /allowedOrigins/],
  [['key', 'revoke', 'nothing'], 1, /^no publishable key with the id nothing$/],
  [['user', 'grant-role', 'nobody@example.com', 'ADMIN'], 1, /^no user/],
])('%j exits with code %i', async (args, code, problems) => {
  expect(await run(args)).toEqual({ code, out: '', problems: expect.stringMatching(problems) });
});

test.each([[['platform', 'list']], [['user', 'create', 'new@example.com', '--email-link']]])(
  '%j reports a database without migrations',
  async (args) => {
    const empty = await emptyDatabase();
    const result = await run(args, { url: empty.url });
    await empty.drop();
    expect(result).toEqual({ code: 1, out: '', problems: 'The database is not ready: the database has no migrations.' });
  },
);

test('a database failure is reported with its cause and SQLSTATE', async () => {
  await app.sql.rows(`create function disk_is_full() returns trigger language plpgsql as
    $$ begin raise exception 'no space left on device' using errcode = '53100'; end $$`);
  await app.sql.rows('create trigger disk_is_full before insert on platform execute function disk_is_full()');
  const failed = await run(['platform', 'create', 'Too late']);
  await app.sql.rows('drop function disk_is_full cascade');
  expect(failed).toEqual({
    code: 1,
    out: '',
    problems: expect.stringMatching(/^The disk of PostgreSQL at \S+ is full \(SQLSTATE 53100\): free up space on the disk, /),
  });
});
