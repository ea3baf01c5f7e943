import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Session } from '../../src/kernel/session.js';
import { makeOccurrences, repeatGames } from '../../src/modules/scheduler/make-occurrences.js';
import { type Person, startApp, type TestApp, type Tokens } from '../support/app.js';

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
const weekly = (more: object = {}) =>
  post({ title: 'Weekly', startTime: inDays(1), endTime: inDays(1.1), isRepeatSchedule: true, repeats: 2, ...more });
/** How many days after now the repetitions of a game begin, rounded. */
const starts = async (id: string) => {
  const rows = await app.sql.rows<{ at: string }>('select starts_at as at from game where parent_id = $1 order by starts_at', [
    id,
  ]);
  return rows.map(({ at }) => Math.round((Date.parse(at) - Date.now()) / day));
};
const drop = (id: string, tokens: Tokens = owner) => app.rest('DELETE', `/v1/game_scheduler/${id}`, tokens);
const repeat = (id: string, daysFromNow: number) => {
  const sql = new Session(app.resources.pools, 'write');
  return sql.transaction(() => makeOccurrences(sql, [id], new Date(inDays(daysFromNow))));
};
const repetitions = async (id: string): Promise<string[]> =>
  (await app.sql.rows<{ id: string }>('select id from game where parent_id = $1 order by starts_at', [id])).map((row) => row.id);
const told = async (person: Person, event: string) =>
  (
    await app.graphql(`{ viewer { notifications(filter: { event: { eq: ${event} } }) { nodes { content } } } }`, {}, person)
  ).viewer.notifications.nodes.map(({ content }: { content: string }) => content);

describe('scheduling a repeating game makes the games of the next 60 days', () => {
  test.for([
    ['every day', { repeats: 1 }, Array.from({ length: 59 }, (_, n) => n + 2)],
    ['every week', { repeats: 2 }, [8, 15, 22, 29, 36, 43, 50, 57]],
    ['every week, for one of the past', { repeats: 2, startTime: inDays(-700), endTime: null }, [7, 14, 21, 28, 35, 42, 49, 56]],
    ['not of one that is archived', { repeats: 1, dateArchived: inDays(-1) }, []],
    ['not where it does not say how often', { repeats: 0 }, []],
    ['not where it does not repeat', { repeats: 1, isRepeatSchedule: false }, []],
    ['not without a date', { repeats: 1, startTime: null, endTime: null }, []],
  ] as const)('%s', async ([_, more, wanted]) => expect(await starts(await weekly(more))).toEqual(wanted));

  test('each with what the first one has, but nobody has opted in except the owner who plays', async () => {
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
    const one = games.filter((game: { uuid: string }) => !isFirst(game)).at(-1);
    const { startTime: start, date, endTime, startTimeLocalized, dateLocalized, endTimeLocalized, ...copied } = one;
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
    expect([
      [startTimeLocalized, dateLocalized, endTimeLocalized].map((local: string) => local.slice(11)),
      Date.parse(endTime) - Date.parse(start),
      Date.parse(start) - Date.parse(date),
    ]).toEqual([['09:30:00Z', '00:00:00Z', '11:00:00Z'], 1.5 * 3_600_000, 9.5 * 3_600_000]);
    const sees = async (person: Person) =>
      (await app.graphql(`{ game(id: "${one.uuid}") { id } }`, {}, person)).game?.id === one.uuid;
    expect([await sees(friend), await sees(guest), await told(friend, 'GAME_INVITATION')]).toEqual([
      true,
      true,
      ['Olga Owner invites you to A copy.'],
    ]);
  });

  test('with the game itself or not at all', async () => {
    const before = await app.sql.row('select count(*) from game');
    const answer = await app.rest('POST', '/v1/game_scheduler', owner, {
      payload: { startTime: inDays(1), isRepeatSchedule: true, repeats: 1, optedInPlayerUuids: ['a', 'b'], maximumCount: 1 },
    });
    expect([answer.status, await app.sql.row('select count(*) from game')]).toEqual([409, before]);
  });
});

