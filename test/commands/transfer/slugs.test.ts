import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { importRecords } from '../../../src/transfer/records/import-records.js';
import { startApp, type TestApp } from '../../support/servers/app.js';
import { scratchDirectory } from '../../support/servers/service-process.js';
import { type Database, freshDatabase } from '../../support/servers/test-database.js';

interface User {
  readonly id: string;
  readonly first_name?: string | null;
  readonly last_name?: string | null;
  readonly slug?: string | null;
}

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

async function directoryWith(users: readonly User[]): Promise<string> {
  const directory = join(await scratchDirectory(), 'records');
  await mkdir(directory);
  await writeFile(join(directory, 'app_user.ndjson'), users.map((user) => `${JSON.stringify(user)}\n`).join(''));
  return directory;
}

/** Imports users. Returns their slugs, keyed by user ID. */
async function slugsAfterImport(users: readonly User[]): Promise<Record<string, string>> {
  await importRecords(database.url, await directoryWith(users));
  const { rows } = await client.query('select id, slug from app_user where id = any($1) order by id', [
    users.map(({ id }) => id),
  ]);
  return Object.fromEntries(rows.map(({ id, slug }) => [id, slug]));
}

const names: readonly (readonly [firstName: string | null, lastName: string | null])[] = [
  ['Zoë', 'Núñez'],
  ['Zoe', 'Nunez'],
  ['ZOE', 'NUNEZ'],
  ['Zoe', 'Nunez 2'],
  ['Łukasz', null],
  [null, "O'Brien-Müller"],
  ['A'.repeat(80), 'B'.repeat(80)],
  ['東京', 'Zoe'],
];

test('imported users without a slug get the slug that a registration with the same name gets', async () => {
  const app: TestApp = await startApp();
  const registered: unknown[] = [];
  for (const [index, [firstName, lastName]] of names.entries()) {
    const { upsertUser } = await app.graphql(
      'mutation ($input: UserInput!) { upsertUser(input: $input) { slug } }',
      { input: { id: `u${index}`, firstName, lastName } },
      app.platform,
    );
    registered.push(upsertUser.slug);
  }
  await app.close();
  const users = names.map(([first_name, last_name], index) => ({ id: `u${index}`, first_name, last_name }));
  expect(Object.values(await slugsAfterImport(users))).toEqual(registered);
});

test('imported users get slugs that no other user has, and keep them in later imports', async () => {
  await client.query(`insert into app_user (id, first_name, slug) values ('old', 'Ana', 'ana'), ('other', 'Ana', 'ana-4')`);
  const users: User[] = [
    { id: 'old', first_name: 'Ana' },
    { id: 'a', first_name: 'Ana', slug: '' },
    { id: 'b', first_name: 'Ana', slug: 'ana-2' },
    { id: 'c', first_name: 'Ana', slug: null },
    { id: 'd', first_name: 'Ana 3' },
    { id: 'nameless' },
  ];
  const expected = { old: 'ana', a: 'ana-3', b: 'ana-2', c: 'ana-5', d: 'ana-3-2', nameless: '~nameless' };
  const first = await slugsAfterImport(users);
  const renamed = await slugsAfterImport(users.map((user) => ({ ...user, first_name: 'Bea', slug: '' })));
  expect({ first, renamed }).toEqual({ first: expected, renamed: expected });
});

test('a user whose slug is taken during the import gets another slug', async () => {
  const directory = await directoryWith([{ id: 'late', first_name: 'Late' }]);
  await client.query(
    'create function interrupt() returns trigger language plpgsql as $$ begin perform pg_terminate_backend(pg_backend_pid()); end $$',
  );
  await client.query('create trigger interrupt before insert on app_user execute function interrupt()');
  await expect(importRecords(database.url, directory)).rejects.toThrow();
  await client.query('drop function interrupt cascade');
  await client.query(`insert into app_user (id, slug) values ('early', 'late')`);
  await importRecords(database.url, directory);
  const { rows } = await client.query(`select id, slug from app_user where id in ('early', 'late') order by id`);
  expect(rows).toEqual([
    { id: 'early', slug: 'late' },
    { id: 'late', slug: '~late' },
  ]);
});
