import { afterAll, beforeAll, expect, test } from 'vitest';
import { upsertRecord } from '../exports/seed.js';
import { subscribe } from '../support/clients/event-stream.js';
import { newKey } from '../support/fixtures/publishable-keys.js';
import { type Person, startApp, type TestApp, type Tokens } from '../support/servers/app.js';

let app: TestApp;
let callers: Record<'visitor' | 'user' | 'referee' | 'platform', Tokens>;
beforeAll(async () => {
  app = await startApp();
  callers = {
    visitor: { platform: (await newKey(app)).key },
    user: { user: (await app.person()).user },
    referee: { user: (await app.person({ roles: ['REFEREE'] })).user },
    platform: app.platform,
  };
});
afterAll(() => app.close());

/**
 * Creates a tournament with one event and a player, and records of all types that name the player. Records with `byEvent` in their IDs
 * refer to the event but not to the tournament.
 */
async function enter(id: string, tournament: object): Promise<Person> {
  const player = await app.person({ firstName: 'Ana', lastName: 'Hidden' });
  const [playerId, tournamentId, eventId] = [player.id, id, `${id}-event`];
  const team = { eventId, playerOneId: playerId };
  await upsertRecord(app, 'Tournament', { id, title: id, ...tournament });
  await upsertRecord(app, 'TournamentEvent', { id: eventId, tournamentId });
  await upsertRecord(app, 'Team', { id: `${id}-team`, tournamentId, ...team });
  await upsertRecord(app, 'Team', { id: `${id}-team-byEvent`, ...team });
  await upsertRecord(app, 'Registration', { id: `${id}-registration`, tournamentId, userId: playerId });
  await upsertRecord(app, 'EventRegistration', { id: `${id}-entry`, registrationId: `${id}-registration`, userId: playerId });
  await upsertRecord(app, 'EventRegistration', { id: `${id}-entry-byTeam`, teamId: `${id}-team`, userId: playerId });
  await upsertRecord(app, 'EventRegistration', { id: `${id}-entry-byEvent`, eventId, userId: playerId });
  await upsertRecord(app, 'FinalStanding', { id: `${id}-standing`, eventId, teamId: `${id}-team` });
  await upsertRecord(app, 'RankingPoints', { id: `${id}-points`, tournamentId, playerId, points: 10 });
  await upsertRecord(app, 'RankingPoints', { id: `${id}-points-byEvent`, eventId, playerId, points: 10 });
  await upsertRecord(app, 'Prematch', { id: `${id}-prematch`, matchId: `${id}-match`, coinTossTeamId: `${id}-team` });
  return player;
}

const ofVisitors = {
  team: 'team(id: "$-team") { id }',
  teamByEvent: 'team(id: "$-team-byEvent") { id }',
  standing: 'finalStanding(id: "$-standing") { id }',
  points: 'rankingPoints(id: "$-points") { id }',
  pointsByEvent: 'rankingPoints(id: "$-points-byEvent") { id }',
  match: 'match(id: "$-match") { id }',
};
const ofUsers = {
  ...ofVisitors,
  registration: 'registration(id: "$-registration") { id }',
  entry: 'eventRegistration(id: "$-entry") { id }',
  entryByTeam: 'eventRegistration(id: "$-entry-byTeam") { id }',
  entryByEvent: 'eventRegistration(id: "$-entry-byEvent") { id }',
};
const [visitorFields, userFields] = [Object.keys(ofVisitors), Object.keys(ofUsers)];
const all = { visitor: visitorFields, user: userFields, referee: userFields, platform: userFields };
const hidden = { ...all, visitor: [], user: [] };

/** Returns the records of a tournament that each caller can see, keyed by caller. */
async function visibleRecords(id: string): Promise<Record<string, string[]>> {
  const shown: Record<string, string[]> = {};
  for (const [name, tokens] of Object.entries(callers)) {
    const fields = Object.entries(name === 'visitor' ? ofVisitors : ofUsers);
    const query = fields.map(([alias, field]) => `${alias}: ${field.replace('$', id)}`).join(' ');
    const answer = await app.graphql(`{ ${query} }`, {}, tokens);
    shown[name] = fields.flatMap(([alias]) => (answer[alias] ? [alias] : []));
  }
  return shown;
}

const remove = async (field: 'deleteTournament' | 'deleteEvent', id: string) =>
  expect(await app.graphql(`mutation { ${field}(id: "${id}") { id } }`)).toEqual({ [field]: { id } });

