import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/servers/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const save = (type: string, input: object, fields = 'id') =>
  app.graphql(`mutation ($input: ${type}Input!) { upsert${type}(input: $input) { ${fields} } }`, { input });
const ids = async (list: string, filter: string, order = '') => {
  const answer = await app.graphql(
    `{ ${list}(filter: {${filter}}${order && `, orderBy: [{ field: ${order} }]`}) { nodes { id } } }`,
  );
  return answer[list]?.nodes.map(({ id }: { id: string }) => id) ?? answer;
};

describe('an ID that is stored as a number', () => {
  const fields = '{ formatId legacy { formatId } format { id } }';
  beforeAll(async () => {
    for (const [id, format_id] of Object.entries({ whole: 3, fraction: 1.5, none: null }))
      await app.rest('POST', '/v1/tournament_attendee_event_records/upsert', app.platform, {
        payload: { tournament_attendee_event_uuid: id, format_id },
      });
  });

  test('is returned as text, or null for other numbers', async () => {
    const named = (id: string) => `${id}: eventRegistration(id: "${id}") ${fields}`;
    expect(await app.graphql(`{ ${['whole', 'fraction', 'none'].map(named).join(' ')} }`)).toEqual({
      whole: { formatId: '3', legacy: { formatId: 3 }, format: { id: '3' } },
      fraction: { formatId: null, legacy: { formatId: 1.5 }, format: null },
      none: { formatId: null, legacy: { formatId: null }, format: null },
    });
  });

  test('can be written and used in filters', async () => {
    await save('EventRegistration', { id: 'written', formatId: '4' });
    expect({
      four: await ids('eventRegistrations', 'formatId: { in: ["4", "5"] }'),
      three: await ids('eventRegistrations', 'formatId: { eq: "3" }'),
      text: await ids('eventRegistrations', 'formatId: { eq: "mixed" }'),
      wrong: (await save('EventRegistration', { id: 'wrong', formatId: 'mixed' })).errors,
    }).toEqual({
      four: ['written'],
      three: ['whole'],
      text: [],
      wrong: ['BAD_INPUT: input.formatId: expected an id that is a 32-bit integer'],
    });
  });
});

describe('an integer field', () => {
  test('is null for fractions and numbers of more than 32 bits, although `legacy` and /v1 return them', async () => {
    const seeds = [1.5, 3e9, 7, -0, null];
    const values = [];
    for (const [index, seed] of seeds.entries()) {
      const { body } = await app.rest('POST', '/v1/teams/upsert', app.platform, { payload: { uuid: `seed-${index}`, seed } });
      const { team } = await app.graphql(`{ team(id: "seed-${index}") { seed legacy { seed } } }`);
      values.push({ v1: body.result.seed, ...team });
    }
    expect(values).toEqual([
      { v1: '1.5', seed: null, legacy: { seed: 1.5 } },
      { v1: '3000000000', seed: null, legacy: { seed: 3e9 } },
      { v1: '7', seed: 7, legacy: { seed: 7 } },
      { v1: '0', seed: 0, legacy: { seed: 0 } },
      { v1: '0', seed: null, legacy: { seed: null } },
    ]);
    expect({
      byInteger: await ids('teams', 'seed: { gte: 1 }'),
      byStoredNumber: await ids('teams', 'legacy: { seed: { lt: 2, gt: 1 } }'),
    }).toEqual({ byInteger: ['seed-2'], byStoredNumber: ['seed-0'] });
  });

  test('that is stored as text is compared and ordered as a number', async () => {
    for (const [id, registrationCount] of Object.entries({
      nine: '9',
      ten: '10',
      many: 'many',
      huge: '99999999999',
      zero: '7.0',
    }))
      await app.rest('POST', '/v1/leagues/upsert', app.platform, { payload: { leagueId: id, registrationCount } });
    const { leagues } = await app.graphql(
      '{ leagues(orderBy: [{ field: REGISTRATION_COUNT }]) { nodes { id registrationCount legacy { registrationCount } } } }',
    );
    expect(leagues.nodes.slice(0, 3)).toEqual([
      { id: 'zero', registrationCount: 7, legacy: { registrationCount: '7.0' } },
      { id: 'nine', registrationCount: 9, legacy: { registrationCount: '9' } },
      { id: 'ten', registrationCount: 10, legacy: { registrationCount: '10' } },
    ]);
    const last: { id: string; registrationCount: number | null }[] = leagues.nodes.slice(3);
    expect(Object.fromEntries(last.map(({ id, registrationCount }) => [id, registrationCount]))).toEqual({
      huge: null,
      many: null,
    });
    expect(await ids('leagues', 'registrationCount: { gt: 8 }', 'ID')).toEqual(['nine', 'ten']);
    const page = `query ($first: Int, $after: String) {
      leagues(first: $first, after: $after, orderBy: [{ field: REGISTRATION_COUNT }]) { nodes { id } pageInfo { endCursor } } }`;
    const after = (await app.graphql(page, { first: 2 })).leagues.pageInfo.endCursor;
    expect((await app.graphql(page, { first: 1, after })).leagues.nodes).toEqual([{ id: 'ten' }]);
    const { body } = await app.rest('GET', '/v1/data/leagues/many', app.platform);
    expect(body.registrationCount).toBe('many');
  });

  test('accepts integers only', async () => {
    expect({
      integer: await save('League', { id: 'written', registrationCount: 12 }, 'legacy { registrationCount }'),
      fraction: await save('League', { id: 'written', registrationCount: 1.5 }),
    }).toEqual({
      integer: { upsertLeague: { legacy: { registrationCount: '12' } } },
      fraction: { errors: ['BAD_INPUT: input.registrationCount: expected a 32-bit integer'] },
    });
  });
});

