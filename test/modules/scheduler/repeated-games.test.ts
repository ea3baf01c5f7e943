import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Session } from '../../../src/kernel/session.js';
import { createOccurrences, repeatGames } from '../../../src/modules/scheduler/occurrences/make-occurrences.js';
import { type Person, startApp, type TestApp, type Tokens } from '../../support/servers/app.js';

let app: TestApp;
let owner: Person;
let guest: Person;
let friend: Person;
beforeAll(async () => {
  app = await startApp();
  owner = await app.person({ firstName: 'Olga', lastName: 'Owner' });
  guest = await app.person({ email: 'guest@example.com' });
  friend = await app.person();
});
afterAll(() => app.close());

const day = 86_400_000;
const inDays = (count: number) => new Date(Date.now() + count * day).toISOString();
const post = async (payload: object, tokens: Tokens = owner) => {
  const { status, body } = await app.rest('POST', '/v1/game_scheduler', tokens, { payload });
  return status === 200 ? String(body.result.uuid) : expect.fail(body.Message);
};
const weekly = (overrides: object = {}) =>
  post({ title: 'Weekly', startTime: inDays(1), endTime: inDays(1.1), isRepeatSchedule: true, repeats: 2, ...overrides });
/** Returns the start times of a game's repetitions as days from now, rounded. */
const startDays = async (id: string) => {
  const rows = await app.sql.rows<{ at: string }>('select starts_at as at from game where parent_id = $1 order by starts_at', [
    id,
  ]);
  return rows.map(({ at }) => Math.round((Date.parse(at) - Date.now()) / day));
};
const remove = (id: string, tokens: Tokens = owner) => app.rest('DELETE', `/v1/game_scheduler/${id}`, tokens);
const repeat = (id: string, daysFromNow: number) => {
  const sql = new Session(app.resources.pools, 'write');
  return sql.transaction(() => createOccurrences(sql, [id], new Date(inDays(daysFromNow))));
};
const repetitions = async (id: string): Promise<string[]> =>
  (await app.sql.rows<{ id: string }>('select id from game where parent_id = $1 order by starts_at', [id])).map((row) => row.id);
const notificationsOf = async (person: Person, event: string) =>
  (
    await app.graphql(`{ viewer { notifications(filter: { event: { eq: ${event} } }) { nodes { content } } } }`, {}, person)
  ).viewer.notifications.nodes.map(({ content }: { content: string }) => content);

