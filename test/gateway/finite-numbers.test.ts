import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/app.js';

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
])('%s is refused by the name of its place', async (query, place) => {
  const answer = await app.graphql(query);
  expect(answer.errors).toEqual([expect.stringContaining(`${place}: expected a number`)]);
  expect(await app.sql.rows('select from team')).toEqual([]);
});

test('the greatest number is kept', async () => {
  await app.graphql('mutation { upsertTeam(input: { id: "a", rating: 1.7976931348623157e308 }) { id } }');
  expect(await app.graphql('{ team(id: "a") { rating } }')).toEqual({ team: { rating: 1.7976931348623157e308 } });
});
