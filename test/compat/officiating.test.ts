import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
  await app.sql.rows(
    "insert into prematch (id, match_id, reported_created_at) select 'p' || i, 'm' || i % 4, timestamptz '2026-03-01' + i * interval '1 hour' from generate_series(1, 120) i",
  );
});
afterAll(() => app.close());

const ids = async (query: string) => {
  const { body } = await app.rest('GET', `/v1/referee/prematches${query}`, app.platform);
  return [body.total_records, body.results.length, body.results[0]?.uuid, body.results.at(-1)?.uuid];
};

test.each([
  ['', ['120', 25, 'p120', 'p96']],
  ['?current_page=25', ['120', 25, 'p95', 'p71']],
  ['?page_size=10', ['120', 10, 'p120', 'p111']],
  ['?retrieve_all=true', ['120', 120, 'p120', 'p1']],
  ['?match_uuid=m3', ['30', 25, 'p119', 'p23']],
  ['?match_uuid=m3&retrieve_all=true', ['30', 30, 'p119', 'p3']],
  ['?match_uuid=unknown', ['0', 0, undefined, undefined]],
])('GET /v1/referee/prematches%s', async (query, expected) => expect(await ids(query)).toEqual(expected));

test.each(['prematches', 'pregames'])('reading, changing and deleting %s that are not there is 404', async (records) => {
  const path = `/v1/referee/${records}/nobody`;
  const answers = [
    await app.rest('GET', path, app.platform),
    await app.rest('PUT', path, app.platform, { payload: {} }),
    await app.rest('DELETE', path, app.platform),
  ];
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
});

test('the path says which record a PUT changes, whatever its payload says', async () => {
  const payload = { uuid: 'p2', match_uuid: 'moved' };
  await app.rest('PUT', '/v1/referee/prematches/p1', app.platform, { payload });
  expect(await app.sql.rows("select id, match_id from prematch where id in ('p1', 'p2') order by id")).toEqual([
    { id: 'p1', match_id: 'moved' },
    { id: 'p2', match_id: 'm2' },
  ]);
});

test('a PUT keeps when the record was created', async () => {
  const { body } = await app.rest('PUT', '/v1/referee/prematches/p3', app.platform, { payload: { match_uuid: 'm3' } });
  expect(body.result.date_created).toBe('2026-03-01T03:00:00Z');
});
