import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
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

const actor = { source: 'REQUEST', userId: 'u1', platformId: 'p1', keyId: 'k1', address: '192.0.2.1' };

/** Runs statements in a transaction of the actor. */
async function asActor(...statements: string[]): Promise<void> {
  await client.query('begin');
  await client.query(`select set_config('courtside.actor', $1, true)`, [JSON.stringify(actor)]);
  for (const statement of statements) await client.query(statement);
  await client.query('commit');
}

test('the tables of large imports log inserts once per statement', async () => {
  const { rows } = await client.query(
    `select tgrelid::regclass::text as name from pg_trigger where tgname = 'logged_insert' order by name`,
  );
  expect(rows.map(({ name }) => name)).toEqual([
    'app_user',
    'event_registration',
    'final_standing',
    'registration',
    'tournament_event',
  ]);
});

test('inserts that are logged per statement name the actor without the address, like inserts that are logged per row', async () => {
  await asActor(`insert into registration (id) values ('r1'), ('r2')`, `insert into club (id) values ('c1')`);
  const { rows } = await client.query(`select id, actor from change where id in ('r1', 'r2', 'c1') order by position`);
  const { address: _, ...loggedActor } = actor;
  expect(rows).toEqual(['r1', 'r2', 'c1'].map((id) => ({ id, actor: loggedActor })));
});

test('the audit entries of an insert name the actor like those of an update', async () => {
  await asActor(
    `insert into app_user (id) values ('ana'), ('bob')`,
    `update app_user set role_ids = '{3}' where id in ('ana', 'bob')`,
  );
  const { rows } = await client.query(
    `select record_key, action, source, user_id, platform_id, key_id, address from audit_entry
     where record_key in ('ana', 'bob') order by action, record_key`,
  );
  const entry = (action: string, record_key: string) => ({
    record_key,
    action,
    source: 'REQUEST',
    user_id: 'u1',
    platform_id: 'p1',
    key_id: 'k1',
    address: '192.0.2.1',
  });
  expect(rows).toEqual([entry('CHANGED', 'ana'), entry('CHANGED', 'bob'), entry('CREATED', 'ana'), entry('CREATED', 'bob')]);
});
