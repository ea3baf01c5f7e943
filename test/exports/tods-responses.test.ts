import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp, type Tokens } from '../support/servers/app.js';
import { seedAustin, upsertRecord } from './seed.js';

let app: TestApp;
let players: string[];
beforeAll(async () => {
  app = await startApp();
  players = await seedAustin(app);
});
afterAll(() => app.close());

const tods = (id = 'austin', tokens: Tokens = app.platform, headers: Record<string, string> = {}) =>
  app.rest('GET', `/tournaments/${id}.tods.json`, tokens, undefined, headers);

test('platforms see the status of entries, publishable keys do not, and a token is required', async () => {
  await upsertRecord(app, 'EventRegistration', { eventId: 'mixed', teamId: 'first', userId: players[0], status: 'WAITLISTED' });
  const { createPublishableKey } = await app.graphql('mutation { createPublishableKey(input: { label: "Site" }) { key } }');
  const read = async (tokens: Tokens) => {
    const { status, body } = await tods('austin', tokens);
    return { status, entryStatus: body.events?.[0].entries[0].entryStatus, code: body.errors?.[0].extensions.code };
  };
  expect({
    platform: await read(app.platform),
    key: await read({ platform: createPublishableKey.key }),
    noToken: await read({}),
    unknownToken: await read({ platform: 'wrong' }),
  }).toEqual({
    platform: { status: 200, entryStatus: 'ALTERNATE', code: undefined },
    key: { status: 200, entryStatus: undefined, code: undefined },
    noToken: { status: 401, entryStatus: undefined, code: 'UNAUTHENTICATED' },
    unknownToken: { status: 401, entryStatus: undefined, code: 'UNAUTHENTICATED' },
  });
});

const participantCounts = async (tournament: string) => {
  const { user } = await app.person();
  const count = async (tokens: Tokens) => (await tods(tournament, tokens)).body.participants.length;
  return { user: await count({ user }), platform: await count(app.platform) };
};

test('a tournament with hidesPlayers hides its players from callers who may not change it', async () => {
  await upsertRecord(app, 'Tournament', { id: 'hidden', title: 'Hidden', hidesPlayers: true });
  await upsertRecord(app, 'TournamentEvent', { id: 'secret', tournamentId: 'hidden', formatId: '1' });
  await upsertRecord(app, 'Team', { tournamentId: 'hidden', eventId: 'secret', playerOneId: players[0] });
  expect(await participantCounts('hidden')).toEqual({ user: 0, platform: 1 });
});

test('a tournament with `playerListVisibility: HIDDEN` hides its players from callers who may not change it', async () => {
  await upsertRecord(app, 'Tournament', { id: 'mode', title: 'By mode', playerListVisibility: 'HIDDEN' });
  await upsertRecord(app, 'TournamentEvent', { id: 'shy', tournamentId: 'mode', formatId: '1' });
  await upsertRecord(app, 'Team', { tournamentId: 'mode', eventId: 'shy', playerOneId: players[0] });
  expect(await participantCounts('mode')).toEqual({ user: 0, platform: 1 });
});

test('the record of a large tournament has all its teams, and its file name is derived from the title', async () => {
  await upsertRecord(app, 'Tournament', { id: 'large', title: 'Große Äpfel / Open "26"' });
  await upsertRecord(app, 'TournamentEvent', { id: 'many', tournamentId: 'large', formatId: '1' });
  await app.sql.rows(
    `insert into app_user (id, email, first_name) select 'p' || n, 'p' || n || '@example.com', 'P' || n from generate_series(1, 250) n`,
  );
  await app.sql.rows(
    `insert into team (id, tournament_id, event_id, player_one_id) select 't' || n, 'large', 'many', 'p' || n from generate_series(1, 250) n`,
  );
  const { body, headers } = await tods('large');
  expect({
    entries: body.events[0].entries.length,
    participants: body.participants.length,
    disposition: headers.get('content-disposition'),
  }).toEqual({
    entries: 250,
    participants: 250,
    disposition: 'attachment; filename="grosse-aepfel-open-26.tods.json"',
  });
});

test('a request for an unchanged record gets a 304 response', async () => {
  const { headers } = await tods();
  const revalidated = await tods('austin', app.platform, { 'if-none-match': `"other", W/${headers.get('etag')}` });
  expect({
    cacheControl: headers.get('cache-control'),
    status: revalidated.status,
    body: revalidated.body,
  }).toEqual({ cacheControl: 'private, no-cache', status: 304, body: null });
});

test('a HEAD request gets the ETag and no body', async () => {
  const { headers } = await tods();
  const head = await fetch(`${app.origin}/tournaments/austin.tods.json`, {
    method: 'HEAD',
    headers: { 'PB-API-TOKEN': app.platform.platform },
  });
  expect({ status: head.status, etag: head.headers.get('etag'), body: await head.text() }).toEqual({
    status: 200,
    etag: headers.get('etag') ?? '',
    body: '',
  });
});

test.each([
  ['/tournaments/nowhere.tods.json', 404, 'NOT_FOUND'],
  ['/tournaments/%ff.tods.json', 400, 'BAD_INPUT'],
  ['/tournaments/a%00b.tods.json', 400, 'BAD_INPUT'],
  ['/tournaments/.tods.json', 404, 'NOT_FOUND'],
])('%s gets %i', async (path, status, code) => {
  const answer = await app.rest('GET', path, app.platform);
  expect({ status: answer.status, code: answer.body.errors[0].extensions.code }).toEqual({ status, code });
});

test('rejected requests do not occupy the slots of later requests', async () => {
  const paths = [
    '/users/a/games.ics?token=a&token=b',
    '/exports/teams.csv?first=0',
    '/tournaments/nowhere.ics',
    '/exports/none.csv',
  ];
  const rejected = await Promise.all(
    Array.from({ length: 320 }, (_, index) => app.rest('GET', paths[index % 4] ?? '', app.platform)),
  );
  expect({
    rejectedStatuses: new Set(rejected.map(({ status }) => status)),
    laterStatus: (await tods()).status,
  }).toEqual({ rejectedStatuses: new Set([400, 404]), laterStatus: 200 });
}, 30_000);
