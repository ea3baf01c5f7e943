import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrations } from '../../migrations/index.js';
import { migrate } from '../../src/database/migrate.js';
import { openOrm } from '../../src/database/orm.js';
import { Pools, Session } from '../../src/kernel/session.js';
import { divisionOf } from '../../src/modules/rankings/division.js';
import { type Database, emptyDatabase } from '../support/servers/test-database.js';

let database: Database;
let orm: Awaited<ReturnType<typeof openOrm>>;
let sql: Session;
beforeAll(async () => {
  database = await emptyDatabase();
  orm = await openOrm({ url: database.url });
  const position = migrations.findIndex(({ name }) => name === 'Migration0057DerivedValues');
  await migrate(orm, migrations.slice(0, position));
  sql = new Session(new Pools(orm), 'write');
  await sql.rows(`insert into time_zone (id, iana_name, title, full_name, abbreviation, utc_offset, daylight_abbreviation, daylight_utc_offset)
    values ('chicago', 'America/Chicago', 'Central', 'Central Time', 'CST', -21600, 'CDT', -18000)`);
  await fill();
  await migrate(orm, migrations);
});
afterAll(async () => {
  await orm.close();
  await database.drop();
});

const titles = [
  "Women's Singles",
  'Ladies Doubles 4.0',
  "Gentlemen's Singles",
  'Male Doubles',
  'Female Singles',
  'Mixed',
  'Mixed Singles',
  'MS',
  'Pro (WD)',
  'xd4.0',
  'MD Open, Doubles',
  'Annapolis, MD: Men’s Doubles',
  'Ms Smith Cup',
  'Open',
  '',
];

async function fill(): Promise<void> {
  await sql.rows(
    `insert into ranking_points (id, event_title, is_locked) select title, title, true from unnest($1::text[]) title`,
    [titles],
  );
  await sql.rows(`insert into game (id, day, starts_at, local_day_raw, time_zone, time_zone_offset) values
    ('date', '2041-06-02T00:00:00Z', '2041-06-02T14:30:00Z', '2041-06-01T19:00:00Z', 'America/Chicago', null),
    ('sent', '2041-06-02T00:00:00Z', '2041-12-02T14:30:00Z', '2041-06-05T00:00:00Z', 'america/chicago', -5),
    ('moment', '2041-12-02T15:00:00Z', null, '2041-12-02T09:00:00Z', 'America/Chicago', null),
    ('unknown zone', '2041-06-02T00:00:00Z', '2041-06-02T14:30:00Z', null, 'Mars/Olympus', null)`);
  await sql.rows(`insert into app_user (id, image_url) values ('approved', 'own'), ('pending', 'own'), ('bare', null)`);
  await sql.rows(`insert into user_image (id, user_id, type, approval_state, url, reported_created_at) values
    ('1', 'approved', 'PROFILE', 'APPROVED', 'newer', '2026-01-02Z'), ('2', 'approved', 'PROFILE', 'APPROVED', 'older', '2026-01-01Z'),
    ('3', 'approved', 'PROFILE', 'APPROVED', '', '2026-01-03Z'), ('4', 'pending', 'PROFILE', 'PENDING', 'new', '2026-01-02Z'),
    ('5', 'bare', 'COVER', 'APPROVED', 'cover', '2026-01-02Z')`);
}

test('existing ranking points get the divisions that new ones would get, locked ones too', async () => {
  const rows = await sql.rows('select id, division from ranking_points');
  expect(Object.fromEntries(rows.map(({ id, division }) => [String(id), division]))).toEqual(
    Object.fromEntries(titles.map((title) => [title, divisionOf(title)])),
  );
});

test('existing games get calendar days and offsets, unless these were sent', async () => {
  const rows = await sql.rows('select id, local_day_raw as day, utc_offset as "offset" from game order by id');
  expect(rows).toEqual([
    { id: 'date', day: '2041-06-02T00:00:00Z', offset: -18_000 },
    { id: 'moment', day: '2041-12-02T09:00:00Z', offset: -21_600 },
    { id: 'sent', day: '2041-06-05T00:00:00Z', offset: -5 },
    { id: 'unknown zone', day: '2041-06-02T00:00:00Z', offset: null },
  ]);
});

test('existing users show their newest approved image, without an audit entry', async () => {
  const rows = await sql.rows('select id, image_url as image, own_image_url as own from app_user order by id');
  const audited = await sql.rows(`select from audit_entry where record_key = 'approved' and action <> 'CREATED'`);
  expect({ rows, audited }).toEqual({
    rows: [
      { id: 'approved', image: 'newer', own: 'own' },
      { id: 'bare', image: null, own: null },
      { id: 'pending', image: 'own', own: null },
    ],
    audited: [],
  });
});
