import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/app.js';

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
describe('a whole number', () => {
  test('is null where a fraction or more than 32 bits were sent, which stand beside it and in /v1', async () => {
    const seeds = [1.5, 3e9, 7, -0, null];
    const seen = [];
    for (const [index, seed] of seeds.entries()) {
      const { body } = await app.rest('POST', '/v1/teams/upsert', app.platform, { payload: { uuid: `seed-${index}`, seed } });
      const { team } = await app.graphql(`{ team(id: "seed-${index}") { seed seedRaw } }`);
      seen.push([body.result.seed, ...Object.values(team)]);
    }
    expect(seen).toEqual([
      ['1.5', null, 1.5],
      ['3000000000', null, 3e9],
      ['7', 7, 7],
      ['0', 0, 0],
      ['0', null, null],
    ]);
    expect([await ids('teams', 'seed: { gte: 1 }'), await ids('teams', 'seedRaw: { lt: 2, gt: 1 }')]).toEqual([
      ['seed-2'],
      ['seed-0'],
    ]);
  });

  test('that was text is compared and ordered as a number', async () => {
    for (const [id, registrationCount] of Object.entries({
      nine: '9',
      ten: '10',
      many: 'many',
      huge: '99999999999',
      zero: '7.0',
    }))
      await app.rest('POST', '/v1/leagues/upsert', app.platform, { payload: { leagueId: id, registrationCount } });
    const { leagues } = await app.graphql(
      '{ leagues(orderBy: [{ field: REGISTRATION_COUNT }]) { nodes { id registrationCount registrationCountRaw } } }',
    );
    const seen = leagues.nodes.map((league: object) => Object.values(league));
    expect(seen.slice(0, 3)).toEqual([
      ['zero', 7, '7.0'],
      ['nine', 9, '9'],
      ['ten', 10, '10'],
    ]);
    expect(
      seen
        .slice(3)
        .map(([id, count]: unknown[]) => [id, count])
        .toSorted(),
    ).toEqual([
      ['huge', null],
      ['many', null],
    ]);
    expect(await ids('leagues', 'registrationCount: { gt: 8 }', 'ID')).toEqual(['nine', 'ten']);
    const pages = await app.graphql(
      `query ($after: String) { leagues(first: 1, after: $after, orderBy: [{ field: REGISTRATION_COUNT }]) { nodes { id } pageInfo { endCursor } } }`,
      {
        after: (await app.graphql('{ leagues(first: 2, orderBy: [{ field: REGISTRATION_COUNT }]) { pageInfo { endCursor } } }'))
          .leagues.pageInfo.endCursor,
      },
    );
    expect(pages.leagues.nodes).toEqual([{ id: 'ten' }]);
    const { body } = await app.rest('GET', '/v1/data/leagues/many', app.platform);
    expect(body.registrationCount).toBe('many');
  });

  test('is written as one, and refused otherwise', async () => {
    const saved = await save('League', { id: 'written', registrationCount: 12 }, 'registrationCountRaw');
    const refused = await save('League', { id: 'written', registrationCount: 1.5 });
    expect([saved, refused]).toEqual([
      { upsertLeague: { registrationCountRaw: '12' } },
      { errors: ['BAD_INPUT: input.registrationCount: expected an integer of 32 bits'] },
    ]);
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
])('an offset of %s is %i seconds, in filters, too', async (utcOffsetRaw, seconds) => {
  const id = `offset ${utcOffsetRaw}`;
  const { upsertLeague } = await save('League', { id, utcOffsetRaw }, 'utcOffset utcOffsetRaw');
  const filter = seconds === null ? 'isNull: true' : `eq: ${seconds}`;
  expect([upsertLeague, await ids('leagues', `id: { eq: "${id}" }, utcOffset: { ${filter} }`)]).toEqual([
    { utcOffset: seconds, utcOffsetRaw },
    [id],
  ]);
});

test('an amount that was text is exact, and what is none stays visible', async () => {
  const seen = [];
  for (const totalAmountRaw of ['45.50', '0.1000000000000000000001', '45,50']) {
    const { upsertProviderRequest } = await save(
      'ProviderRequest',
      { id: `amount ${totalAmountRaw}`, totalAmountRaw },
      'totalAmount totalAmountRaw',
    );
    seen.push(Object.values(upsertProviderRequest));
  }
  expect([seen, await ids('providerRequests', 'totalAmount: { gt: "45.4" }')]).toEqual([
    [
      ['45.5', '45.50'],
      [null, '0.1000000000000000000001'],
      [null, '45,50'],
    ],
    ['amount 45.50'],
  ]);
});

describe('days and local times', () => {
  test('of a game are those of its place; /v1 has them as they were sent', async () => {
    const { user } = await app.person();
    const { body } = await app.rest(
      'POST',
      '/v1/game_scheduler',
      { user },
      {
        payload: { dateLocalized: '2041-06-02T11:00:00Z', startTimeLocalized: '2041-06-02T09:30:00.25Z' },
      },
    );
    expect([body.result.dateLocalized, body.result.startTimeLocalized]).toEqual([
      '2041-06-02T11:00:00Z',
      '2041-06-02T09:30:00.25Z',
    ]);
    const fields = '{ day dayRaw localDayRaw localStartsAt }';
    const { game } = await app.graphql(`{ game(id: "${body.result.uuid}") ${fields} }`, {}, { user });
    expect(game).toEqual({
      day: '2041-06-02',
      dayRaw: null,
      localDayRaw: '2041-06-02T11:00:00Z',
      localStartsAt: '2041-06-02T09:30:00.25',
    });
    const change = (input: string) =>
      app.graphql(`mutation { updateGame(id: "${body.result.uuid}", input: {${input}}) ${fields} }`, {}, { user });
    expect([
      await change('day: "2041-06-03", localStartsAt: "2041-06-03t10:00:00.1234567"'),
      await change('day: "2041-02-30"'),
      await change('localStartsAt: "2041-06-03T10:00:00Z"'),
      await app.graphql(
        '{ games(filter: { day: { gte: "2041-06-03" }, localStartsAt: { lt: "2041-06-03T10:00:01" } }) { totalCount } }',
        {},
        { user },
      ),
    ]).toEqual([
      {
        updateGame: {
          day: '2041-06-03',
          dayRaw: '2041-06-03T00:00:00Z',
          localDayRaw: null,
          localStartsAt: '2041-06-03T10:00:00.123456',
        },
      },
      { errors: ['BAD_INPUT: input.day: expected a day such as 2026-03-01'] },
      { errors: ['BAD_INPUT: input.localStartsAt: expected a local time without an offset, such as 2026-03-01T09:30:00'] },
      { games: { totalCount: 1 } },
    ]);
  });

  test('a date of birth is a day, and its moment is as private as it', async () => {
    await save('User', { id: 'born', dateOfBirthRaw: '1990-05-01T13:00:00+02:00' });
    const query = '{ user(id: "born") { dateOfBirth dateOfBirthRaw } }';
    const { user } = await app.person();
    expect([await app.graphql(query), await app.graphql(query, {}, { user })]).toEqual([
      { user: { dateOfBirth: '1990-05-01', dateOfBirthRaw: '1990-05-01T11:00:00Z' } },
      { user: { dateOfBirth: null, dateOfBirthRaw: null } },
    ]);
  });
});
