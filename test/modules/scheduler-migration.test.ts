import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrations } from '../../migrations/index.js';
import { migrate } from '../../src/database/migrate.js';
import { openOrm } from '../../src/database/orm.js';
import { Pools, Session } from '../../src/kernel/session.js';
import { type Database, emptyDatabase } from '../support/servers/test-database.js';

let database: Database;
let orm: Awaited<ReturnType<typeof openOrm>>;
beforeAll(async () => {
  database = await emptyDatabase();
  orm = await openOrm({ url: database.url });
});
afterAll(async () => {
  await orm.close();
  await database.drop();
});

test('the scheduler migration keeps the values of existing games and derives new ones where it can', async () => {
  const position = migrations.findIndex(({ name }) => name === 'Migration0019Scheduler');
  await migrate(orm, migrations.slice(0, position));
  const sql = new Session(new Pools(orm), 'write');
  await sql.rows(
    `insert into game (id, starts_at, local_starts_at, ends_at, time_zone, player_ids, invited_emails, parent_id) values
       ('whole', '2041-06-02T14:30:00.25Z', '2041-06-02T01:02:03Z', '2041-06-02T16:00:00Z', 'America/Chicago', '{b,a,b,c,a}', '{Ana@example.com,ana@example.com}', 'other'),
       ('bare', '2041-06-02T14:30:00Z', null, null, 'Mars/Olympus', '{a}', '{}', 'other')`,
  );
  await migrate(orm, migrations);
  const rows = await sql.rows(
    `select id, local_starts_at as "localStartsAt", local_ends_at as "localEndsAt", player_ids as "playerIds", invited_emails as "invitedEmails",
       invited_addresses as "invitedAddresses", parent_id as "parentId", occurs_on as "occursOn" from game order by id desc`,
  );
  expect(rows).toEqual([
    {
      id: 'whole',
      localStartsAt: '2041-06-02T01:02:03Z',
      localEndsAt: '2041-06-02T11:00:00Z',
      playerIds: ['b', 'a', 'c'],
      invitedEmails: ['Ana@example.com', 'ana@example.com'],
      invitedAddresses: ['ana@example.com'],
      parentId: 'other',
      occursOn: null,
    },
    {
      ...{ id: 'bare', localStartsAt: null, localEndsAt: null, playerIds: ['a'], invitedEmails: [], invitedAddresses: [] },
      ...{ parentId: 'other', occursOn: null },
    },
  ]);
});
