import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { statementsOf } from '../../support/checks/statement-counter.js';
import { startApp, type TestApp } from '../../support/servers/app.js';

const hour = 3_600_000;
const now = Date.now();
const hoursFromNow = (hours: number) => new Date(now + hours * hour).toISOString();
const unix = (hours: number) => Math.floor((now + hours * hour) / 1000);

const flat = '/v1/tournaments/tourney_flat_data';
const data = '/v1/data/tourney_flat_data';

let app: TestApp;
const post = (payload: object, options: object = {}) => app.rest('POST', flat, app.platform, { payload, ...options });
const idsOrError = async (query: string) => {
  const { status, body } = await app.rest('GET', `${data}?${query}`, app.platform);
  return status === 200 ? body.results.map(({ TournamentID }: { TournamentID: string }) => TournamentID) : body.Message;
};

/** Five tournaments in the order in which they start. */
const season = [
  {
    TournamentID: 'past',
    Title: 'Past Open',
    TourneyFromDate: hoursFromNow(-72),
    TourneyToDate: hoursFromNow(-50),
    IsPrizeMoney: true,
    ClubID: 'a',
  },
  {
    TournamentID: 'called-off',
    Title: 'Off',
    TourneyFromDate: hoursFromNow(-30),
    TourneyToDate: hoursFromNow(30),
    CancelTourney: true,
    ClubID: 'b',
    GoverningBodies: [{ id: '3', approvedStatus: 'Requested' }],
  },
  {
    TournamentID: 'playing',
    Title: 'Ópen 100% now',
    TourneyFromDate: hoursFromNow(-20),
    TourneyToDate: hoursFromNow(20),
    SanctionUSAPA: true,
  },
  {
    TournamentID: 'registering',
    Title: 'Next_open',
    TourneyFromDate: hoursFromNow(200),
    TourneyToDate: hoursFromNow(240),
    RegistrationDateOpen: hoursFromNow(-1),
    RegistrationDateClosed: hoursFromNow(100),
    IsFeatured: true,
    SanctionPPA: true,
    ClubID: 'c',
    Latitude: 30.2672,
    Longitude: -97.7431,
  },
  {
    TournamentID: 'closed',
    Title: 'Later',
    TourneyFromDate: hoursFromNow(300),
    TourneyToDate: hoursFromNow(310),
    RegistrationDateOpen: hoursFromNow(-1),
    RegistrationDateClosed: hoursFromNow(100),
    IsRegClosed: true,
    hideTourneyOnSearchPage: true,
    Latitude: 30.6333,
    Longitude: -97.6772,
  },
];

beforeAll(async () => {
  app = await startApp();
  for (const payload of season) await post(payload);
});
afterAll(() => app.close());