test.each([
  ['-06:00', -21_600],
  ['+05:30', 19_800],
  ['-6', -21_600],
  ['5.5', 19_800],
  ['-360', -21_600],
  ['-21600', -21_600],
  ['0', 0],
  ['CST', null],
  ['99999', null],
])('a UTC offset of %s is %i seconds, including in filters', async (utcOffset, seconds) => {
  const id = `offset ${utcOffset}`;
  const { upsertLeague } = await save('League', { id, legacy: { utcOffset } }, 'utcOffset legacy { utcOffset }');
  const filter = seconds === null ? 'isNull: true' : `eq: ${seconds}`;
  expect({ upsertLeague, filtered: await ids('leagues', `id: { eq: "${id}" }, utcOffset: { ${filter} }`) }).toEqual({
    upsertLeague: { utcOffset: seconds, legacy: { utcOffset } },
    filtered: [id],
  });
});

test('an amount that is stored as text is exact, and `legacy` returns invalid amounts', async () => {
  const amounts = [];
  for (const totalAmount of ['45.50', '0.1000000000000000000001', '45,50']) {
    const { upsertProviderRequest } = await save(
      'ProviderRequest',
      { id: `amount ${totalAmount}`, legacy: { totalAmount } },
      'totalAmount legacy { totalAmount }',
    );
    amounts.push(upsertProviderRequest);
  }
  expect(amounts).toEqual([
    { totalAmount: '45.5', legacy: { totalAmount: '45.50' } },
    { totalAmount: null, legacy: { totalAmount: '0.1000000000000000000001' } },
    { totalAmount: null, legacy: { totalAmount: '45,50' } },
  ]);
  expect(await ids('providerRequests', 'totalAmount: { gt: "45.4" }')).toEqual(['amount 45.50']);
});

