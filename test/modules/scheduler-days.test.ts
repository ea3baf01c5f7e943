import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Person, startApp, type TestApp } from '../support/app.js';

let app: TestApp;
let ana: Person;
beforeAll(async () => {
  app = await startApp();
  ana = await app.person();
});
afterAll(() => app.close());

const timeZoneRaw = 'America/Chicago';
const midnight = '2041-03-02T00:00:00Z';
const evening = '2041-03-02T20:00:00Z';
const night = '2041-03-02T03:00:00Z';

test.each<[string, object, string | null]>([
  ['nothing', {}, null],
  ['a day', { day: '2041-03-02', timeZoneRaw }, '2041-03-02'],
  ['a date', { dayRaw: midnight, timeZoneRaw }, '2041-03-02'],
  ['a date in a place that is not known', { dayRaw: midnight, timeZoneRaw: 'Atlantis' }, '2041-03-02'],
  ['a moment', { dayRaw: evening, timeZoneRaw }, '2041-03-02'],
  ['a moment of the day before there', { dayRaw: night, timeZoneRaw }, '2041-03-01'],
  ['a moment without a place', { dayRaw: night }, '2041-03-02'],
  ['a moment and another day there', { dayRaw: night, localDayRaw: '2041-03-05T09:00:00Z', timeZoneRaw }, '2041-03-05'],
  ['a date and another day there', { dayRaw: midnight, localDayRaw: '2041-03-05T00:00:00Z', timeZoneRaw }, '2041-03-05'],
  ['a day there', { localDayRaw: '2041-03-05T09:00:00Z', timeZoneRaw }, '2041-03-05'],
])('a game with %s is found on the day that it shows', async (_, input, day) => {
  const { scheduleGame } = await app.graphql(
    'mutation ($input: GameInput!) { scheduleGame(asSent: true, input: $input) { id day } }',
    { input },
    ana,
  );
  const { id } = scheduleGame;
  const asked = day === null ? '{ isNull: true }' : `{ eq: "${day}" }`;
  const { games } = await app.graphql(`{ games(filter: { id: { eq: "${id}" }, day: ${asked} }) { nodes { day } } }`, {}, ana);
  expect([scheduleGame.day, games.nodes]).toEqual([day, [{ day }]]);
});

test('a day that is given takes the place of all that was sent of another one, and repetitions follow it', async () => {
  const input = { dayRaw: night, localDayRaw: '2041-03-05T09:00:00Z', timeZoneRaw };
  const { scheduleGame } = await app.graphql(
    'mutation ($input: GameInput!) { scheduleGame(asSent: true, input: $input) { id } }',
    { input },
    ana,
  );
  const day = new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10);
  const next = new Date(Date.now() + 14 * 86_400_000).toISOString().slice(0, 10);
  const { updateGame } = await app.graphql(
    `mutation { updateGame(id: "${scheduleGame.id}", input: { day: "${day}", isRepeated: true, repeats: WEEKLY }) { day dayRaw repetitions(first: 1, orderBy: [{ field: DAY }]) { nodes { day } } } }`,
    {},
    ana,
  );
  const { body } = await app.rest('GET', `/v1/data/game_scheduler?retrieve_all=true`, ana);
  const legacy = body.results.find(({ uuid }: { uuid: string }) => uuid === scheduleGame.id);
  expect([updateGame, legacy.date]).toEqual([
    { day, dayRaw: `${day}T00:00:00Z`, repetitions: { nodes: [{ day: next }] } },
    `${day}T00:00:00Z`,
  ]);
});
