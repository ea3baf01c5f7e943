import { readFile } from 'node:fs/promises';
import type { MikroORM } from '@mikro-orm/postgresql';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrations } from '../../migrations/index.js';
import { migrate } from '../../src/database/migrate.js';
import { openOrm } from '../../src/database/orm.js';
import { startApp, type TestApp } from '../support/app.js';
import { type Database, emptyDatabase, freshDatabase } from '../support/database.js';
import { type Dump, dumpOf, restore, unpacked } from './dump.js';

// What an earlier release has left behind, the demo season in part, goes through the migrations that came after it.

let dump: Dump;
let migrated: Dump;
let database: Database;
let orm: MikroORM;
let client: Client;
let app: TestApp;
beforeAll(async () => {
  dump = unpacked(await readFile(new URL('data.json.gz', import.meta.url)));
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

/** Which rows there are, by table. */
const idsOf = ({ tables }: Dump) =>
  Object.fromEntries(Object.entries(tables).map(([name, rows]) => [name, rows.map((row) => ('id' in row ? row.id : '')).sort()]));

test('all rows of the release are there', () => {
  const before = idsOf(dump);
  expect(idsOf(migrated)).toMatchObject(before);
  expect(before.tournament?.length).toBeGreaterThan(5);
});

const shape = `select * from (
    select 'column' as kind, attrelid::regclass::text || '.' || attname as name,
      concat_ws(' ', format_type(atttypid, atttypmod), attnotnull, attgenerated, attidentity, pg_get_expr(adbin, adrelid)) as made
      from pg_attribute join pg_class on attrelid = pg_class.oid left join pg_attrdef on adrelid = attrelid and adnum = attnum
      where relnamespace = 'public'::regnamespace and relkind = 'r' and attnum > 0 and not attisdropped
    union all select 'index', indexrelid::regclass::text, pg_get_indexdef(indexrelid) from pg_index
      join pg_class on indexrelid = pg_class.oid where relnamespace = 'public'::regnamespace
    union all select 'constraint', conrelid::regclass::text || '.' || conname, pg_get_constraintdef(oid) from pg_constraint
      where connamespace = 'public'::regnamespace and contype <> 'n'
    union all select 'function', oid::regprocedure::text, prosrc from pg_proc where pronamespace = 'public'::regnamespace and probin is null
    union all select 'trigger', tgrelid::regclass::text || '.' || tgname, pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
  ) shape order by kind, name`;

test('its tables are those of an empty database', async () => {
  const fresh = await freshDatabase();
  const other = new Client({ connectionString: fresh.url });
  await other.connect();
  const [{ rows: after }, { rows: made }] = await Promise.all([client.query(shape), other.query(shape)]);
  await other.end();
  await fresh.drop();
  expect(made.length).toBeGreaterThan(500);
  expect(after).toEqual(made);
});

test('the service answers from it', async () => {
  const { body } = await app.rest('GET', '/v1/data/tourney_flat_data?page_size=100', app.platform);
  expect(body.results.length).toBe(dump.tables.tournament?.length);
  const admin = await app.person({ isSuperAdmin: true });
  const { __type } = await app.graphql(
    '{ __type(name: "Query") { fields { name args { name type { kind } } type { name ofType { name } } } } }',
  );
  const lists = __type.fields.filter(
    ({ type, args }: { type: { name?: string; ofType?: { name?: string } }; args: { type: { kind: string } }[] }) =>
      `${type.name ?? type.ofType?.name}`.endsWith('Connection') && args.every((arg) => arg.type.kind !== 'NON_NULL'),
  );
  const query = lists.map(({ name }: { name: string }) => `${name}(first: 20) { nodes { __typename } }`);
  // As many at a time as one request may cost.
  const some = Math.ceil(query.length / 4);
  const answers: Record<string, { nodes: object[] }> = {};
  for (let at = 0; at < query.length; at += some) {
    const text = `{ ${query.slice(at, at + some).join(' ')} }`;
    const answer = await app.graphql(text, {}, { ...app.platform, user: admin.user });
    expect(answer).not.toHaveProperty('errors');
    Object.assign(answers, answer);
  }
  const filled = Object.entries(answers).filter(([, { nodes }]) => nodes.length > 0);
  expect(filled.length).toBeGreaterThan(20);
});
