import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Person, startApp, type TestApp } from '../../support/servers/app.js';

let app: TestApp;
let ana: Person;
beforeAll(async () => {
  app = await startApp();
  ana = await app.person();
});
afterAll(() => app.close());

const timeZone = 'America/Chicago';
const midnight = '2041-03-02T00:00:00Z';
const evening = '2041-03-02T20:00:00Z';
const night = '2041-03-02T03:00:00Z';

test.each<[string, object, string | null]>([
  ['nothing', {}, null],
  ['a day', { day: '2041-03-02', timeZone }, '2041-03-02'],
  ['a date', { legacy: { day: midnight }, timeZone }, '2041-03-02'],
  ['a date in an unknown time zone', { legacy: { day: midnight }, timeZone: 'Atlantis' }, '2041-03-02'],
  ['an instant', { legacy: { day: evening }, timeZone }, '2041-03-02'],
  ['an instant of the previous local day', { legacy: { day: night }, timeZone }, '2041-03-01'],
  ['an instant without a time zone', { legacy: { day: night } }, '2041-03-02'],
  ['an instant and another local day', { legacy: { day: night, localDay: '2041-03-05T09:00:00Z' }, timeZone }, '2041-03-05'],
  ['a date and another local day', { legacy: { day: midnight, localDay: '2041-03-05T00:00:00Z' }, timeZone }, '2041-03-05'],
  ['a local day', { legacy: { localDay: '2041-03-05T09:00:00Z' }, timeZone }, '2041-03-05'],
])('the `day` filter finds a game with %s by its `day` field', async (_, input, day) => {
  const { scheduleGame } = await app.graphql(
    'mutation ($input: GameInput!) { scheduleGame(acceptsLegacyValues: true, input: $input) { id day } }',
    { input },
    ana,
  );
  const { id } = scheduleGame;
  const condition = day === null ? '{ isNull: true }' : `{ eq: "${day}" }`;
  const { games } = await app.graphql(`{ games(filter: { id: { eq: "${id}" }, day: ${condition} }) { nodes { day } } }`, {}, ana);
  expect({ day: scheduleGame.day, filtered: games.nodes }).toEqual({ day, filtered: [{ day }] });
});

test('an updated day replaces the raw days of the original input, and repetitions follow it', async () => {
  const input = { legacy: { day: night, localDay: '2041-03-05T09:00:00Z' }, timeZone };
  const { scheduleGame } = await app.graphql(
    'mutation ($input: GameInput!) { scheduleGame(acceptsLegacyValues: true, input: $input) { id } }',
    { input },
    ana,
  );
  const day = new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10);
  const next = new Date(Date.now() + 14 * 86_400_000).toISOString().slice(0, 10);
  const { updateGame } = await app.graphql(
    `mutation { updateGame(id: "${scheduleGame.id}", input: { day: "${day}", isRepeated: true, repeats: WEEKLY }) { day legacy { day } repetitions(first: 1, orderBy: [{ field: DAY }]) { nodes { day } } } }`,
    {},
    ana,
  );
  const { body } = await app.rest('GET', `/v1/data/game_scheduler?retrieve_all=true`, ana);
  const legacy = body.results.find(({ uuid }: { uuid: string }) => uuid === scheduleGame.id);
  expect({ updateGame, legacyDate: legacy.date }).toEqual({
    updateGame: { day, legacy: { day: `${day}T00:00:00Z` }, repetitions: { nodes: [{ day: next }] } },
    legacyDate: `${day}T00:00:00Z`,
  });
});
