import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrations } from '../../migrations/index.js';
import { migrate } from '../../src/database/migrate.js';
import { openOrm } from '../../src/database/orm.js';
import { Pools, Session } from '../../src/kernel/session.js';
import { type Database, emptyDatabase } from '../support/servers/test-database.js';

let database: Database;
let orm: Awaited<ReturnType<typeof openOrm>>;
let sql: Session;
beforeAll(async () => {
  database = await emptyDatabase();
  orm = await openOrm({ url: database.url });
  const position = migrations.findIndex(({ name }) => name === 'Migration0073ErasedUsers');
  await migrate(orm, migrations.slice(0, position));
  sql = new Session(new Pools(orm), 'write');
  await sql.rows(`insert into app_user (id, slug, email, first_name, last_name, updated_at) values
    ('audited', '~audited', null, 'Deleted', 'user', '2030-01-02'), ('before-audit', '~before-audit', null, 'Deleted', 'user', '2030-01-03'),
    ('namesake', 'deleted-user', null, 'Deleted', 'user', '2030-01-04'), ('ana', '~ana', 'ana@example.com', 'Ana', null, '2030-01-05')`);
  await sql.rows(
    `insert into audit_entry (id, created_at, record_type, record_key, action, source) values ('erasure', '2030-01-01', 'User', 'audited', 'ERASED', 'SERVICE')`,
  );
  await migrate(orm, migrations);
});
afterAll(async () => {
  await orm.close();
  await database.drop();
});

test('the migration marks previously erased users', async () => {
  const rows = await sql.rows('select id, erased_at from app_user order by id');
  expect(Object.fromEntries(rows.map(({ id, erased_at }) => [id, erased_at]))).toEqual({
    ana: null,
    audited: '2030-01-01T00:00:00Z',
    'before-audit': '2030-01-03T00:00:00Z',
    namesake: null,
  });
});
