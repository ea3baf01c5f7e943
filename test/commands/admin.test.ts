import { afterAll, beforeAll, expect, test } from 'vitest';
import { runAdmin } from '../../src/commands/admin.js';
import { startApp, type TestApp } from '../support/app.js';
import { emptyDatabase } from '../support/database.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

/** What a command says, and its exit code. */
async function run(args: string[], url = app.databaseUrl): Promise<{ code: number; out: string; problems: string }> {
  const [out, problems]: [string[], string[]] = [[], []];
  const code = await runAdmin(
    [...args, '--database-url', url],
    (line) => out.push(line),
    (line) => problems.push(line),
  );
  return { code, out: out.join('\n'), problems: problems.join('\n') };
}

const word = (text: string, name: string) => new RegExp(`^${name} +(\\S+)$`, 'm').exec(text)?.[1] ?? '';
const opens = async (token: string) =>
  !('errors' in (await app.graphql('{ tournaments { totalCount } }', {}, { platform: token })));

test('a platform is made with a token that opens the service, until it is revoked', async () => {
  const { code, out } = await run(['platform', 'create', 'First steps']);
  const token = word(out, 'token');
  const list = await run(['platform', 'list']);
  const before = await opens(token);
  const revoked = await run(['platform', 'revoke', 'First steps']);
  await expect.poll(() => opens(token)).toBe(false);
  expect([code, before, revoked.code, list.out.includes(token)]).toEqual([0, true, 0, false]);
  expect(list.out).toMatch(/^\S+ {2}enabled {2}First steps$/m);
});

test('so is a publishable key', async () => {
  const { code, out } = await run(['key', 'create', 'test-platform', '--label', 'Site', '--origin', 'https://a.example']);
  const id = word(out, 'id');
  const list = await run(['key', 'list']);
  const before = await opens(word(out, 'key'));
  expect([code, before, (await run(['key', 'revoke', id])).code]).toEqual([0, true, 0]);
  expect(list.out).toMatch(new RegExp(`^${id} {2}enabled {2}pk_.{4}… {2}Test Platform {2}Site$`, 'm'));
  await expect.poll(() => opens(word(out, 'key'))).toBe(false);
});

test('users are given roles and lose them, and the audit tells that it was a command', async () => {
  const { id } = await app.person({ email: 'ana@example.com' });
  const roles = async () => (await app.sql.row('select role_ids as ids from app_user where id = $1', [id]))?.ids;
  const done = [await run(['user', 'grant-role', 'Ana@Example.com', 'news_creator']), await roles()];
  done.push(await run(['user', 'revoke-role', id, 'NEWS_CREATOR']), await roles());
  const out = 'The user Ana@Example.com has the role NEWS_CREATOR.';
  expect(done).toEqual([
    { code: 0, out, problems: '' },
    [expect.any(String)],
    { code: 0, out: `The user ${id} has no longer the role NEWS_CREATOR.`, problems: '' },
    [],
  ]);
  const entries = await app.sql.rows(`select action from audit_entry where record_key = $1 and source = 'COMMAND'`, [id]);
  expect(entries).toEqual([{ action: 'CHANGED' }, { action: 'CHANGED' }]);
});

test.each<[string[], number, RegExp]>([
  [[], 2, /^npm run admin -- <what>/],
  [['platform', 'create'], 2, /^npm run admin/],
  [['platform', 'list', '--nonsense'], 2, /^npm run admin/],
  [['platform', 'create', 'Test Platform'], 1, /^another platform has the same title$/],
  [['platform', 'revoke', 'nobody'], 1, /^no platform with the id or title nobody$/],
  [['key', 'create', 'test-platform', '--origin', 'not an origin'], 1, /allowedOrigins/],
  [['key', 'revoke', 'nothing'], 1, /^no publishable key with the id nothing$/],
  [['user', 'grant-role', 'nobody@example.com', 'ADMIN'], 1, /^no user/],
])('%o ends with %i', async (args, code, problems) => {
  expect(await run(args)).toEqual({ code, out: '', problems: expect.stringMatching(problems) });
});

test('a database that the service has not prepared is told of', async () => {
  const empty = await emptyDatabase();
  const answer = await run(['platform', 'list'], empty.url);
  await empty.drop();
  expect(answer).toEqual({ code: 1, out: '', problems: 'This cannot be done: the database has no migrations.' });
});
