import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Service, startService } from '../support/servers/service-process.js';
import { type Database, freshDatabase } from '../support/servers/test-database.js';

const admin = { email: 'admin@example.com', password: 'a long enough password' };
const selectLevels = 'select id, title from pro_level order by id';
let database: Database;
let client: Client;
let currentLevels: unknown[];
let first: Service;
let two: Service;
beforeAll(async () => {
  database = await freshDatabase();
  client = new Client({ connectionString: database.url });
  await client.connect();
  currentLevels = (await client.query(selectLevels)).rows;
  await client.query(
    `update pro_level set title = 'as it was'; delete from pro_level where id = (select min(id) from pro_level)`,
  );
  const variables = {
    DATABASE_URL: database.url,
    BOOTSTRAP_PLATFORM_TOKEN: 'the-token-of-a-platform',
    BOOTSTRAP_ADMIN_EMAIL: admin.email,
    BOOTSTRAP_ADMIN_PASSWORD: admin.password,
    SUBGRAPHS: 'none',
  };
  [first, two] = await Promise.all([startService(variables), startService(variables)]);
}, 60_000);
afterAll(async () => {
  first.signal('SIGTERM');
  two.signal('SIGTERM');
  await Promise.all([first.exit, two.exit]);
  await client.end();
  await database.drop();
});

const platform = { 'pb-api-token': 'the-token-of-a-platform' };
const post = (service: Service, path: string, headers: Record<string, string>, payload: object) =>
  fetch(service.origin + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ payload }),
  });
const validate = (service: Service, token: string) =>
  fetch(`${service.origin}/v1/sso/validate_token`, { headers: { 'pb-user-token': token } }).then(({ status }) => status);

test('a token of one process is valid on the other, and its revocation applies to both within a second', async () => {
  const { result } = await (await post(first, '/v1/sso/login', platform, admin)).json();
  const statuses = async () => ({ one: await validate(first, result.token), two: await validate(two, result.token) });
  expect(await statuses()).toEqual({ one: 200, two: 200 });
  await post(two, '/sso_platform/revoke_token', platform, result);
  // The test checks this limit. A timeout of `expect.poll` would also include the duration of the requests.
  await sleep(1_000);
  expect(await statuses()).toEqual({ one: 401, two: 401 });
});

test('both processes count failed logins together', async () => {
  const wrongPassword = { ...admin, password: 'not the password' };
  const statuses: number[] = [];
  for (let attempt = 0; attempt < 24; attempt++)
    statuses.push((await post(attempt % 2 ? first : two, '/v1/sso/login', platform, wrongPassword)).status);
  expect(new Set(statuses)).toEqual(new Set([401, 429]));
  expect((await post(first, '/v1/sso/login', platform, wrongPassword)).status).toBe(429);
});

test('reference data from another version is replaced soon after the start', async () => {
  expect(currentLevels.length).toBeGreaterThan(1);
  await expect.poll(async () => (await client.query(selectLevels)).rows).toEqual(currentLevels);
});
