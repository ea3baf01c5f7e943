import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { entriesOf } from '../../compat/engine/index.js';
import { legacyRoutes } from '../../compat/index.js';
import { migrations } from '../../migrations/index.js';
import { migrate } from '../../src/database/migrate.js';
import { type Orm, openOrm } from '../../src/database/orm.js';
import { startApp, type TestApp, type Tokens } from '../support/servers/app.js';
import { type Database, emptyDatabase, freshDatabase } from '../support/servers/test-database.js';
import { type Dump, dumpOf, restore, schemaOf, unpackDump } from './dump.js';
import { releases } from './releases.js';

/** Returns the sorted IDs of the rows of each table, keyed by table. */
const idsOf = ({ tables }: Dump) =>
  Object.fromEntries(Object.entries(tables).map(([name, rows]) => [name, rows.map((row) => ('id' in row ? row.id : '')).sort()]));

describe.each(releases)('a database of release $version', ({ version }) => {
  let dump: Dump;
  let original: Dump['schema'];
  let upgraded: Dump;
  let database: Database;
  let orm: Orm;
  let client: Client;
  let app: TestApp;
  let admin: Tokens;

  beforeAll(async () => {
    dump = unpackDump(readFileSync(join(import.meta.dirname, `dumps/${version}.json.gz`)));
    database = await emptyDatabase();
    orm = openOrm({ url: database.url });
    await migrate(
      orm,
      migrations.filter(({ name }) => dump.migrations.includes(name)),
      { last: dump.migrations.at(-1) ?? null },
    );
    client = new Client({ connectionString: database.url });
    await client.connect();
    original = await schemaOf(client);
    await restore(client, dump);
    await migrate(orm);
    upgraded = await dumpOf(client);
    app = await startApp({}, database);
    admin = { ...app.platform, user: (await app.person({ isSuperAdmin: true })).user };
  }, 60_000);
  afterAll(async () => {
    await client?.end();
    await orm?.close();
    await app?.close();
  });

  test('has the schema that its migrations create today', () => {
    expect(original).toEqual(dump.schema);
  });

  test('keeps all rows when it is upgraded', () => {
    const before = idsOf(dump);
    expect(idsOf(upgraded)).toMatchObject(before);
    expect(before.tournament?.length).toBeGreaterThan(5);
  });

  test('has the schema of a new database after the upgrade', async () => {
    const newDatabase = await freshDatabase();
    const newClient = new Client({ connectionString: newDatabase.url });
    await newClient.connect();
    const newSchema = await schemaOf(newClient);
    await newClient.end();
    await newDatabase.drop();
    expect(newSchema.length).toBeGreaterThan(500);
    expect(upgraded.schema).toEqual(newSchema);
  });

  test('is returned by all lists of /v1', async () => {
    const paths = entriesOf(legacyRoutes).flatMap(({ method, path }) => (method === 'GET' && !path.includes('{') ? [path] : []));
    const statuses: Record<string, unknown> = {};
    let itemCount = 0;
    for (const path of paths) {
      const { status, body } = await app.rest('GET', path, admin);
      itemCount += body?.results?.length ?? 0;
      if (status !== 200) statuses[path] = { status, body };
    }
    expect(statuses).toEqual({});
    expect(itemCount).toBeGreaterThan(300);
  });

  test('has all its tournaments in /v1', async () => {
    const { body } = await app.rest('GET', '/v1/data/tourney_flat_data?page_size=100', app.platform);
    expect(body.results.length).toBe(dump.tables.tournament?.length);
  });

  test('is returned by the lists of the graph without errors', async () => {
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
      const answer = await app.graphql(query, {}, admin);
      expect(answer).not.toHaveProperty('errors');
      Object.assign(answers, answer);
    }
    const filledLists = Object.entries(answers).filter(([, { nodes }]) => nodes.length > 0);
    expect(filledLists.length).toBeGreaterThan(20);
  });
});

interface QueryField {
  name: string;
  args: { type: { kind: string } }[];
  type: { name?: string; ofType?: { name?: string } };
}