test.each([
  ['hidesPlayers', { hidesPlayers: true }],
  ['playerListVisibility', { playerListVisibility: 'HIDDEN' }],
])('players stay hidden after a tournament with %s is deleted', async (id, tournament) => {
  await enter(id, tournament);
  const before = await visibleRecords(id);
  await remove('deleteTournament', id);
  expect({ before, after: await visibleRecords(id) }).toEqual({ before: hidden, after: hidden });
});

test('players stay hidden if both their event and the tournament that hides them are deleted, in either order', async () => {
  await enter('first', { hidesPlayers: true });
  await enter('last', { hidesPlayers: true });
  await remove('deleteEvent', 'first-event');
  const withoutEvent = await visibleRecords('first');
  await remove('deleteTournament', 'first');
  await remove('deleteTournament', 'last');
  await remove('deleteEvent', 'last-event');
  expect({ withoutEvent, first: await visibleRecords('first'), last: await visibleRecords('last') }).toEqual({
    withoutEvent: hidden,
    first: hidden,
    last: hidden,
  });
});

test('players of a deleted event become hidden if the tournament later hides its players', async () => {
  await enter('late', {});
  await remove('deleteEvent', 'late-event');
  const before = await visibleRecords('late');
  await upsertRecord(app, 'Tournament', { id: 'late', hidesPlayers: true });
  expect({ before, after: await visibleRecords('late') }).toEqual({ before: all, after: hidden });
});

test('players of a deleted tournament that showed them stay visible', async () => {
  await enter('open', { playerListVisibility: 'VISIBLE' });
  await remove('deleteTournament', 'open');
  await remove('deleteEvent', 'open-event');
  expect(await visibleRecords('open')).toEqual(all);
});

test('players are visible if a new tournament with the ID of a deleted one shows its players', async () => {
  await enter('again', { hidesPlayers: true });
  await remove('deleteTournament', 'again');
  await upsertRecord(app, 'Tournament', { id: 'again', title: 'Again' });
  expect(await visibleRecords('again')).toEqual(all);
});

test('players are visible if a new event with the ID of a deleted one belongs to a tournament that shows its players', async () => {
  await enter('moved', {});
  await upsertRecord(app, 'Tournament', { id: 'secret', hidesPlayers: true });
  await upsertRecord(app, 'TournamentEvent', { id: 'moved-event', tournamentId: 'secret' });
  await remove('deleteEvent', 'moved-event');
  const { visitor } = await visibleRecords('moved');
  await upsertRecord(app, 'TournamentEvent', { id: 'moved-event', tournamentId: 'moved' });
  expect({ visitor, after: await visibleRecords('moved') }).toEqual({ visitor: ['points'], after: all });
});

test('a player does not become public through a deleted tournament', async () => {
  const player = await enter('private', { hidesPlayers: true });
  await remove('deleteTournament', 'private');
  await remove('deleteEvent', 'private-event');
  await app.sql.rows(`update app_user set slug = 'private-ana' where id = $1`, [player.id]);
  const read = (tokens: Tokens) => app.graphql('{ userBySlug(slug: "private-ana") { lastName } }', {}, tokens);
  expect({ visitor: await read(callers.visitor), platform: await read(callers.platform) }).toEqual({
    visitor: { userBySlug: null },
    platform: { userBySlug: { lastName: 'Hidden' } },
  });
});

test('subscribers get no teams or standings of a deleted tournament that hid its players', async () => {
  await enter('live', { hidesPlayers: true });
  const open = (tokens: Tokens, field: string) => subscribe(app, tokens, `subscription { ${field} { kind id } }`);
  const fields = ['teams(tournamentId: "live")', 'standings(eventId: "live-event")'];
  const ofVisitor = await Promise.all(fields.map((field) => open(callers.visitor, field)));
  const ofPlatform = await Promise.all(fields.map((field) => open(callers.platform, field)));
  await remove('deleteTournament', 'live');
  await remove('deleteEvent', 'live-event');
  await upsertRecord(app, 'Team', { id: 'live-team', seed: 1 });
  await upsertRecord(app, 'FinalStanding', { id: 'live-standing', finalRanking: 2 });
  await app.graphql('mutation { deleteFinalStanding(id: "live-standing") { id } deleteTeam(id: "live-team") { id } }');
  await Promise.all(ofPlatform.map((events) => events.until(2)));
  const counts = (all: typeof ofVisitor) => all.map(({ events }) => events.length);
  expect({ visitor: counts(ofVisitor), platform: counts(ofPlatform) }).toEqual({ visitor: [0, 0], platform: [2, 2] });
  for (const events of [...ofVisitor, ...ofPlatform]) events.close();
});
