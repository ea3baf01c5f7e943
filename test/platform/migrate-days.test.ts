import type { MikroORM } from '@mikro-orm/postgresql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrations } from '../../migrations/index.js';
import { migrate } from '../../src/database/migrate.js';
import { openOrm } from '../../src/database/orm.js';
import { Pools, Session } from '../../src/kernel/session.js';
import { type Database, emptyDatabase } from '../support/servers/test-database.js';

let database: Database;
let orm: MikroORM;
let sql: Session;
beforeAll(async () => {
  database = await emptyDatabase();
  orm = await openOrm({ url: database.url });
  sql = new Session(new Pools(orm), 'write');
  await migrate(
    orm,
    migrations.slice(
      0,
      migrations.findIndex(({ name }) => name === 'Migration0020Days'),
    ),
  );
});
afterAll(async () => {
  await orm.close();
  await database.drop();
});

test('the migrations compute the days of existing tournaments and revoke platform-issued tokens of super admins', async () => {
  await sql.rows(`insert into time_zone (id, iana_name) values ('1', 'Asia/Tokyo')`);
  await sql.rows(`insert into tournament (id, title, starts_at, ends_at, time_zone) values
    ('dateless', 'Kept', null, null, 'Asia/Tokyo'), ('tokyo', 'Kept', '2026-03-01T20:00:00Z', null, 'Asia/Tokyo'),
    ('utc', 'Kept', '2026-03-01T20:00:00Z', '2026-03-03T00:00:00Z', 'Nowhere')`);
  await sql.rows(`insert into app_user (id, is_super_admin) values ('admin', true), ('user', false)`);
  await sql.rows(`insert into user_token (id, user_id, device, token_hash, expires_at) values
    ('of admin', 'admin', 'placed', '1', now() + interval '1 day'), ('of user', 'user', 'placed', '2', now() + interval '1 day'),
    ('signed in', 'admin', 'Firefox', '3', now() + interval '1 day')`);
  await migrate(orm);
  const tournaments = await sql.rows(
    'select id, title, first_day_begins_at, last_day_ends_at, over_at from tournament order by id',
  );
  const validTokens = await sql.rows('select id from user_token where revoked_at is null order by id');
  expect(tournaments).toEqual([
    { id: 'dateless', title: 'Kept', first_day_begins_at: null, last_day_ends_at: null, over_at: null },
    {
      id: 'tokyo',
      title: 'Kept',
      first_day_begins_at: '2026-03-01T15:00:00Z',
      last_day_ends_at: '2026-03-02T15:00:00Z',
      over_at: '2026-03-02T15:00:00Z',
    },
    {
      id: 'utc',
      title: 'Kept',
      first_day_begins_at: '2026-03-01T00:00:00Z',
      last_day_ends_at: '2026-03-04T00:00:00Z',
      over_at: '2026-03-04T00:00:00Z',
    },
  ]);
  expect(validTokens).toEqual([{ id: 'of user' }, { id: 'signed in' }]);
});
