import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { blockedSessions } from '../../support/checks/blocked-sessions.js';
import { statementsOf } from '../../support/checks/statement-counter.js';
import { type Person, startApp, type TestApp, type Tokens } from '../../support/servers/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  await app.sql.rows('truncate ranking_points');
  await app.sql.rows(
    `insert into ranking_points (id, player_id, event_id, points, is_locked)
     values ('locked', 'ana', 'final', 7, true), ('open', 'ben', 'final', 5, false)`,
  );
});

const upsert = 'mutation ($input: RankingPointsInput!) { upsertRankingPoints(input: $input) { id points isLocked } }';
const update =
  'mutation ($id: ID!, $input: RankingPointsInput!) { updateRankingPoints(id: $id, input: $input) { id points isLocked } }';
const storedPoints = () => app.sql.rows(`select id, points, is_locked from ranking_points where player_id = 'ana'`);
const unchanged = [{ id: 'locked', points: 7, is_locked: true }];
const lockedError = { errors: ['CONFLICT: that rankingPoints is locked'] };

describe('locked points', () => {
  let admin: Person;
  beforeAll(async () => {
    admin = await app.person({ roles: ['ADMIN'] });
  });

  test.for<[string, string, Record<string, unknown>]>([
    ['an upsert by player and event', upsert, { input: { playerId: 'ana', eventId: 'final', points: 8 } }],
    ['an upsert by id', upsert, { input: { id: 'locked', points: 8 } }],
    ['an upsert of another type', upsert, { input: { id: 'locked', points: 7, type: 1 } }],
    ['an update', update, { id: 'locked', input: { points: 8 } }],
    ['a delete', 'mutation { deleteRankingPoints(id: "locked") { id } }', {}],
  ])('are not changed by %s', async ([, mutation, variables]) => {
    expect({ answer: await app.graphql(mutation, variables), stored: await storedPoints() }).toMatchObject({
      answer: lockedError,
      stored: unchanged,
    });
  });

  test.for<[string, string, Record<string, unknown>]>([
    ['an upsert', upsert, { input: { playerId: 'ana', eventId: 'final', points: 7, isLocked: true } }],
    ['an upsert by id', upsert, { input: { id: 'locked', points: 7 } }],
    ['an update', update, { id: 'locked', input: { points: 7, isLocked: true } }],
  ])('are returned by %s that repeats their values, and keep their time of change', async ([, mutation, variables]) => {
    const time = () => app.sql.rows(`select updated_at from ranking_points where id = 'locked'`);
    const before = await time();
    const [row] = Object.values(await app.graphql(mutation, variables));
    expect({ row, time: await time() }).toEqual({ row: { id: 'locked', points: 7, isLocked: true }, time: before });
  });

  test.for([
    [undefined, 7, 200],
    [null, 7, 200],
    [true, 7, 200],
    [undefined, 8, 409],
    [true, 8, 409],
  ])('are not changed by a /v1 upsert with isLocked %s and %d points, which returns %d', async ([isLocked, points, expected]) => {
    const { status } = await app.rest('POST', '/v1/admin/rankings/upsert', app.platform, {
      payload: { playerUuid: 'ana', eventUuid: 'final', points, isLocked },
    });
    expect({ status, stored: await storedPoints() }).toEqual({ status: expected, stored: unchanged });
  });

  test('can be unlocked and changed by a platform or a super admin, but not by an admin', async () => {
    const superAdmin = await app.person({ isSuperAdmin: true });
    const unlockAs = async (tokens: Tokens) => {
      await app.sql.rows(`update ranking_points set is_locked = true, points = 7 where id = 'locked'`);
      const payload = { playerUuid: 'ana', eventUuid: 'final', points: 9, isLocked: false };
      const { status } = await app.rest('POST', '/v1/admin/rankings/upsert', tokens, { payload });
      const [stored] = await app.sql.rows(`select points, is_locked from ranking_points where id = 'locked'`);
      return { status, ...stored };
    };
    expect({
      platform: await unlockAs(app.platform),
      superAdmin: await unlockAs({ user: superAdmin.user }),
      admin: await unlockAs({ user: admin.user }),
    }).toEqual({
      platform: { status: 200, points: 9, is_locked: false },
      superAdmin: { status: 200, points: 9, is_locked: false },
      admin: { status: 409, points: 7, is_locked: true },
    });
  });

  test('are unlocked and changed by one update, and can then be upserted', async () => {
    const { updateRankingPoints } = await app.graphql(update, { id: 'locked', input: { isLocked: false, points: 9 } });
    const { upsertRankingPoints } = await app.graphql(upsert, { input: { playerId: 'ana', eventId: 'final', isLocked: true } });
    expect({ updated: updateRankingPoints, upserted: upsertRankingPoints }).toEqual({
      updated: { id: 'locked', points: 9, isLocked: false },
      upserted: { id: 'locked', points: 9, isLocked: true },
    });
  });

  test('report in viewerCan whether the caller may update them', async () => {
    const canUpdate = async (tokens: Tokens) =>
      (await app.graphql('{ rankingPoints(id: "locked") { viewerCan { update delete } } }', {}, tokens)).rankingPoints.viewerCan;
    expect({ platform: await canUpdate(app.platform), admin: await canUpdate({ user: admin.user }) }).toEqual({
      platform: { update: true, delete: false },
      admin: { update: false, delete: false },
    });
  });

  test('stay unchanged by an upsert that waited for a transaction which locked them', async () => {
    const [first, second] = await app.sql.transaction(async () => {
      await app.sql.rows(`update ranking_points set is_locked = true where id = 'open'`);
      const upserts = [1, 2].map((points) => app.graphql(upsert, { input: { playerId: 'ben', eventId: 'final', points } }));
      await expect.poll(() => blockedSessions(app.sql), { interval: 5 }).toBeGreaterThanOrEqual(2);
      return upserts;
    });
    const answers = { first: await first, second: await second };
    const stored = await app.sql.rows(`select points from ranking_points where id = 'open'`);
    expect({ answers, stored }).toMatchObject({
      answers: { first: lockedError, second: lockedError },
      stored: [{ points: 5 }],
    });
  });
});

