import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/servers/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const timestamp = 'an ISO 8601 timestamp such as 2026-03-01T09:30:00Z';

async function problems(route: string, body?: unknown): Promise<string[]> {
  const [method = '', path = ''] = route.split(' ');
  const { status, body: answer } = await app.rest(method, path, app.platform, body);
  expect({ status, code: answer.Code }).toEqual({ status: 400, code: 400 });
  return answer.Message.split('; ');
}

test('reports all invalid fields of a payload, including those that the GraphQL schema limits', async () => {
  const payload = {
    Title: true,
    TourneyFromDate: 'soon',
    Latitude: 91,
    Longitude: 'west',
    LocationCity: 'x'.repeat(10_001),
    GoverningBodies: [{ id: {} }, {}, { id: [] }],
    SantionLevelsPPATitle: 'x'.repeat(10_001),
  };
  expect(await problems('POST /v1/tournaments/tourney_flat_data', { payload })).toEqual([
    'payload.Title: expected a string',
    'payload.Longitude: expected a number',
    `payload.TourneyFromDate: expected ${timestamp}`,
    'payload.GoverningBodies[0].id: expected a string',
    'payload.GoverningBodies[2].id: expected a string',
    'payload.LocationCity: expected at most 10000 characters',
    'payload.Latitude: expected a number from -90 to 90',
    'payload.SantionLevelsPPATitle: expected at most 10000 characters',
  ]);
});

test.each<[string, unknown, string[]]>([
  [
    'GET /v1/data/tourney_flat_data?latitude=91&distance=1&longitude=x&now_playing=maybe&sanction_ppa=7&sanction_app=constructor&page_size=-1',
    undefined,
    [
      'latitude: expected a number from -90 to 90',
      'longitude: expected a number',
      'now_playing: expected true, false, 1 or 0',
      'sanction_app: expected true, false, 1 or 0',
      'sanction_ppa: expected true, false, 1 or 0',
      'page_size: expected a whole number of at least 0',
    ],
  ],
  [
    'GET /v1/data/partner_rankings?partner=NBA&race=now&division_type=3&gender=X&retrieve_all=often',
    undefined,
    [
      'partner: expected one of PPA',
      'race: expected a number',
      'gender: expected one of M, F',
      'retrieve_all: expected true, false, 1 or 0',
    ],
  ],
  [
    'POST /v1/tournament_event_final_standings/upsert',
    { payload: { score: [] }, fieldsToOmit: [7] },
    ['fieldsToOmit: expected an array of strings', 'payload.event_uuid: expected a value', 'payload.team_uuid: expected a value'],
  ],
  ['POST /v1/leagues/send-message', { payload: {} }, ['user_uuids: expected a value', 'payload.message_text: expected a value']],
  [
    'POST /v1/pub/register_users',
    { payload: { email: 'nobody', password: 'short', phone: '1', custom_url: 'x', firstName: 'x'.repeat(10_001) } },
    [
      'payload.email: expected an e-mail address such as ana@example.com',
      'payload.custom_url: expected a URL that starts with https:// or http://',
      'payload.password: expected 8 to 200 characters',
      'payload.phone: expected a phone number such as +1 512 555 0123',
      'payload.firstName: expected at most 200 characters',
    ],
  ],
  [
    'POST /v1/pub/register_users',
    { payload: { password: 7.5, gender: 'X', phone: {} } },
    [
      'payload.phone: expected a string',
      'payload.email: expected a value',
      'payload.gender: expected one of F, M',
      'payload.password: expected 8 to 200 characters',
    ],
  ],
  [
    'POST /v1/admin/rankings/upsert',
    { payload: { points: 'many' } },
    [
      'payload.points: expected a number',
      'payload.playerUuid: expected the id of a player',
      'payload.eventUuid: expected the id of an event',
    ],
  ],
  [
    'POST /v1/users/upsert',
    { payload: { email: 'nobody', gender: 'X', firstName: 'x'.repeat(201) } },
    [
      'payload.gender: expected one of F, M',
      'payload.email: expected an e-mail address such as ana@example.com',
      'payload.firstName: expected at most 200 characters',
    ],
  ],
  [
    'POST /v1/game_scheduler',
    { payload: { ownerUuid: 'ana', maximumCount: 'many', invitePlayersEmails: ['ana@example.com', 'nobody'] } },
    [
      'payload.maximumCount: expected a number',
      'payload.invitePlayersEmails[1]: expected an e-mail address such as ana@example.com',
    ],
  ],
  [
    'POST /v1/users/ana/image',
    { payload: { url: {} } },
    ['payload.url: expected a string', 'payload.type: expected an image type'],
  ],
])('%s reports all problems in one error', async (route, body, messages) => {
  expect(await problems(route, body)).toEqual(messages);
});

test('a PUT changes the record of its path, and ignores the ID in its payload', async () => {
  const create = (path: string, payload: object) => app.rest('POST', path, app.platform, { payload });
  await create('/v1/leagues/upsert', { leagueId: 'league', title: 'League' });
  await create('/v1/referee/prematches', { uuid: 'prematch' });
  const put = async (path: string, payload: object) => (await app.rest('PUT', path, app.platform, { payload })).body;
  const league = await put('/v1/leagues/league', { leagueId: 'other', title: 'Moved' });
  const prematch = await put('/v1/referee/prematches/prematch', { uuid: 'other' });
  expect({ leagueId: league.result.leagueId, prematchId: prematch.result.uuid }).toEqual({
    leagueId: 'league',
    prematchId: 'prematch',
  });
});
