import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, freshDatabase } from '../support/database.js';
import { type Service, startService } from '../support/service.js';

const admin = { email: 'admin@example.com', password: 'a long enough password' };
const proLevels = 'select id, title from pro_level order by id';
let database: Database;
let client: Client;
let levels: unknown[];
let one: Service;
let two: Service;
beforeAll(async () => {
  database = await freshDatabase();
  client = new Client({ connectionString: database.url });
  await client.connect();
  levels = (await client.query(proLevels)).rows;
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
  [one, two] = await Promise.all([startService(variables), startService(variables)]);
}, 60_000);
afterAll(async () => {
  one.signal('SIGTERM');
  two.signal('SIGTERM');
  await Promise.all([one.ended, two.ended]);
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

test('a token of one process opens the other, and dies at the first within a second of its revocation there', async () => {
  const { result } = await (await post(one, '/v1/sso/login', platform, admin)).json();
  expect([await validate(one, result.token), await validate(two, result.token)]).toEqual([200, 200]);
  await post(two, '/sso_platform/revoke_token', platform, result);
  await sleep(900);
  expect([await validate(two, result.token), await validate(one, result.token)]).toEqual([401, 401]);
});

test('failed logins at one process count at the other', async () => {
  const wrong = { ...admin, password: 'not the password' };
  const statuses: number[] = [];
  for (let attempt = 0; attempt < 24; attempt++)
    statuses.push((await post(attempt % 2 ? one : two, '/v1/sso/login', platform, wrong)).status);
  expect(new Set(statuses)).toEqual(new Set([401, 429]));
  expect((await post(one, '/v1/sso/login', platform, wrong)).status).toBe(429);
});

test('reference data of another version become those of this one soon after the start', async () => {
  expect(levels.length).toBeGreaterThan(1);
  await expect.poll(async () => (await client.query(proLevels)).rows).toEqual(levels);
});
