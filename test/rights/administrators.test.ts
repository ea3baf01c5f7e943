import { afterAll, beforeAll, expect, test } from 'vitest';
import { optionsOf } from '../../src/kernel/declare/record.js';
import { modules } from '../../src/modules/index.js';
import { startApp, type TestApp } from '../support/servers/app.js';
import { insertRow } from './rows.js';

let app: TestApp;
let owner: string;
let admin: string;
beforeAll(async () => {
  app = await startApp();
  ({ id: owner } = await app.person());
  ({ user: admin } = await app.person({ roles: ['ADMIN'] }));
});
afterAll(() => app.close());

/** Lists that the tests do not compare, grouped by reason. */
const otherLists = [
  // Contain only rows of the caller.
  'sessions',
  'calendarLinks',
  'favorites',
  'notifications',
  // Permitted to users with the role ADMIN, but not to platforms.
  'auditEntries',
  // Permitted only to super admins.
  'publishableKeys',
  'webhooks',
  'webhookDeliveries',
  'deprecations',
  // Requires the ID of a tournament.
  'matches',
];

const records = new Map(modules.flatMap((module) => module.records.map((cls) => [optionsOf(cls).many, cls.name] as const)));

/** Returns the names of the root fields with a list of all rows of a record. */
async function listNames(): Promise<string[]> {
  const { __type: query } = await app.graphql('{ __type(name: "Query") { fields { name args { name } } } }');
  const lists = query.fields.filter(({ args }: { args: { name: string }[] }) => args.some(({ name }) => name === 'first'));
  return lists.map(({ name }: { name: string }) => name).filter((name: string) => records.has(name));
}

test('administrators see the rows of other users in the same lists as platforms', async () => {
  const names = (await listNames()).filter((name) => !otherLists.includes(name));
  const byPlatform: Record<string, number> = {};
  const byAdmin: Record<string, number> = {};
  for (const name of names) {
    if (name !== 'users') await insertRow(app.sql, records.get(name) ?? '', 'of-another-user', owner);
    const query = `{ ${name} { totalCount } }`;
    byPlatform[name] = (await app.graphql(query))[name]?.totalCount;
    byAdmin[name] = (await app.graphql(query, {}, { user: admin }))[name]?.totalCount;
  }
  expect(byAdmin).toEqual(byPlatform);
  expect(Object.values(byPlatform).filter((count) => !(count > 0))).toEqual([]);
  expect(names.length).toBeGreaterThan(55);
});
