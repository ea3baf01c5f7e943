import { expect, test } from 'vitest';
import { row, sampleGraph } from './sample-graph.js';
import { serve } from './server.js';

const tournament = row('t1', { title: 'Austin Open', clubId: 'c1' });
const flat = {
  TournamentID: 't1',
  Title: 'Austin Open',
  LocationCity: '',
  Latitude: 0,
  Longitude: 0,
  TourneyFromDate: null,
  IsFeatured: false,
  RegistrationCount: 0,
  Rating: 0,
  CostRegistrationCurrent: 0,
  Level: '',
  Tags: [],
  GoverningBodies: [],
  SanctionPPA: false,
  SanctionAPP: false,
  SantionLevelsPPATitle: '',
  Settings: null,
  club_id: 'c1',
  dateCreated: '2026-01-01T00:00:00Z',
};

test.for<[string, unknown, number, unknown]>([
  ['GET /v1/data/tournaments/t1', undefined, 200, { result: flat }],
  ['GET /v1/data/tournaments?tournament_uuid=t1', undefined, 200, { result: flat }],
  ['GET /v1/data/tournaments?tournament_uuid=t9', undefined, 200, { totalRecords: '1', results: [flat] }],
  ['GET /v1/data/tournaments?tournament_uuid=', undefined, 200, { totalRecords: '1', results: [flat] }],
  ['GET /v1/data/all_tournaments', undefined, 200, { total_records: 1, result: [flat] }],
  ['GET /v1/data/some_tournaments', undefined, 200, { total_records: '1', results: [flat], reactions: {} }],
  [
    'GET /v1/data/places',
    undefined,
    200,
    {
      places: [
        { City: 'Austin', Latitude: '' },
        { City: 'Dallas', Latitude: '' },
      ],
    },
  ],
  [
    'PUT /v1/tournaments/t1',
    { payload: { TournamentID: 'other', Title: 'New', club_id: 'c1' } },
    200,
    { payload: { ...flat, Title: 'New' } },
  ],
  [
    'PUT /v1/tournaments/t1?fieldsToOmit=club_id,Title',
    { payload: { Title: 'New' }, fieldsToOmit: ['Unknown'] },
    200,
    { payload: flat },
  ],
  ['PUT /v1/tournaments/t1?fieldsToOmit=club_id', { payload: { Title: 'New' }, fieldsToOmit: ['Title'] }, 200, { payload: flat }],
  [
    'PUT /v1/tournaments/t1',
    { payload: { club_id: null, unheard: {} }, fieldsToOmit: ['Title'] },
    200,
    { payload: { ...flat, club_id: '' } },
  ],
  ['PATCH /v1/tournaments/t1', { payload: { Title: 'New' } }, 200, { ...flat, Title: 'New' }],
  ['DELETE /v1/tournaments/t1', undefined, 200, {}],
  ['DELETE /v1/tournaments?club_id=c1', undefined, 204, ''],
  ['DELETE /v1/tournaments', { payload: { clubId: 'c1' } }, 204, ''],
  [
    'DELETE /v1/tournaments?club_id=',
    undefined,
    400,
    expect.objectContaining({ Message: 'club_id or payload.clubId: expected a value' }),
  ],
  ['POST /v1/sign_up', { payload: { email: 'a@b.c' } }, 200, { response: { mailSent: true } }],
  ['GET /v1/optional/t1', undefined, 200, { valid: true }],
  ['GET /v1/optional/t9', undefined, 204, ''],
  ['POST /sso_platform/token', undefined, 200, ['LOCAL', 'NATIONAL']],
])('%s with %j is %i', async ([route, body, status, answer]) => {
  const { send } = await serve(sampleGraph([tournament]));
  const response = await send(route, { as: route.startsWith('PATCH') ? 'U' : 'P', body });
  expect({ status: response.status, body: response.body }).toEqual({ status, body: answer });
});

test('a record created from a body without a payload returns 201', async () => {
  const { send } = await serve(sampleGraph());
  const { status, body } = await send('POST /v1/shaped', {
    body: { uuid: 's1', title: 'a', count: 3, tags: 'x,y', level: 1, starts_at: '1772357400' },
  });
  expect({ status, body }).toEqual({
    status: 201,
    body: {
      shaped: {
        uuid: 's1',
        count: '3',
        level: 1,
        tags: 'x,y',
        club: 0,
        rating: null,
        starts_at: 1772357400,
        title_upper: 'A',
        kind: 'tournament',
        featured_alt: false,
        place: { City: '', Latitude: '' },
        code: 'none',
        title: 'a',
      },
    },
  });
});