describe('scheduling a repeated game creates the games of the next 60 days', () => {
  test.for([
    ['every day', { repeats: 1 }, Array.from({ length: 59 }, (_, n) => n + 2)],
    ['every week', { repeats: 2 }, [8, 15, 22, 29, 36, 43, 50, 57]],
    [
      'every week, when the first game is in the past',
      { repeats: 2, startTime: inDays(-700), endTime: null },
      [7, 14, 21, 28, 35, 42, 49, 56],
    ],
    ['none when the game is archived', { repeats: 1, dateArchived: inDays(-1) }, []],
    ['none without an interval', { repeats: 0 }, []],
    ['none when repetition is off', { repeats: 1, isRepeatSchedule: false }, []],
    ['none without a date', { repeats: 1, startTime: null, endTime: null }, []],
  ] as const)('%s', async ([_, overrides, expected]) => expect(await startDays(await weekly(overrides))).toEqual(expected));

  test('as copies of the first game, with the owner as the only player', async () => {
    const startTime = '2026-01-05T15:30:00Z';
    const first = await weekly({
      ...{ title: 'A copy', startTime, endTime: '2026-01-05T17:00:00Z', date: '2026-01-05T06:00:00Z' },
      ...{ timezoneName: 'America/Chicago', courtLocationUuid: 'court-7', gameTypeDoubles: true, skillFrom: 3.5 },
      ...{ maximumCount: 2, useWaitingList: true, optedInPlayerUuids: [guest.id, owner.id, friend.id] },
      ...{ invitePlayersUuids: [friend.id], invitePlayersEmails: ['Guest@example.com'], isInviteOnly: true },
    });
    const { body } = await app.rest('GET', '/v1/data/game_scheduler?retrieve_all=true&private=true', owner);
    const games = body.results.filter(({ title }: { title: string }) => title === 'A copy');
    const isFirst = ({ uuid }: { uuid: string }) => uuid === first;
    const { uuid, dateCreated, ...original } = games.find(isFirst);
    const repetition = games.filter((game: { uuid: string }) => !isFirst(game)).at(-1);
    const { startTime: start, date, endTime, startTimeLocalized, dateLocalized, endTimeLocalized, ...copied } = repetition;
    expect(copied).toEqual({
      ...original,
      uuid: expect.any(String),
      dateCreated: expect.any(String),
      repeatedParentUuid: uuid,
      optedInPlayerUuids: [owner.id],
      optedInPlayersUuids: [owner.id],
      optedInCount: 1,
      waitlistCount: 0,
      ...Object.fromEntries(
        ['startTime', 'date', 'endTime', 'startTimeLocalized', 'dateLocalized', 'endTimeLocalized'].map((name) => [
          name,
          undefined,
        ]),
      ),
    });
    const hours = 3_600_000;
    expect({
      localStart: startTimeLocalized.slice(11),
      localDay: dateLocalized.slice(11),
      localEnd: endTimeLocalized.slice(11),
      hoursLong: (Date.parse(endTime) - Date.parse(start)) / hours,
      hoursFromDayToStart: (Date.parse(start) - Date.parse(date)) / hours,
    }).toEqual({
      localStart: '09:30:00Z',
      localDay: '00:00:00Z',
      localEnd: '11:00:00Z',
      hoursLong: 1.5,
      hoursFromDayToStart: 9.5,
    });
    const canSee = async (person: Person) =>
      (await app.graphql(`{ game(id: "${repetition.uuid}") { id } }`, {}, person)).game?.id === repetition.uuid;
    expect({
      friendSees: await canSee(friend),
      guestSees: await canSee(guest),
      friendInvitations: await notificationsOf(friend, 'GAME_INVITATION'),
    }).toEqual({ friendSees: true, guestSees: true, friendInvitations: ['Olga Owner invites you to A copy.'] });
  });

  test('or nothing, when the game itself is rejected', async () => {
    const before = await app.sql.row('select count(*) from game');
    const { status } = await app.rest('POST', '/v1/game_scheduler', owner, {
      payload: { startTime: inDays(1), isRepeatSchedule: true, repeats: 1, optedInPlayerUuids: ['a', 'b'], maximumCount: 1 },
    });
    const after = await app.sql.row('select count(*) from game');
    expect({ status, after }).toEqual({ status: 409, after: before });
  });
});

