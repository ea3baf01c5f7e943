import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { upsertRecord } from '../../exports/seed.js';
import { subscribe } from '../../support/clients/event-stream.js';
import { type Person, startApp, type TestApp, type Tokens } from '../../support/servers/app.js';

let app: TestApp;
let owner: Person;
let guest: Person;
beforeAll(async () => {
  app = await startApp();
  owner = await app.person({ firstName: 'Olga' });
  guest = await app.person({ firstName: 'Gus' });
});
afterAll(() => app.close());

const update = (id: string, input: object) =>
  app.graphql('mutation ($id: ID!, $input: GameInput!) { updateGame(id: $id, input: $input) { id } }', { id, input }, owner);
async function schedule(overrides: object): Promise<string> {
  const input = { startsAt: '2041-06-02T14:30:00Z', ...overrides };
  const text = 'mutation ($input: GameInput!) { scheduleGame(input: $input) { id } }';
  return (await app.graphql(text, { input }, owner)).scheduleGame.id;
}

// biome-ignore lint/suspicious/noExplicitAny: tests compare whole events
type Node = any;

/** Returns the first event after a cursor, or the error code. Sends the same operation again, as a client that reconnects does. */
async function firstAfter(cursor: string, query: string, caller: Person): Promise<Node> {
  const stream = await subscribe(app, { user: caller.user }, query, { after: cursor });
  const [event] = await stream.until(1);
  stream.close();
  return event?.errors?.[0]?.extensions.code ?? Object.values(event?.data ?? {})[0];
}

/** Changes a game. Reads the event of this change once before and once after `makeChange`, and returns both results. */
async function beforeAndAfter(id: string, query: string, caller: Person, makeChange: () => Promise<unknown>) {
  const { liveCursor } = await app.graphql('{ liveCursor }', {}, caller);
  await update(id, { title: 'Changed' });
  const before = await firstAfter(liveCursor, query, caller);
  await makeChange();
  return { before, after: await firstAfter(liveCursor, query, caller) };
}

test('a reconnecting subscriber does not see a game that was hidden in the meantime', async () => {
  const id = await schedule({ title: 'Open' });
  const query = `subscription ($after: String) { game(id: "${id}", after: $after) { game { title } } }`;
  expect(await beforeAndAfter(id, query, guest, () => update(id, { isInviteOnly: true }))).toEqual({
    before: { game: { title: 'Changed' } },
    after: 'NOT_FOUND',
  });
});

/** Returns the changed fields of each event that a caller gets after a cursor, up to the change of `courtId`. */
async function missedChanges(id: string, cursor: string, caller: Person): Promise<string[][]> {
  const query = `subscription ($after: String) { game(id: "${id}", after: $after) { changedFields } }`;
  const stream = await subscribe(app, { user: caller.user }, query, { after: cursor });
  const changes: string[][] = [];
  for (let count = 1; !changes.some((fields) => fields.includes('courtId')); count++) {
    const events = await stream.until(count);
    changes.push((events[count - 1]?.data?.game?.changedFields ?? []) as string[]);
  }
  stream.close();
  return changes;
}

describe('a reconnecting subscriber learns of the change that makes a game visible, but not of earlier changes while it was hidden:', () => {
  const hidden = { isInviteOnly: true };
  const changes: Record<string, (id: string) => Promise<unknown>> = {
    'it becomes public': (id) => update(id, { isInviteOnly: false }),
    'the subscriber is invited': (id) =>
      app.graphql(`mutation { inviteToGame(gameId: "${id}", userIds: ["${guest.id}"]) { id } }`, {}, owner),
  };
  test.each(Object.entries(changes))('%s', async (_, show) => {
    const member = await app.person();
    const id = await schedule({ title: 'Open' });
    await app.graphql(`mutation { optIn(gameId: "${id}") { id } }`, {}, member);
    const { liveCursor } = await app.graphql('{ liveCursor }', {}, guest);
    await update(id, { description: 'Public' });
    await update(id, hidden);
    await update(id, { description: 'Secret' });
    await update(id, { title: 'Secret' });
    await show(id);
    await update(id, { courtId: 'last' });
    const counts = async (caller: Person) => {
      const fields = (await missedChanges(id, liveCursor, caller)).flat();
      return Object.fromEntries(['description', 'title'].map((name) => [name, fields.filter((field) => field === name).length]));
    };
    expect({ guest: await counts(guest), member: await counts(member) }).toEqual({
      guest: { description: 1, title: 0 },
      member: { description: 2, title: 1 },
    });
  });
});