test('an update or delete of unknown points is NOT_FOUND', async () => {
  const notFound = { errors: ['NOT_FOUND: no rankingPoints with the id none'] };
  expect({
    update: await app.graphql(update, { id: 'none', input: { points: 1 } }),
    delete: await app.graphql('mutation { deleteRankingPoints(id: "none") { id } }'),
  }).toMatchObject({ update: notFound, delete: notFound });
});

test('points of an event show the name in the record, or the name of the user if the record has none', async () => {
  const { id } = await app.person({ firstName: 'Cleo', lastName: 'Diaz' });
  await app.sql.rows(
    `insert into ranking_points (id, player_id, player_name, event_id, points) values ('named', $1, 'C. Diaz', 'names', 4), ('nameless', $1, null, 'names-2', 3),
       ('empty', 'nobody', '', 'names', 2), ('own', $2, '', 'names', 1)`,
    [id, (await app.person({ firstName: 'Eli', lastName: '' })).id],
  );
  const playerNames = async (event: string) =>
    (await app.rest('GET', `/v1/data/tournament_events/${event}/points`, app.platform)).body.results.map(
      (item: Record<string, unknown>) => item.player_full_name,
    );
  expect({ names: await playerNames('names'), 'names-2': await playerNames('names-2') }).toEqual({
    names: ['C. Diaz', '', 'Eli'],
    'names-2': ['Cleo Diaz'],
  });
});

test('names of several points take no more statements than the name of one', async () => {
  const { id: firstPlayer } = await app.person();
  const { id: secondPlayer } = await app.person();
  await app.sql.rows(`update ranking_points set player_id = case id when 'open' then $1 else $2 end`, [
    firstPlayer,
    secondPlayer,
  ]);
  const read = (first: number) => app.graphql(`{ allRankingPoints(first: ${first}) { nodes { shownName } } }`);
  const statements = (first: number) => statementsOf(app, () => read(first));
  expect(await statements(2)).toBe(await statements(1));
});