describe('creating repetitions day by day', () => {
  test('creates those that start within 60 days, once', async () => {
    const id = await weekly();
    expect({
      afterThreeDays: await repeat(id, 3),
      afterFiveDays: await repeat(id, 5),
      afterFiveDaysAgain: await repeat(id, 5),
      starts: await startDays(id),
    }).toEqual({
      afterThreeDays: 0,
      afterFiveDays: 1,
      afterFiveDaysAgain: 0,
      starts: [8, 15, 22, 29, 36, 43, 50, 57, 64],
    });
  });

  test('skips those that were missed', async () => {
    const id = await weekly();
    await repeat(id, 100);
    expect((await startDays(id)).slice(7, 10)).toEqual([57, 106, 113]);
  });

  test('stops while the game is archived', async () => {
    const id = await weekly();
    const archive = (archivedAt: string | null) =>
      app.graphql(
        'mutation ($id: ID!, $at: Instant) { updateGame(id: $id, input: { archivedAt: $at }) { id } }',
        { id, at: archivedAt },
        owner,
      );
    await archive(inDays(0));
    const whileArchived = await repeat(id, 14);
    await archive(null);
    expect({ whileArchived, afterwards: await repeat(id, 14) }).toEqual({ whileArchived: 0, afterwards: 2 });
  });

  test('does not repeat repetitions', async () => {
    const id = await weekly();
    const [repetition = ''] = await repetitions(id);
    expect({ created: await repeat(repetition, 0), starts: await startDays(repetition) }).toEqual({ created: 0, starts: [] });
  });

  test('covers all repeated games', async () => {
    const ids = await Promise.all(Array.from({ length: 25 }, () => weekly({ title: 'Of many' })));
    await app.sql.rows('delete from game where parent_id = any($1)', [ids]);
    await repeatGames(new Session(app.resources.pools, 'write'));
    const rows = await app.sql.rows('select count(*) from game where parent_id = any($1) group by parent_id', [ids]);
    expect(rows).toEqual(ids.map(() => ({ count: 8 })));
  });

  test('creates each occurrence once when several processes do so concurrently', async () => {
    const id = await weekly({ repeats: 1 });
    await app.sql.rows('delete from game where parent_id = $1', [id]);
    const created = await Promise.all(Array.from({ length: 4 }, () => repeat(id, 0)));
    expect({ created: created.toSorted(), stored: (await startDays(id)).length }).toEqual({ created: [0, 0, 0, 59], stored: 59 });
  });
});

describe('deleting', () => {
  test('the first game deletes its future repetitions and notifies everybody in them once', async () => {
    const id = await weekly({ title: 'Monday Doubles', startTime: inDays(-20), endTime: null, invitePlayersUuids: [friend.id] });
    await repeat(id, -20);
    const [, , , futureId = ''] = await repetitions(id);
    const joined = await app.person();
    await app.graphql('mutation ($id: ID!) { optIn(gameId: $id) { id } }', { id: futureId }, joined);
    const { status } = await remove(id);
    const canceled = ['Monday Doubles and its repetitions were canceled.'];
    expect({
      status,
      remaining: await startDays(id),
      invited: await notificationsOf(friend, 'GAME_CANCELED'),
      joined: await notificationsOf(joined, 'GAME_CANCELED'),
      createdLater: await repeat(id, 30),
      owner: await notificationsOf(owner, 'GAME_CANCELED'),
    }).toEqual({ status: 200, remaining: [-13, -6], invited: canceled, joined: canceled, createdLater: 0, owner: [] });
  });

  test('a repetition deletes only that one, which is not created again', async () => {
    const id = await weekly({ title: 'Tuesday Doubles' });
    const [, second = ''] = await repetitions(id);
    await remove(second);
    expect({ created: await repeat(id, 1), starts: await startDays(id) }).toEqual({
      created: 0,
      starts: [8, 22, 29, 36, 43, 50, 57],
    });
    const { status } = await remove((await repetitions(id))[0] ?? '', app.platform);
    expect({ status, created: await repeat(id, 5), starts: await startDays(id) }).toEqual({
      status: 200,
      created: 1,
      starts: [22, 29, 36, 43, 50, 57, 64],
    });
  });

  test('all repetitions concurrently prevents each from being created again', async () => {
    const id = await weekly();
    await Promise.all((await repetitions(id)).map((repetition) => remove(repetition)));
    expect({ created: await repeat(id, 0), starts: await startDays(id) }).toEqual({ created: 0, starts: [] });
  });

  test('a repetition is limited to the owner', async () => {
    const [repetition = ''] = await repetitions(await weekly());
    expect((await remove(repetition, friend)).status).toBe(403);
  });

  test('a game while its repetitions are created leaves none of them', async () => {
    const id = await weekly({ repeats: 1 });
    await app.sql.rows('delete from game where parent_id = $1', [id]);
    await Promise.all([repeat(id, 0), remove(id), repeat(id, 0)]);
    expect(await startDays(id)).toEqual([]);
  });
});
