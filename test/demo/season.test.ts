import { afterAll, beforeAll, expect, test } from 'vitest';
import { isEmpty, loadDemo } from '../../src/demo/index.js';
import { demo } from '../../src/demo/tokens.js';
import { startApp, type TestApp } from '../support/app.js';

let app: TestApp;
let seconds = 0;
const told: string[] = [];
beforeAll(async () => {
  app = await startApp();
  await app.sql.rows('delete from platform');
  expect(await isEmpty(app.sql)).toBe(true);
  const start = performance.now();
  await loadDemo(app.sql, (sentence) => told.push(sentence));
  seconds = (performance.now() - start) / 1000;
});
afterAll(() => app.close());

const count = async (table: string, where = 'true') => (await app.sql.row<{ n: number }>(`select count(*)::int as n from ${table} r where ${where}`))?.n;

test('a season loads in seconds and says how far it is', () => {
  console.log(seconds);
  expect([seconds < 10, told.length > 0]).toEqual([true, true]);
});

test('a season has 400 tournaments, 8,000 teams, 4,000 players and 1,500 referees', async () => {
  expect({
    tournaments: await count('tournament'),
    teams: await count('team'),
    players: await count('app_user', "id <> 'demo-admin'"),
    referees: await count('tournament_referee'),
    playing: (await count('tournament', 'starts_at <= now() and ends_at >= now()')) ?? 0,
  }).toEqual({ tournaments: 400, teams: 8000, players: 4000, referees: 1500, playing: 24 });
});

test('the demo tokens open the demo season only once it is loaded', async () => {
  expect(await isEmpty(app.sql)).toBe(false);
  const asked = '{ tournaments(filter: { isRegistering: true, near: { latitude: 30.2672, longitude: -97.7431, distance: 50 } }) { totalCount } }';
  expect((await app.graphql(asked, {}, { platform: demo.platformToken })).tournaments.totalCount).toBeGreaterThan(20);
});
