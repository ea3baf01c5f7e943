import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const upsert = (input: object) => app.graphql('mutation ($input: TournamentInput!) { upsertTournament(input: $input) { id } }', { input });
const titles = async (filter: object) =>
  (await app.graphql('query ($filter: TournamentFilter) { tournaments(filter: $filter) { nodes { title } } }', { filter })).tournaments.nodes.map(
    ({ title }: { title: string }) => title,
  );

test('a search forgives a misspelling and puts exact hits first', async () => {
  for (const title of ['Austin Open', 'Boston Classic', 'Autsin Open']) await upsert({ title });
  expect(await titles({ search: 'autsin open' })).toEqual(['Autsin Open', 'Austin Open']);
});
