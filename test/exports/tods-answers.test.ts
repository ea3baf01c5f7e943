import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp, type Tokens } from '../support/app.js';
import { save, seedAustin } from './seed.js';

let app: TestApp;
let players: string[];
beforeAll(async () => {
  app = await startApp();
  players = await seedAustin(app);
});
afterAll(() => app.close());

const tods = (id = 'austin', tokens: Tokens = app.platform, more: Record<string, string> = {}) =>
  app.rest('GET', `/tournaments/${id}.tods.json`, tokens, undefined, more);

test('who may not read the entries of others gets the record without how they stand, and without a token it is refused', async () => {
  await save(app, 'EventRegistration', { eventId: 'mixed', teamId: 'first', userId: players[0], status: 'WAITLISTED' });
  const made = await app.graphql('mutation { createPublishableKey(input: { label: "Site" }) { key } }');
  const asked = [app.platform, { platform: made.createPublishableKey.key }, {}, { platform: 'wrong' }];
  const answers = await Promise.all(asked.map((tokens) => tods('austin', tokens)));
  expect(
    answers.map(({ status, body }) => [status, body.events?.[0].entries[0].entryStatus, body.errors?.[0].extensions.code]),
  ).toEqual([
    [200, 'ALTERNATE', undefined],
    [200, undefined, undefined],
    [401, undefined, 'UNAUTHENTICATED'],
    [401, undefined, 'UNAUTHENTICATED'],
  ]);
});

test('a tournament that hides its players hides them here too, but from those who may change it', async () => {
  await save(app, 'Tournament', { id: 'hidden', title: 'Hidden', hidesPlayers: true });
  await save(app, 'TournamentEvent', { id: 'secret', tournamentId: 'hidden', formatId: '1' });
  await save(app, 'Team', { tournamentId: 'hidden', eventId: 'secret', playerOneId: players[0] });
  const { user } = await app.person();
  const count = async (tokens: Tokens) => (await tods('hidden', tokens)).body.participants.length;
  expect([await count({ user }), await count(app.platform)]).toEqual([0, 1]);
});

test('one of which the mode hides everything hides them the same', async () => {
  await save(app, 'Tournament', { id: 'mode', title: 'By mode', hidesPlayersMode: 'EVERYTHING' });
  await save(app, 'TournamentEvent', { id: 'shy', tournamentId: 'mode', formatId: '1' });
  await save(app, 'Team', { tournamentId: 'mode', eventId: 'shy', playerOneId: players[0] });
  const { user } = await app.person();
  const count = async (tokens: Tokens) => (await tods('mode', tokens)).body.participants.length;
  expect([await count({ user }), await count(app.platform)]).toEqual([0, 1]);
});

test('all teams of a large tournament are there, in one answer', async () => {
  await save(app, 'Tournament', { id: 'large', title: 'Große Äpfel / Open "26"' });
  await save(app, 'TournamentEvent', { id: 'many', tournamentId: 'large', formatId: '1' });
  await app.sql.rows(
    `insert into app_user (id, email, first_name) select 'p' || n, 'p' || n || '@example.com', 'P' || n from generate_series(1, 250) n`,
  );
  await app.sql.rows(
    `insert into team (id, tournament_id, event_id, player_one_id) select 't' || n, 'large', 'many', 'p' || n from generate_series(1, 250) n`,
  );
  const { body, headers } = await tods('large');
  expect([body.events[0].entries.length, body.participants.length, headers.get('content-disposition')]).toEqual([
    250,
    250,
    'attachment; filename="grosse-aepfel-open-26.tods.json"',
  ]);
});

test('who has the record already is told that it is still the same', async () => {
  const { headers } = await tods();
  const etag = headers.get('etag') ?? '';
  const again = await tods('austin', app.platform, { 'if-none-match': `"other", W/${etag}` });
  const head = await fetch(`${app.origin}/tournaments/austin.tods.json`, {
    method: 'HEAD',
    headers: { 'PB-API-TOKEN': app.platform.platform },
  });
  expect([
    again.status,
    again.body,
    head.status,
    head.headers.get('etag'),
    await head.text(),
    headers.get('cache-control'),
  ]).toEqual([304, null, 200, etag, '', 'private, no-cache']);
});

test.each([
  ['/tournaments/nowhere.tods.json', 404, 'NOT_FOUND'],
  ['/tournaments/%ff.tods.json', 400, 'BAD_INPUT'],
  ['/tournaments/a%00b.tods.json', 400, 'BAD_INPUT'],
  ['/tournaments/.tods.json', 404, 'NOT_FOUND'],
])('%s is %i', async (path, status, code) => {
  const answer = await app.rest('GET', path, app.platform);
  expect([answer.status, answer.body.errors[0].extensions.code]).toEqual([status, code]);
});

test('what is refused takes no place from those that come later', async () => {
  const paths = [
    '/users/a/games.ics?token=a&token=b',
    '/exports/teams.csv?first=0',
    '/tournaments/nowhere.ics',
    '/exports/none.csv',
  ];
  const refused = await Promise.all(
    Array.from({ length: 320 }, (_, index) => app.rest('GET', paths[index % 4] ?? '', app.platform)),
  );
  expect([new Set(refused.map(({ status }) => status)), (await tods()).status]).toEqual([new Set([400, 404]), 200]);
}, 30_000);
