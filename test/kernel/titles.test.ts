import { readFileSync } from 'node:fs';
import { buildSchema, isNonNullType, isObjectType } from 'graphql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { instantAt } from '../support/fixtures/tournaments.js';
import { startApp, type TestApp, type Tokens } from '../support/servers/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

/** Mutations that create a record without a title, keyed by type. */
const mutations: Record<string, string> = {
  Category: 'upsertCategory(input: { id: "untitled" })',
  Club: 'upsertClub(input: {})',
  DiscountCode: 'createDiscountCode(input: {})',
  Game: `scheduleGame(input: { startsAt: "${instantAt(5)}" })`,
  GameGroup: 'upsertGameGroup(input: {})',
  InvoiceItem: 'createInvoiceItem(input: {})',
  League: 'createLeague(input: {})',
  LeagueListing: 'upsertLeagueListing(input: {})',
  NewsItem: 'createNewsItem(input: {})',
  NewsOutlet: 'createNewsOutlet(input: {})',
  Sponsor: 'createSponsor(input: {})',
  Tournament: 'createTournament(input: {})',
  TournamentEvent: 'createEvent(input: {})',
};

/** Record types that have a nullable title in the schema. */
const nullableTitles = Object.values(buildSchema(readFileSync('schema/schema.graphql', 'utf8')).getTypeMap())
  .filter((type) => isObjectType(type))
  .filter((type) => type.getInterfaces().some(({ name }) => name === 'Node'))
  .filter((type) => {
    const { title } = type.getFields();
    return title && !isNonNullType(title.type);
  });

test('the title of a record is nullable only if a record without a title can be stored', async () => {
  const player = await app.person();
  const callers: Record<string, Tokens> = {
    Category: await app.person({ roles: ['NEWS_CREATOR'] }),
    Game: player,
    GameGroup: player,
  };
  const results: Record<string, unknown> = {};
  for (const [type, mutation] of Object.entries(mutations)) {
    const { errors, saved } = await app.graphql(`mutation { saved: ${mutation} { title } }`, {}, callers[type] ?? app.platform);
    results[type] = errors ?? saved;
  }
  const expected = nullableTitles.map(({ name }): [string, object] => [name, { title: null }]);
  expect(results).toEqual(Object.fromEntries(expected));
});