describe('GET tourney_flat_data', () => {
  test.for<[string, string[]]>([
    ['', ['past', 'called-off', 'playing', 'registering', 'closed']],
    ['past_events=true', ['past']],
    ['upcomming_events=1', ['registering', 'closed']],
    ['past_events=false&upcomming_events=0', ['past', 'called-off', 'playing', 'registering', 'closed']],
    ['now_playing=TRUE', ['playing']],
    ['now_registering=true', ['registering']],
    ['is_featured=true', ['registering']],
    ['is_prize_money=true', ['past']],
    ['sanction_usapa=true&sanction_ppa=true', ['playing', 'registering']],
    ['sanction_ppa=true&is_prize_money=true', []],
    ['sanction_app=true', []],
    ['sanction_mlp=true', ['called-off']],
    ['sanction_mlp=true&sanction_usapa=true', ['called-off', 'playing']],
    ['club_id=a,c', ['past', 'registering']],
    ['search_name=OPEN', ['past', 'registering']],
    ['search_name=100%25', ['playing']],
    ['search_name=_', ['registering']],
    [`start_date=${unix(-10)}&end_date=${unix(210)}`, ['called-off', 'playing', 'registering']],
    [`end_date=${unix(-60)}`, ['past']],
    ['latitude=30.2672&longitude=-97.7431&distance=10', ['registering']],
    ['latitude=30.2672&longitude=-97.7431&distance=42', ['registering', 'closed']],
    ['latitude=30.2672&longitude=-97.7431&distance=26&unit_of_distance=mi', ['registering', 'closed']],
    ['latitude=30.2672&longitude=-97.7431&distance=26&unit_of_distance=km', ['registering']],
    ['latitude=30.2672&longitude=-97.7431', ['past', 'called-off', 'playing', 'registering', 'closed']],
    ['page_size=2&current_page=1', ['called-off', 'playing']],
    ['page_size=2&retrieve_all=true', ['past', 'called-off', 'playing', 'registering', 'closed']],
    ['nobody_knows=this', ['past', 'called-off', 'playing', 'registering', 'closed']],
  ])('%s', async ([query, expected]) => expect(await idsOrError(query)).toEqual(expected));

  test.for<[string, string]>([
    ['latitude=91&longitude=0&distance=1', 'latitude: expected a number from -90 to 90'],
    ['longitude=-181', 'longitude: expected a number from -180 to 180'],
    ['latitude=30&distance=5', 'longitude: expected a number beside distance'],
    ['distance=-1&latitude=30&longitude=5', 'distance: expected a whole number from 0 to 100000'],
    ['distance=near', 'distance: expected a number'],
    ['unit_of_distance=feet', 'unit_of_distance: expected one of km, mi'],
    ['now_playing=yes', 'now_playing: expected true, false, 1 or 0'],
    ['start_date=tomorrow', 'start_date: expected a number'],
    ['page_size=-1', 'page_size: expected a whole number of at least 0'],
    ['search_name=%00', 'search_name: expected text without NUL characters'],
  ])('rejects %s', async ([query, expected]) => expect(await idsOrError(query)).toBe(expected));

  test('returns a tournament by its code, which is case-insensitive', async () => {
    const { body: byUuid } = await app.rest('GET', `${data}?tournament_uuid=playing`, app.platform);
    const code: string = byUuid.result.PBTournamentCode;
    const { body: byCode } = await app.rest('GET', `${data}?tournament_code=${code}`, app.platform);
    const { body: byLowerCaseCode } = await app.rest('GET', `${data}?tournament_code=${code.toLowerCase()}`, app.platform);
    expect({ byCode, byLowerCaseCode }).toEqual({ byCode: byUuid, byLowerCaseCode: byUuid });
  });

  test('returns nothing for the uuid and the code of different tournaments', async () => {
    const { body } = await app.rest('GET', `${data}?tournament_uuid=playing`, app.platform);
    expect(await idsOrError(`tournament_uuid=nobody&tournament_code=${body.result.PBTournamentCode}`)).toEqual([]);
  });

  test('takes the same number of statements for any number of tournaments', async () => {
    const statements = (size: number) => statementsOf(app, () => idsOrError(`page_size=${size}`));
    expect(await statements(5)).toBe(await statements(1));
  });
});

describe('POST tourney_flat_data', () => {
  const names = async () => Object.keys((await post({ TournamentID: 'names' })).body.result);

  test('changes one field of one governing body and nothing else', async () => {
    await post({
      TournamentID: 'patched',
      Title: 'Kept',
      SanctionPPA: true,
      SantionLevelsPPATitle: 'Gold',
      SantionLevelsAPPTitle: 'Silver',
    });
    const { body: before } = await app.rest('GET', `${data}?tournament_uuid=patched`, app.platform);
    const otherFields = (await names()).filter((name) => name !== 'TournamentID' && name !== 'SantionLevelsAPPTitle');
    const { body: after } = await post(
      { TournamentID: 'patched', SantionLevelsAPPTitle: 'Bronze' },
      { fieldsToOmit: otherFields },
    );
    const { body: read } = await app.rest('GET', `${data}?tournament_uuid=patched`, app.platform);
    const { Title, SanctionPPA, SantionLevelsPPATitle, SantionLevelsAPPTitle } = after.result;
    expect({ Title, SanctionPPA, SantionLevelsPPATitle, SantionLevelsAPPTitle }).toEqual({
      Title: 'Kept',
      SanctionPPA: true,
      SantionLevelsPPATitle: 'Gold',
      SantionLevelsAPPTitle: 'Bronze',
    });
    expect(read).toEqual(before);
  });

  test.for<[fault: string, payload: object, message: string]>([
    [
      'a long level',
      { SantionLevelsUSAPTitle: 'x'.repeat(10_001) },
      'payload.SantionLevelsUSAPTitle: expected at most 10000 characters',
    ],
    [
      'a lone surrogate',
      { SanctionLevelAppovedStatusGPA: '\ud83d' },
      'payload.SanctionLevelAppovedStatusGPA: expected well-formed Unicode text',
    ],
  ])('rejects %s with the name of its field', async ([, payload, message]) =>
    expect((await post(payload)).body.Message).toBe(message),
  );

  test('stores concurrent changes of different fields', async () => {
    const bodies = ['GPA', 'PAA', 'PCO', 'SSIPA', 'WPF', 'PPA', 'APP', 'MLP'];
    const all = await names();
    await post({ TournamentID: 'contended' });
    await Promise.all(
      bodies.map((body) => {
        const field = `SantionLevels${body}Title`;
        return post(
          { TournamentID: 'contended', [field]: body },
          { fieldsToOmit: all.filter((name) => name !== 'TournamentID' && name !== field) },
        );
      }),
    );
    const { body } = await post({ TournamentID: 'contended' }, { fieldsToOmit: all.filter((name) => name !== 'TournamentID') });
    expect(bodies.map((name) => body.result[`SantionLevels${name}Title`])).toEqual(bodies);
  });

  test('does not change values that have no legacy field', async () => {
    const input = { id: 'mixed', isTest: true, titleSponsor: { title: 'Paddles Inc.' }, usesPartnerSports: true };
    await app.graphql('mutation ($input: TournamentInput!) { upsertTournament(input: $input) { id } }', { input });
    await post({ TournamentID: 'mixed', Title: 'Mixed' });
    const { body } = await app.rest('GET', `${data}?tournament_uuid=mixed`, app.platform);
    const { Title, IsTest, titleSponsorTitle, UsingPartnerSports, UsingPartnerSportsAlt } = body.result;
    expect({ Title, IsTest, titleSponsorTitle, UsingPartnerSports, UsingPartnerSportsAlt }).toEqual({
      Title: 'Mixed',
      IsTest: true,
      titleSponsorTitle: 'Paddles Inc.',
      UsingPartnerSports: true,
      UsingPartnerSportsAlt: true,
    });
  });
});

