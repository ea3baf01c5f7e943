import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../support/servers/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
  await app.sql.rows(
    "insert into prematch (id, match_id, reported_created_at) select 'p' || i, 'm' || i % 4, timestamptz '2026-03-01' + i * interval '1 hour' from generate_series(1, 120) i",
  );
});
afterAll(() => app.close());

const pageOf = async (query: string) => {
  const { body } = await app.rest('GET', `/v1/referee/prematches${query}`, app.platform);
  return { total: body.total_records, count: body.results.length, first: body.results[0]?.uuid, last: body.results.at(-1)?.uuid };
};

test.each([
  ['', { total: '120', count: 25, first: 'p120', last: 'p96' }],
  ['?current_page=25', { total: '120', count: 25, first: 'p95', last: 'p71' }],
  ['?page_size=10', { total: '120', count: 10, first: 'p120', last: 'p111' }],
  ['?retrieve_all=true', { total: '120', count: 120, first: 'p120', last: 'p1' }],
  ['?match_uuid=m3', { total: '30', count: 25, first: 'p119', last: 'p23' }],
  ['?match_uuid=m3&retrieve_all=true', { total: '30', count: 30, first: 'p119', last: 'p3' }],
  ['?match_uuid=unknown', { total: '0', count: 0, first: undefined, last: undefined }],
])('GET /v1/referee/prematches%s', async (query, expected) => expect(await pageOf(query)).toEqual(expected));

test.each(['prematches', 'pregames'])('reading, changing or deleting unknown %s returns 404', async (records) => {
  const path = `/v1/referee/${records}/nobody`;
  expect({
    get: (await app.rest('GET', path, app.platform)).status,
    put: (await app.rest('PUT', path, app.platform, { payload: {} })).status,
    delete: (await app.rest('DELETE', path, app.platform)).status,
  }).toEqual({ get: 404, put: 404, delete: 404 });
});

test('a PUT changes the record of its path, and ignores the uuid of its payload', async () => {
  const payload = { uuid: 'p2', match_uuid: 'moved' };
  await app.rest('PUT', '/v1/referee/prematches/p1', app.platform, { payload });
  expect(await app.sql.rows("select id, match_id from prematch where id in ('p1', 'p2') order by id")).toEqual([
    { id: 'p1', match_id: 'moved' },
    { id: 'p2', match_id: 'm2' },
  ]);
});

test('a PUT does not change date_created', async () => {
  const { body } = await app.rest('PUT', '/v1/referee/prematches/p3', app.platform, { payload: { match_uuid: 'm3' } });
  expect(body.result.date_created).toBe('2026-03-01T03:00:00Z');
});
