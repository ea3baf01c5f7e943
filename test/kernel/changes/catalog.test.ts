import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readCatalog } from '../../../src/kernel/changes/log-sql.js';
import { type Database, freshDatabase } from '../../support/servers/test-database.js';

let database: Database;
let client: Client;
beforeAll(async () => {
  database = await freshDatabase();
  client = new Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await client?.end();
  await database?.drop();
});

/** Returns whether the catalog contains a table after a statement, which is rolled back. */
async function isLoggedAfter(table: string, statement: string): Promise<boolean> {
  await client.query(`begin; ${statement}`);
  const { loggedTables } = await readCatalog((text) => client.query(text));
  await client.query('rollback');
  return loggedTables.includes(table);
}

test.each([
  ['registration', ['logged', 'logged_insert', 'logged_change']],
  ['team', ['logged', 'logged_change']],
])('the catalog contains %s only while all its triggers %j log the changes of this server', async (table, triggers) => {
  const results: Record<string, object> = {};
  for (const trigger of triggers)
    results[trigger] = {
      disabled: await isLoggedAfter(table, `alter table ${table} disable trigger ${trigger}`),
      onlyReplica: await isLoggedAfter(table, `alter table ${table} enable replica trigger ${trigger}`),
      dropped: await isLoggedAfter(table, `drop trigger ${trigger} on ${table}`),
      always: await isLoggedAfter(table, `alter table ${table} enable always trigger ${trigger}`),
    };
  const expected = { disabled: false, onlyReplica: false, dropped: false, always: true };
  expect({
    unchanged: await isLoggedAfter(table, 'select'),
    triggers: results,
  }).toEqual({ unchanged: true, triggers: Object.fromEntries(triggers.map((trigger) => [trigger, expected])) });
});