describe('tournament_referee', () => {
  const list = async (query: string) => (await app.rest('GET', `/v1/data/tournament_referee?${query}`, app.platform)).body;
  const assign = (tournament_uuid: string, user_uuid: string) =>
    app.rest('POST', '/v1/tournament_referee/upsert', app.platform, { payload: { tournament_uuid, user_uuid } });

  test('fieldsToOmit does not omit the fields that identify a referee', async () => {
    const payload = { tournament_uuid: 'omitted', user_uuid: 'u1' };
    const upsert = { payload, fieldsToOmit: ['tournament_uuid', 'user_uuid'] };
    const { body } = await app.rest('POST', '/v1/tournament_referee/upsert', app.platform, upsert);
    expect(body.result).toMatchObject({ tournamentUuid: 'omitted', userUuid: 'u1' });
  });

  test('concurrent upserts of one referee create one record', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => assign('crowded', 'u1')));
    expect({
      distinctUuids: new Set(answers.map(({ body }) => body.result.uuid)).size,
      total: (await list('tournament_uuid=crowded')).totalRecords,
    }).toEqual({ distinctUuids: 1, total: '1' });
  });

  test('a bulk delete deletes the referees of the tournament in its path or its query', async () => {
    for (const [tournament, user] of [
      ['x', 'u1'],
      ['x', 'u2'],
      ['y', 'u1'],
      ['z', 'u1'],
    ] as const)
      await assign(tournament, user);
    await app.rest('DELETE', '/v1/tournament_referee/x', app.platform);
    await app.rest('DELETE', '/v1/tournament_referee?tournament_uuid=y', app.platform);
    const total = async (tournament: string) => (await list(`tournament_uuid=${tournament}`)).totalRecords;
    expect({ x: await total('x'), y: await total('y'), z: await total('z') }).toEqual({ x: '0', y: '0', z: '1' });
  });

  test('a list takes the same number of statements for any number of referees', async () => {
    const { id } = await app.person();
    for (const user of [id, 'u1', 'u2', 'u3']) await assign('named', user);
    await assign('single', id);
    const statements = (tournament: string) => statementsOf(app, () => list(`tournament_uuid=${tournament}`));
    expect(await statements('named')).toBe(await statements('single'));
  });
});

test('a number that is too large for JSON numbers is returned as 0', async () => {
  const response = await app.rest('POST', '/v1/teams/upsert', app.platform, { payload: { ratingGamesPlayed: '9'.repeat(400) } });
  expect(response).toMatchObject({ status: 200, body: { result: { ratingGamesPlayed: 0 } } });
});
