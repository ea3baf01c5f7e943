import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../support/servers/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

test.each([
  ['mutation { upsertTeam(input: { id: "a", rating: 1e400 }) { id } }', 'input.rating'],
  ['mutation { upsertTeam(input: { id: "a", rating: -1e400 }) { id } }', 'input.rating'],
  [`mutation { upsertTeam(input: { id: "a", rating: ${'9'.repeat(400)} }) { id } }`, 'input.rating'],
  ['mutation ($r: Float = 1e400) { upsertTeam(input: { id: "a", rating: $r }) { id } }', '$r'],
  ['{ teams(filter: { rating: { gt: 1e400 } }) { totalCount } }', 'filter.rating.gt'],
])('%s is rejected, because %s exceeds the range of doubles', async (query, path) => {
  const { errors } = await app.graphql(query);
  expect(errors).toEqual([expect.stringContaining(`${path}: expected a number`)]);
  expect(await app.sql.rows('select from team')).toEqual([]);
});

test('the largest double is stored and returned', async () => {
  await app.graphql('mutation { upsertTeam(input: { id: "a", rating: 1.7976931348623157e308 }) { id } }');
  expect(await app.graphql('{ team(id: "a") { rating } }')).toEqual({ team: { rating: 1.7976931348623157e308 } });
});
