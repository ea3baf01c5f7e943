import { afterAll, beforeAll, expect, test } from 'vitest';
import { upsertRecord } from '../exports/seed.js';
import { newKey } from '../support/fixtures/publishable-keys.js';
import { startApp, type TestApp, type Tokens } from '../support/servers/app.js';

let app: TestApp;
let callers: Record<'visitor' | 'user' | 'player' | 'platform', Tokens>;
let playerId: string;

beforeAll(async () => {
  app = await startApp();
  const player = await app.person({ firstName: 'Ana' });
  playerId = player.id;
  callers = {
    visitor: { platform: (await newKey(app)).key },
    user: { user: (await app.person()).user },
    player: { user: player.user },
    platform: app.platform,
  };
});
afterAll(() => app.close());

/**
 * Creates a tournament with a team, a registration, an entry and a final standing of the player. The event to which these records refer
 * does not exist, as is possible through `/v1`.
 */
async function enter(id: string, tournament: object): Promise<void> {
  const [tournamentId, eventId] = [id, `${id}-event`];
  await upsertRecord(app, 'Tournament', { id, title: id, ...tournament });
  await upsertRecord(app, 'Team', { id: `${id}-team`, tournamentId, eventId, playerOneId: playerId });
  await upsertRecord(app, 'Registration', { id: `${id}-registration`, tournamentId, userId: playerId });
  await upsertRecord(app, 'EventRegistration', {
    id: `${id}-entry`,
    eventId,
    registrationId: `${id}-registration`,
    userId: playerId,
  });
  await upsertRecord(app, 'EventRegistration', { id: `${id}-paired`, eventId, teamId: `${id}-team`, userId: playerId });
  await upsertRecord(app, 'FinalStanding', { id: `${id}-standing`, eventId, teamId: `${id}-team`, finalRanking: 1 });
}

const fields = {
  team: 'team(id: "$-team") { id }',
  standing: 'finalStanding(id: "$-standing") { id }',
  registration: 'registration(id: "$-registration") { id }',
  entry: 'eventRegistration(id: "$-entry") { id }',
  paired: 'eventRegistration(id: "$-paired") { id }',
};

/** Returns the records of a tournament that each caller can see, keyed by caller. */
async function visibleRecords(id: string): Promise<Record<string, string>> {
  const shown = async (tokens: Tokens) => {
    const names: string[] = [];
    for (const [name, field] of Object.entries(fields)) {
      const answer = await app.graphql(`{ ${name}: ${field.replace('$', id)} }`, {}, tokens);
      if (answer[name]) names.push(name);
    }
    return names.join(' ');
  };
  const entries = Object.entries(callers).map(async ([name, tokens]) => [name, await shown(tokens)]);
  return Object.fromEntries(await Promise.all(entries));
}

const all = 'team standing registration entry paired';

test('entries and standings of an unknown event are hidden if their tournament hides its players', async () => {
  await enter('hidden', { hidesPlayers: true });
  await enter('open', {});
  expect({ hidden: await visibleRecords('hidden'), open: await visibleRecords('open') }).toEqual({
    hidden: { visitor: '', user: '', player: all, platform: all },
    open: { visitor: 'team standing', user: all, player: all, platform: all },
  });
});

test('players stay hidden after their event is deleted', async () => {
  await enter('shortened', { playerListVisibility: 'HIDDEN' });
  await upsertRecord(app, 'TournamentEvent', { id: 'shortened-event', tournamentId: 'shortened' });
  await app.graphql('mutation { deleteEvent(id: "shortened-event") { id } }');
  expect(await visibleRecords('shortened')).toEqual({ visitor: '', user: '', player: all, platform: all });
});