describe('a reconnecting subscriber does not learn of changes that were made while a tournament hid its players:', () => {
  const flag = [{ hidesPlayers: true }, { hidesPlayers: false }] as const;
  const mode = [{ playerListVisibility: 'HIDDEN' }, { playerListVisibility: 'VISIBLE' }] as const;
  const cases = Object.entries({ flag, mode }).flatMap(([name, [hide, show]]) =>
    ['teams', 'standings', 'matches'].map((field) => ({ id: `${name}-${field}`, field, hide, show })),
  );

  test.each(cases)('$id', async ({ id, field, hide, show }) => {
    const player = await app.person();
    const team = `${id}-team`;
    const argument = field === 'standings' ? `eventId: "${id}-event"` : `tournamentId: "${id}"`;
    const change: Record<string, (round: number) => Promise<unknown>> = {
      teams: (seed) => upsertRecord(app, 'Team', { id: team, seed }),
      standings: (finalRanking) => upsertRecord(app, 'FinalStanding', { id: `${id}-standing`, finalRanking }),
      matches: (gameNumber) => upsertRecord(app, 'Pregame', { id: `${id}-pregame`, gameNumber }),
    };
    const setTournament = (values: object) => upsertRecord(app, 'Tournament', { id, ...values });
    await setTournament({ title: id });
    await upsertRecord(app, 'TournamentEvent', { id: `${id}-event`, tournamentId: id });
    await upsertRecord(app, 'Team', { id: team, tournamentId: id, eventId: `${id}-event`, playerOneId: player.id });
    await upsertRecord(app, 'FinalStanding', { id: `${id}-standing`, eventId: `${id}-event`, teamId: team });
    await upsertRecord(app, 'Pregame', { id: `${id}-pregame`, matchId: `${id}-match`, servingTeamId: team });
    const { liveCursor } = await app.graphql('{ liveCursor }', {}, guest);
    const rounds = [{}, hide, show, hide, {}, show];
    for (const [round, values] of rounds.entries()) {
      await setTournament(values);
      await change[field]?.(round + 1);
    }
    const query = `subscription ($after: String) { ${field}(${argument}, after: $after) { cursor } }`;
    const cursorsOf = async (caller: Tokens, isComplete: (cursors: readonly unknown[]) => boolean) => {
      const stream = await subscribe(app, caller, query, { after: liveCursor });
      const cursors = () => stream.events.map(({ data }) => data?.[field]?.cursor);
      await expect.poll(() => isComplete(cursors())).toBe(true);
      stream.close();
      return cursors();
    };
    const all = await cursorsOf(app.platform, ({ length }) => length === rounds.length);
    const roundsOf = async (caller: Tokens) =>
      (await cursorsOf(caller, (cursors) => cursors.includes(all.at(-1)))).map((cursor) => all.indexOf(cursor));
    expect({ guest: await roundsOf(guest), player: await roundsOf(player) }).toEqual({
      guest: [0, 2, 5],
      player: [0, 1, 2, 3, 4, 5],
    });
  });
});

test('a reconnecting subscriber sees the current names of users', async () => {
  const player = await app.person({ firstName: 'Former' });
  const id = await schedule({ title: 'Names' });
  await app.graphql(`mutation { optIn(gameId: "${id}") { id } }`, {}, player);
  const query = `subscription ($after: String) { game(id: "${id}", after: $after) { game { players { nodes { firstName } } } } }`;
  const rename = () => app.graphql('mutation { updateProfile(input: { firstName: "Present" }) { id } }', {}, player);
  const named = (firstName: string) => ({ game: { players: { nodes: [{ firstName }] } } });
  expect(await beforeAndAfter(id, query, owner, rename)).toEqual({ before: named('Former'), after: named('Present') });
});

test('a reconnecting subscriber does not see players whom the owner has hidden in the meantime', async () => {
  const player = await app.person({ firstName: 'Seen' });
  const id = await schedule({ title: 'Players', showsPlayersToInvited: true });
  await app.graphql(`mutation { optIn(gameId: "${id}") { id } }`, {}, player);
  const query = `subscription ($after: String) { game(id: "${id}", after: $after) { game { players { nodes { firstName } } } } }`;
  expect(await beforeAndAfter(id, query, guest, () => update(id, { showsPlayersToInvited: false }))).toEqual({
    before: { game: { players: { nodes: [{ firstName: 'Seen' }] } } },
    after: { game: { players: { nodes: [] } } },
  });
});

test('events about hidden players name neither the changed field nor the player', async () => {
  const id = await schedule({ title: 'Hidden players', showsPlayersToInvited: false });
  const { liveCursor } = await app.graphql('{ liveCursor }', {}, guest);
  await app.graphql(`mutation { optIn(gameId: "${id}") { id } }`, {}, await app.person());
  const query = `subscription ($after: String) { game(id: "${id}", after: $after) { changedFields game { updatedBy } } }`;
  const ownerEvent = await firstAfter(liveCursor, query, owner);
  const guestEvent = await firstAfter(liveCursor, query, guest);
  const game = { updatedBy: 'Olga Lopez' };
  expect({ ownerEvent, guestEvent }).toEqual({
    ownerEvent: { changedFields: ['playerIds'], game },
    guestEvent: { changedFields: [], game },
  });
});

test('the total cost of the open subscriptions of one caller is limited', async () => {
  const player = 'firstName lastName slug city';
  const query = `subscription { tournament(id: "cup") { tournament {
    teams(first: 100) { nodes { id playerOne { ${player} } playerTwo { ${player} } registrations(first: 20) { nodes { id status } } } } } } }`;
  await app.graphql('mutation { upsertTournament(input: { id: "cup" }) { id } }');
  const [visitor, other] = [await app.person(), await app.person()];
  const open = (person: Person) => subscribe(app, { user: person.user }, query);
  const streams = await Promise.all(Array.from({ length: 150 }, () => open(visitor)));
  const refused = () => streams.filter(({ events }) => events[0]?.errors);
  await expect.poll(() => refused().length).toBeGreaterThan(0);
  const { message, extensions } = refused()[0]?.events[0]?.errors?.[0] ?? {};
  const ofOther = await open(other);
  await app.graphql('mutation { upsertTournament(input: { id: "cup", title: "Told" }) { id } }');
  expect({
    message,
    code: extensions?.code,
    areSomeOpen: refused().length < streams.length,
    other: Object.keys((await ofOther.until(1))[0] ?? {}),
  }).toEqual({
    message: 'the open subscriptions of the same caller cost too much: expected a total cost of at most 500000',
    code: 'UNAVAILABLE',
    areSomeOpen: true,
    other: ['data'],
  });
  for (const stream of [...streams, ofOther]) stream.close();
});
