import { readFile } from 'node:fs/promises';
import type { MikroORM } from '@mikro-orm/postgresql';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrations } from '../../../migrations/index.js';
import { migrate } from '../../../src/database/migrate.js';
import { openOrm } from '../../../src/database/orm.js';
import { startApp, type TestApp } from '../../support/servers/app.js';
import { type Database, emptyDatabase, freshDatabase } from '../../support/servers/test-database.js';
import { type Dump, dumpOf, restore, unpack } from './dump.js';

// Restores a dump of an earlier release, which contains a sample of the demo season, and applies all later migrations.

let dump: Dump;
let migrated: Dump;
let database: Database;
let orm: MikroORM;
let client: Client;
let app: TestApp;
beforeAll(async () => {
  dump = unpack(await readFile(new URL('data.json.gz', import.meta.url)));
  database = await emptyDatabase();
  orm = await openOrm({ url: database.url });
  await migrate(
    orm,
    migrations.filter(({ name }) => dump.migrations.includes(name)),
  );
  client = new Client({ connectionString: database.url });
  await client.connect();
  await restore(client, dump);
  await migrate(orm);
  migrated = await dumpOf(client);
  app = await startApp({}, database);
}, 60_000);
afterAll(async () => {
  await client?.end();
  await orm?.close();
  await app?.close();
});

/** Returns the sorted IDs of the rows of each table, keyed by table. */
const idsOf = ({ tables }: Dump) =>
  Object.fromEntries(Object.entries(tables).map(([name, rows]) => [name, rows.map((row) => ('id' in row ? row.id : '')).sort()]));

test('migrations keep all rows of the release', () => {
  const before = idsOf(dump);
  expect(idsOf(migrated)).toMatchObject(before);
  expect(before.tournament?.length).toBeGreaterThan(5);
});

/** Query for the columns, indexes, constraints, functions and triggers of a database. */
const schemaQuery = `select * from (
    select 'column' as kind, attrelid::regclass::text || '.' || attname as name,
      concat_ws(' ', format_type(atttypid, atttypmod), attnotnull, attgenerated, attidentity, pg_get_expr(adbin, adrelid)) as definition
      from pg_attribute join pg_class on attrelid = pg_class.oid left join pg_attrdef on adrelid = attrelid and adnum = attnum
      where relnamespace = 'public'::regnamespace and relkind = 'r' and attnum > 0 and not attisdropped
    union all select 'index', indexrelid::regclass::text, pg_get_indexdef(indexrelid) from pg_index
      join pg_class on indexrelid = pg_class.oid where relnamespace = 'public'::regnamespace
    union all select 'constraint', conrelid::regclass::text || '.' || conname, pg_get_constraintdef(oid) from pg_constraint
      where connamespace = 'public'::regnamespace and contype <> 'n'
    union all select 'function', oid::regprocedure::text, prosrc from pg_proc where pronamespace = 'public'::regnamespace and probin is null
    union all select 'trigger', tgrelid::regclass::text || '.' || tgname, pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
  ) definitions order by kind, name`;

test('a migrated database has the same schema as a new one', async () => {
  const newDatabase = await freshDatabase();
  const newClient = new Client({ connectionString: newDatabase.url });
  await newClient.connect();
  const [{ rows: migratedSchema }, { rows: newSchema }] = await Promise.all([
    client.query(schemaQuery),
    newClient.query(schemaQuery),
  ]);
  await newClient.end();
  await newDatabase.drop();
  expect(newSchema.length).toBeGreaterThan(500);
  expect(migratedSchema).toEqual(newSchema);
});

test('/v1 returns all tournaments of the release', async () => {
  const { body } = await app.rest('GET', '/v1/data/tourney_flat_data?page_size=100', app.platform);
  expect(body.results.length).toBe(dump.tables.tournament?.length);
});

interface QueryField {
  name: string;
  args: { type: { kind: string } }[];
  type: { name?: string; ofType?: { name?: string } };
}

test('GraphQL lists return the rows of the release without errors', async () => {
  const admin = await app.person({ isSuperAdmin: true });
  const { __type } = await app.graphql(
    '{ __type(name: "Query") { fields { name args { name type { kind } } type { name ofType { name } } } } }',
  );
  const lists = __type.fields.filter(
    ({ type, args }: QueryField) =>
      `${type.name ?? type.ofType?.name}`.endsWith('Connection') && args.every((arg) => arg.type.kind !== 'NON_NULL'),
  );
  const selections = lists.map(({ name }: QueryField) => `${name}(first: 20) { nodes { __typename } }`);
  // One request for all lists would exceed the cost limit.
  const batchSize = Math.ceil(selections.length / 4);
  const answers: Record<string, { nodes: object[] }> = {};
  for (let start = 0; start < selections.length; start += batchSize) {
    const query = `{ ${selections.slice(start, start + batchSize).join(' ')} }`;
    const answer = await app.graphql(query, {}, { ...app.platform, user: admin.user });
    expect(answer).not.toHaveProperty('errors');
    Object.assign(answers, answer);
  }
  const filledLists = Object.entries(answers).filter(([, { nodes }]) => nodes.length > 0);
  expect(filledLists.length).toBeGreaterThan(20);
});