describe('day by day', () => {
  test('those that have come within 60 days are made, once', async () => {
    const id = await weekly();
    expect([await repeat(id, 3), await repeat(id, 5), await repeat(id, 5), await starts(id)]).toEqual([
      0,
      1,
      0,
      [8, 15, 22, 29, 36, 43, 50, 57, 64],
    ]);
  });

  test('those that were missed are not made up for', async () => {
    const id = await weekly();
    await repeat(id, 100);
    expect((await starts(id)).slice(7, 10)).toEqual([57, 106, 113]);
  });

  test('an archived game stops, and goes on when it is none any more', async () => {
    const id = await weekly();
    const archive = (at: string | null) =>
      app.graphql(
        'mutation ($id: ID!, $at: Instant) { updateGame(id: $id, input: { archivedAt: $at }) { id } }',
        { id, at },
        owner,
      );
    await archive(inDays(0));
    const stopped = await repeat(id, 14);
    await archive(null);
    expect([stopped, await repeat(id, 14)]).toEqual([0, 2]);
  });

  test('repetitions are not repeated themselves', async () => {
    const id = await weekly();
    const [one = ''] = await repetitions(id);
    expect([await repeat(one, 0), await starts(one)]).toEqual([0, []]);
  });

  test('all repeating games are gone through', async () => {
    const ids = await Promise.all(Array.from({ length: 25 }, () => weekly({ title: 'Of many' })));
    await app.sql.rows('delete from game where parent_id = any($1)', [ids]);
    await repeatGames(new Session(app.resources.pools, 'write'));
    const rows = await app.sql.rows('select count(*) from game where parent_id = any($1) group by parent_id', [ids]);
    expect(rows).toEqual(ids.map(() => ({ count: 8 })));
  });

  test('several processes at the same moment make each occurrence once', async () => {
    const id = await weekly({ repeats: 1 });
    await app.sql.rows('delete from game where parent_id = $1', [id]);
    const made = await Promise.all(Array.from({ length: 4 }, () => repeat(id, 0)));
    expect([made.toSorted(), (await starts(id)).length]).toEqual([[0, 0, 0, 59], 59]);
  });
});

describe('deleting', () => {
  test('the first game deletes those that have not begun, and who was in them hears of it once', async () => {
    const id = await weekly({ title: 'Monday Doubles', startTime: inDays(-20), endTime: null, invitePlayersUuids: [friend.id] });
    await repeat(id, -20);
    const [, , , ahead = ''] = await repetitions(id);
    const joined = await app.person();
    await app.graphql('mutation ($id: ID!) { optIn(gameId: $id) { id } }', { id: ahead }, joined);
    const { status } = await drop(id);
    const off = ['Monday Doubles was called off, and so are its repetitions.'];
    expect([status, await starts(id), await told(friend, 'GAME_CANCELED'), await told(joined, 'GAME_CANCELED')]).toEqual([
      200,
      [-13, -6],
      off,
      off,
    ]);
    expect([await repeat(id, 30), await told(owner, 'GAME_CANCELED')]).toEqual([0, []]);
  });

  test('a repetition deletes that one only, and it is not made again', async () => {
    const id = await weekly({ title: 'Tuesday Doubles' });
    const [, second = ''] = await repetitions(id);
    await drop(second);
    expect([await repeat(id, 1), await starts(id)]).toEqual([0, [8, 22, 29, 36, 43, 50, 57]]);
    const platform = await drop((await repetitions(id))[0] ?? '', app.platform);
    expect([platform.status, await repeat(id, 5), await starts(id)]).toEqual([200, 1, [22, 29, 36, 43, 50, 57, 64]]);
  });

  test('repetitions that are deleted at the same moment all stay away', async () => {
    const id = await weekly();
    await Promise.all((await repetitions(id)).map((one) => drop(one)));
    expect([await repeat(id, 0), await starts(id)]).toEqual([0, []]);
  });

  test('a repetition is for the owner, as the first one is', async () => {
    const [one = ''] = await repetitions(await weekly());
    expect((await drop(one, friend)).status).toBe(403);
  });

  test('and making at the same moment leave nothing behind', async () => {
    const id = await weekly({ repeats: 1 });
    await app.sql.rows('delete from game where parent_id = $1', [id]);
    await Promise.all([repeat(id, 0), drop(id), repeat(id, 0)]);
    expect(await starts(id)).toEqual([]);
  });
});
