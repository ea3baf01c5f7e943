import { afterAll, beforeAll, expect, test } from 'vitest';
import { isEmpty, loadDemo } from '../../src/demo/index.js';
import { demo } from '../../src/demo/tokens.js';
import { startApp, type TestApp } from '../support/app.js';

let app: TestApp;
let seconds: number;
beforeAll(async () => {
  app = await startApp();
  await app.sql.rows('delete from platform');
  expect(await isEmpty(app.sql)).toBe(true);
  const start = performance.now();
  await loadDemo(app.sql, () => undefined);
  seconds = (performance.now() - start) / 1000;
});
afterAll(() => app.close());

const count = async (table: string, where = 'true') =>
  (await app.sql.row<{ n: number }>(`select count(*)::int as n from ${table} where ${where}`))?.n;

test('a season loads in less than ten seconds', () => expect(seconds).toBeLessThan(10));

test('a season is no empty database', async () => expect(await isEmpty(app.sql)).toBe(false));

test('a season has 400 tournaments, 8,000 teams, 4,000 players and 1,500 referees', async () =>
  expect({
    tournaments: await count('tournament'),
    playing: await count('tournament', 'starts_at < now() and ends_at > now()'),
    events: await count('tournament_event'),
    teams: await count('team'),
    players: await count('app_user', "id <> 'demo-admin'"),
    referees: await count('tournament_referee'),
  }).toEqual({ tournaments: 400, playing: 24, events: 1700, teams: 8000, players: 4000, referees: 1500 }));

test('every foreign key of a team leads somewhere', async () =>
  expect(
    await count(
      'team',
      `not exists (select from tournament_event where tournament_event.id = event_id) or not exists (select from app_user where app_user.id = player_one_id)
       or not exists (select from event_registration where event_registration.id = registration_one_id)`,
    ),
  ).toBe(0));

test('the three sign-ons are those of the demo user, the demo admin and the demo platform', async () => {
  const asked = '{ user(id: "demo-user") { firstName email } }';
  const answers = await Promise.all(
    [{ user: demo.userToken }, { user: demo.adminToken }, { platform: demo.platformToken }].map((tokens) =>
      app.graphql(asked, {}, tokens),
    ),
  );
  expect(answers.map(({ user }) => user.firstName)).toEqual(['Maya', 'Maya', 'Maya']);
});
