import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/app.js';
import { statementsOf } from '../support/statements.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  await app.sql.rows('truncate ranking_points');
  await app.sql.rows(
    `insert into ranking_points (id, player_id, event_id, points, is_locked) values ('closed', 'ana', 'final', 7, true), ('open', 'ben', 'final', 5, false)`,
  );
});

const upsert = 'mutation ($input: RankingPointsInput!) { upsertRankingPoints(input: $input) { id points isLocked } }';
const update =
  'mutation ($id: ID!, $input: RankingPointsInput!) { updateRankingPoints(id: $id, input: $input) { id points isLocked } }';
const kept = () => app.sql.rows(`select id, points, is_locked from ranking_points where player_id = 'ana'`);
const closed = { id: 'closed', points: 7, is_locked: true };
const locked = { errors: ['CONFLICT: that rankingPoints is locked'] };

describe('locked points', () => {
  test.for<[string, string, Record<string, unknown>]>([
    ['an upsert by player and event', upsert, { input: { playerId: 'ana', eventId: 'final', points: 8 } }],
    ['an upsert by id', upsert, { input: { id: 'closed', points: 8 } }],
    [
      'an upsert of the same values',
      upsert,
      { input: { id: 'closed', playerId: 'ana', eventId: 'final', points: 7, isLocked: true } },
    ],
    ['an upsert that would unlock them', upsert, { input: { id: 'closed', isLocked: false } }],
    ['an update', update, { id: 'closed', input: { points: 8 } }],
    ['an update that locks them again', update, { id: 'closed', input: { isLocked: true } }],
    ['a delete', 'mutation { deleteRankingPoints(id: "closed") { id } }', {}],
  ])('are not changed by %s', async ([, mutation, variables]) => {
    expect([await app.graphql(mutation, variables), await kept()]).toMatchObject([locked, [closed]]);
  });

  test('are not changed by /v1, whatever it says of the lock', async () => {
    const answers = [undefined, true, false].map((isLocked) =>
      app.rest('POST', '/v1/admin/rankings/upsert', app.platform, {
        payload: { playerUuid: 'ana', eventUuid: 'final', points: 7, isLocked },
      }),
    );
    const refused = { status: 409, body: { Code: 409, Message: 'that rankingPoints is locked' } };
    expect([await Promise.all(answers), await kept()]).toMatchObject([[refused, refused, refused], [closed]]);
  });

  test('are unlocked by an update, which may change them at once; then everything is open', async () => {
    const { updateRankingPoints } = await app.graphql(update, { id: 'closed', input: { isLocked: false, points: 9 } });
    const { upsertRankingPoints } = await app.graphql(upsert, { input: { playerId: 'ana', eventId: 'final', isLocked: true } });
    expect([updateRankingPoints, upsertRankingPoints]).toEqual([
      { id: 'closed', points: 9, isLocked: false },
      { id: 'closed', points: 9, isLocked: true },
    ]);
  });

  test('that are not there are NOT_FOUND', async () => {
    expect([
      await app.graphql(update, { id: 'none', input: { points: 1 } }),
      await app.graphql('mutation { deleteRankingPoints(id: "none") { id } }'),
    ]).toMatchObject([
      { errors: ['NOT_FOUND: no rankingPoints with the id none'] },
      { errors: ['NOT_FOUND: no rankingPoints with the id none'] },
    ]);
  });

  test('stay as they are when an upsert waited for the lock to be set', async () => {
    const waiting = `select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    const sent = await app.sql.transaction(async () => {
      await app.sql.rows(`update ranking_points set is_locked = true where id = 'open'`);
      const upserts = [1, 2].map((points) => app.graphql(upsert, { input: { playerId: 'ben', eventId: 'final', points } }));
      while (Number((await app.sql.row(waiting))?.n) < upserts.length) {
        await sleep(5);
        await app.sql.rows('select pg_stat_clear_snapshot()');
      }
      return { upserts };
    });
    const answers = await Promise.all(sent.upserts);
    const rows = await app.sql.rows(`select points from ranking_points where id = 'open'`);
    expect([answers, rows]).toMatchObject([[locked, locked], [{ points: 5 }]]);
  });
});

test('points of an event carry names: that of the record, else that of the user', async () => {
  const { id } = await app.person({ firstName: 'Cleo', lastName: 'Diaz' });
  await app.sql.rows(
    `insert into ranking_points (id, player_id, player_name, event_id, points) values ('named', $1, 'C. Diaz', 'names', 4), ('nameless', $1, null, 'names-2', 3),
       ('empty', 'nobody', '', 'names', 2), ('own', $2, '', 'names', 1)`,
    [id, (await app.person({ firstName: 'Eli', lastName: '' })).id],
  );
  const named = async (event: string) =>
    (await app.rest('GET', `/v1/data/tournament_events/${event}/points`, app.platform)).body.results.map(
      (item: Record<string, unknown>) => item.player_full_name,
    );
  expect([await named('names'), await named('names-2')]).toEqual([['C. Diaz', '', 'Eli'], ['Cleo Diaz']]);
});

test('names of many points take no more statements than those of one', async () => {
  const { id: one } = await app.person();
  const { id: other } = await app.person();
  await app.sql.rows(`update ranking_points set player_id = case id when 'open' then $1 else $2 end`, [one, other]);
  const query = (first: number) => app.graphql(`{ allRankingPoints(first: ${first}) { nodes { shownName } } }`);
  const statements = (first: number) => statementsOf(app, () => query(first));
  expect(await statements(2)).toBe(await statements(1));
});