test.for([
  ['', undefined, 'nobody'],
  ['', 'Firefox', 'Firefox'],
  ['U', undefined, 'u1'],
])('firstPresent takes the first value that is present: as "%s" with browser %s', async ([as, browser, id]) => {
  const { send } = await serve(sampleGraph());
  const { body } = await send('GET /v1/users/u1/seen', { as: as || 'P', headers: browser ? { BROWSER: browser } : {} });
  expect(body).toEqual({ id });
});

test.for<[string, unknown]>([
  ['', { first: 25 }],
  ['club_id=a,b,,a&club_id=c', { filter: { clubIds: ['a', 'b', 'c'] }, first: 25 }],
  ['club_id=a,%20b%20,%20', { filter: { clubIds: ['a', 'b'] }, first: 25 }],
  ['club_id=&is_featured=', { first: 25 }],
  ['is_featured=FALSE', { first: 25 }],
  ['is_featured=True&unknown=1', { filter: { isFeatured: true }, first: 25 }],
  ['is_featured=1&is_featured=nonsense', { filter: { isFeatured: true }, first: 25 }],
  ['start_date=1772357400', { filter: { startsAfter: '2026-03-01T09:30:00Z' }, first: 25 }],
  ['page_size=7&current_page=14', { first: 7, offset: 14 }],
  ['page_size=0&current_page=0', { first: 25 }],
  ['page_size=1000', { first: 100 }],
  ['page_size=10&current_page=99999999999', { first: 10, offset: 2147483647 }],
  ['retrieve_all=true&page_size=3&current_page=9', { first: 100 }],
  ['retrieve_all=true&page_size=5000', { first: 100 }],
  ['retrieve_all=false', { first: 25 }],
  ['latitude=1', { first: 25 }],
])('the query "%s" sets the variables %j', async ([query, variables]) => {
  const graph = sampleGraph();
  const { send } = await serve(graph);
  await send(`GET /v1/data/tournaments?${query}`, { as: 'P' });
  expect(graph.operationVariables).toEqual([variables]);
});

test.for([
  ['is_featured=maybe', 'is_featured: expected true, false, 1 or 0'],
  ['retrieve_all=yes', 'retrieve_all: expected true, false, 1 or 0'],
  ['page_size=-1', 'page_size: expected a whole number of at least 0'],
  ['page_size=1.5', 'page_size: expected a whole number'],
  ['page_size=1001', 'page_size: expected a whole number of at most 1000'],
  ['page_size=99999999999&current_page=1', 'page_size: expected a whole number of at most 1000'],
  ['page_size=ten', 'page_size: expected a number'],
  ['current_page=-1', 'current_page: expected a whole number of at least 0'],
  ['latitude=91&longitude=0', 'latitude: expected a number from -90 to 90'],
  ['latitude=1e999', 'latitude: expected a number'],
  ['start_date=tomorrow', 'start_date: expected a number'],
  ['start_date=999999999999999', 'start_date: expected Unix seconds'],
  ['club_id=a%00', 'club_id: expected text without NUL characters'],
])('rejects the query "%s"', async ([query, message]) => {
  const { send } = await serve(sampleGraph());
  expect((await send(`GET /v1/data/tournaments?${query}`, { as: 'P' })).body).toMatchObject({ Code: 400, Message: message });
});

test.for<[string, unknown]>([
  ['current_page=0', { first: 25 }],
  ['current_page=1', { first: 25 }],
  ['current_page=3&page_size=10', { first: 10, offset: 20 }],
  ['current_page=3&page_size=500', { first: 100, offset: 1000 }],
  ['current_page=2147483647&page_size=100', { first: 100, offset: 2147483647 }],
])('with paging by page number, "%s" sets the variables %j', async ([query, variables]) => {
  const graph = sampleGraph();
  const { send } = await serve(graph, { paging: 'pages' });
  await send(`GET /v1/data/tournaments?${query}`, { as: 'P' });
  expect(graph.operationVariables).toEqual([variables]);
});