describe('days and local times', () => {
  test('of a game are in its local time; /v1 returns them as they were sent', async () => {
    const { user } = await app.person();
    const { body } = await app.rest(
      'POST',
      '/v1/game_scheduler',
      { user },
      {
        payload: { dateLocalized: '2041-06-02T11:00:00Z', startTimeLocalized: '2041-06-02T09:30:00.25Z' },
      },
    );
    const { dateLocalized, startTimeLocalized } = body.result;
    expect({ dateLocalized, startTimeLocalized }).toEqual({
      dateLocalized: '2041-06-02T11:00:00Z',
      startTimeLocalized: '2041-06-02T09:30:00.25Z',
    });
    const fields = '{ day legacy { day localDay } localStartsAt }';
    const { game } = await app.graphql(`{ game(id: "${body.result.uuid}") ${fields} }`, {}, { user });
    expect(game).toEqual({
      day: '2041-06-02',
      legacy: { day: null, localDay: '2041-06-02T11:00:00Z' },
      localStartsAt: '2041-06-02T09:30:00.25',
    });
    const change = (input: string) =>
      app.graphql(`mutation { updateGame(id: "${body.result.uuid}", input: {${input}}) ${fields} }`, {}, { user });
    expect({
      changed: await change('day: "2041-06-03", localStartsAt: "2041-06-03t10:00:00.1234567"'),
      impossibleDay: await change('day: "2041-02-30"'),
      localTimeWithOffset: await change('localStartsAt: "2041-06-03T10:00:00Z"'),
      filtered: await app.graphql(
        '{ games(filter: { day: { gte: "2041-06-03" }, localStartsAt: { lt: "2041-06-03T10:00:01" } }) { totalCount } }',
        {},
        { user },
      ),
    }).toEqual({
      changed: {
        updateGame: {
          day: '2041-06-03',
          legacy: { day: '2041-06-03T00:00:00Z', localDay: '2041-06-03T00:00:00Z' },
          localStartsAt: '2041-06-03T10:00:00.123456',
        },
      },
      impossibleDay: { errors: ['BAD_INPUT: input.day: expected a day such as 2026-03-01'] },
      localTimeWithOffset: {
        errors: ['BAD_INPUT: input.localStartsAt: expected a local time without an offset, such as 2026-03-01T09:30:00'],
      },
      filtered: { games: { totalCount: 1 } },
    });
  });

  test('a date of birth is a date, and its instant in `legacy` is equally private', async () => {
    await save('User', { id: 'born', legacy: { dateOfBirth: '1990-05-01T13:00:00+02:00' } });
    const query = '{ user(id: "born") { dateOfBirth legacy { dateOfBirth } } }';
    const { user } = await app.person();
    expect({ platform: await app.graphql(query), anotherUser: await app.graphql(query, {}, { user }) }).toEqual({
      platform: { user: { dateOfBirth: '1990-05-01', legacy: { dateOfBirth: '1990-05-01T11:00:00Z' } } },
      anotherUser: { user: { dateOfBirth: null, legacy: { dateOfBirth: null } } },
    });
  });
});

test('a Boolean that is stored as a number is returned as a number by `legacy`', async () => {
  const { user } = await app.person();
  const fields = '{ id age { isIgnored legacy { isIgnored } } }';
  const schedule = async (age: string) => {
    const game = `{ startsAt: "2041-06-02T14:30:00Z", timeZone: "America/Chicago", age: ${age} }`;
    return (await app.graphql(`mutation { scheduleGame(input: ${game}) ${fields} }`, {}, { user })).scheduleGame;
  };
  const games = {
    written: await schedule('{ isIgnored: true }'),
    legacy: await schedule('{ legacy: { isIgnored: 2 } }'),
    no: await schedule('{ isIgnored: false }'),
    none: await schedule('{}'),
  };
  const filtered = async (filter: string) =>
    (await app.graphql(`{ games(filter: { ${filter} }) { nodes { id } } }`)).games.nodes
      .map(({ id }: { id: string }) => id)
      .sort();
  expect({
    shown: Object.values(games).map(({ age }) => ({ isIgnored: age.isIgnored, legacy: age.legacy.isIgnored })),
    ignored: await filtered('ageIsIgnored: true'),
    notIgnored: await filtered('ageIsIgnored: false'),
    two: await filtered('legacy: { ageIsIgnored: { eq: 2 } }'),
  }).toEqual({
    shown: [
      { isIgnored: true, legacy: 1 },
      { isIgnored: true, legacy: 2 },
      { isIgnored: false, legacy: 0 },
      { isIgnored: null, legacy: null },
    ],
    ignored: [games.written.id, games.legacy.id].sort(),
    notIgnored: [games.no.id],
    two: [games.legacy.id],
  });
});
