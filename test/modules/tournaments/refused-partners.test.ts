import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { entriesOf } from '../../support/fixtures/event-registrations.js';
import { type Person, startApp, type TestApp, type Tokens } from '../../support/servers/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const { open, register, registerTeams, quote } = entriesOf(() => app);
const limited = ['RATE_LIMITED: too many tries: wait before the next one'];
const refused = (path = '') => [`CONFLICT: ${path && `${path}: `}the partner is already in this event`];
const inQuote = refused('input.events[0]');

/** Saves a player's entry with `upsertEventRegistration`. Returns the entry, or the errors. */
async function upsertEntry(input: object, tokens: Tokens) {
  const mutation = 'mutation ($input: EventRegistrationInput!) { upsertEventRegistration(input: $input) { partnerId } }';
  const answer = await app.graphql(mutation, { input }, tokens);
  return answer.upsertEventRegistration ?? answer.errors;
}

/** Creates an event with a registered player. */
async function openWithPlayer(tournament: object = {}): Promise<{ eventId: string; registeredPlayer: Person }> {
  const [eventId, registeredPlayer] = [await open({ formatId: '3', fee: '20' }, tournament), await app.person()];
  await register({ eventId, partnerId: (await app.person()).id }, registeredPlayer);
  return { eventId, registeredPlayer };
}

const times = async (count: number, call: () => Promise<unknown>) => {
  const answers: unknown[] = [];
  for (let index = 0; index < count; index++) answers.push(await call());
  return answers;
};

describe('a user', () => {
  test('is limited to a total of ten refused partners per hour in quotes, registrations and entries', async () => {
    const { eventId, registeredPlayer } = await openWithPlayer();
    const [user, free] = [await app.person(), await app.person()];
    const input = { eventId, partnerId: registeredPlayer.id };
    const named = { eventId: await open(), partnerId: free.id };
    const answers = [
      ...(await times(4, () => quote({ events: [input] }, user))),
      ...(await times(3, () => register(input, user))),
      ...(await times(2, () => registerTeams({ events: [input] }, user))),
      await register({ ...input, partnerId: 'nobody' }, user),
    ];
    expect({
      answers,
      quote: await quote({ events: [named] }, user),
      register: await register(named, user),
      registerTeams: await registerTeams({ events: [named] }, user),
      entry: await upsertEntry(named, { user: user.user }),
      alone: await quote({ events: [{ eventId: named.eventId }] }, user),
      otherUser: await quote({ events: [input] }, await app.person()),
    }).toEqual({
      answers: [
        ...Array(4).fill(inQuote),
        ...Array(3).fill(refused()),
        ...Array(2).fill(inQuote),
        ['BAD_INPUT: input.partnerId: expected the id of a user'],
      ],
      quote: limited,
      register: limited,
      registerTeams: limited,
      entry: limited,
      alone: { total: '0' },
      otherUser: inQuote,
    });
  });

  test('is limited to ten refused partners per hour in their entries', async () => {
    const [eventId, registeredPlayer] = [await open(), await app.person()];
    await register({ eventId, partnerId: (await app.person()).id }, registeredPlayer);
    const [user, free] = [await app.person(), await app.person()];
    const enter = (partnerId: string) => upsertEntry({ eventId, partnerId }, { user: user.user });
    expect({ answers: await times(10, () => enter(registeredPlayer.id)), next: await enter(free.id) }).toEqual({
      answers: Array(10).fill(['FORBIDDEN: input.partnerId: only a player without another partner in the event']),
      next: limited,
    });
  });

  test('is limited to ten refused entries for partners per hour', async () => {
    const [eventId, partner, user] = [await open(), await app.person(), await app.person()];
    await upsertEntry({ eventId, partnerId: partner.id }, { user: user.user });
    await upsertEntry({ eventId }, { user: partner.user });
    const enter = () => upsertEntry({ eventId, userId: partner.id }, { user: user.user });
    expect({ answers: await times(10, enter), next: await enter() }).toEqual({
      answers: Array(10).fill(refused()),
      next: limited,
    });
  });

  test('can create ten refused registrations for partners per hour', async () => {
    const [eventId, partner, user] = [await open(), await app.person(), await app.person()];
    const { event } = await app.graphql('query ($eventId: ID!) { event(id: $eventId) { tournamentId } }', { eventId });
    const { tournamentId } = event;
    await upsertEntry({ eventId, partnerId: partner.id }, { user: user.user });
    await upsertEntry({ eventId }, { user: partner.user });
    const mutation = 'mutation ($input: RegistrationInput!) { upsertRegistration(input: $input) { id } }';
    const input = { tournamentId, userId: partner.id };
    const register = async () => (await app.graphql(mutation, { input }, { user: user.user })).errors;
    const payload = { tournament_uuid: tournamentId, user_uuid: partner.id };
    const path = '/v1/tournament_attendee_event_headers/upsert';
    const registerLegacy = async () => (await app.rest('POST', path, { user: user.user }, { payload })).status;
    expect({
      answers: [...(await times(5, register)), ...(await times(5, registerLegacy))],
      next: await register(),
      nextLegacy: await registerLegacy(),
    }).toEqual({
      answers: [...Array(5).fill(['CONFLICT: the partner is already registered for this tournament']), ...Array(5).fill(409)],
      next: limited,
      nextLegacy: 429,
    });
  });

  test('can name ten refused partners per hour, even in one call', async () => {
    const { eventId, registeredPlayer } = await openWithPlayer();
    const [user, other] = [await app.person(), await app.person()];
    const named = (count: number) => ({
      events: Array.from({ length: count }, () => ({ eventId, partnerId: registeredPlayer.id })),
    });
    const all = (count: number) => [
      `CONFLICT: ${Array.from({ length: count }, (_, index) => `input.events[${index}]: the partner is already in this event`).join('; ')}`,
    ];
    expect({
      ten: await quote(named(10), user),
      next: await quote(named(1), user),
      tooMany: await quote(named(11), other),
    }).toEqual({ ten: all(10), next: limited, tooMany: limited });
  });

  test('can name any number of partners who are not refused, even if the call has other errors', async () => {
    const [eventId, canceled] = [await open({ fee: '20' }), await open({ isCanceled: true })];
    const [user, free] = [await app.person(), await app.person()];
    const quoteFor = (id: string) => quote({ events: [{ eventId: id, partnerId: free.id }] }, user);
    await times(11, () => quoteFor(canceled));
    expect(await times(11, () => quoteFor(eventId))).toEqual(Array(11).fill({ total: '20' }));
  });
});

test.each(['platforms', 'admins'])('the limit of refused partners does not apply to %s', async (kind) => {
  const { eventId, registeredPlayer } = await openWithPlayer();
  const person = await app.person(kind === 'admins' ? { roles: ['ADMIN'] } : {});
  const tokens = { user: person.user, ...(kind === 'platforms' ? app.platform : {}) };
  const query = 'query ($input: QuoteInput!) { quote(input: $input) { total } }';
  const input = { events: [{ eventId, partnerId: registeredPlayer.id }] };
  const answers = await times(11, async () => (await app.graphql(query, { input }, tokens)).errors);
  expect(answers).toEqual(Array(11).fill(inQuote));
});

test.each([
  ['hidesPlayers', { hidesPlayers: true }],
  ['playerListVisibility', { playerListVisibility: 'HIDDEN' }],
])('a quote does not reveal who plays in a tournament with %s, but a registration does', async (_, tournament) => {
  const { eventId, registeredPlayer } = await openWithPlayer(tournament);
  const [user, referee] = [await app.person(), await app.person({ roles: ['REFEREE'] })];
  const input = { eventId, partnerId: registeredPlayer.id };
  expect({
    quote: await quote({ events: [input] }, user),
    ofReferee: await quote({ events: [input] }, referee),
    register: await register(input, user),
    registerTeams: await registerTeams({ events: [input] }, user),
  }).toEqual({ quote: { total: '20' }, ofReferee: inQuote, register: refused(), registerTeams: inQuote });
});

test('many concurrent calls with partners all get a response', async () => {
  const eventId = await open();
  const users = await Promise.all(Array.from({ length: 24 }, () => app.person()));
  const [partner] = users;
  const own = { eventId, partnerId: partner?.id };
  const answers = await Promise.all(
    users.slice(1).map((user, index) => (index % 2 ? quote({ events: [own] }, user) : upsertEntry(own, { user: user.user }))),
  );
  const count = (key: string) => answers.filter((answer) => answer[key] !== undefined).length;
  expect({ quotes: count('total'), entries: count('partnerId') }).toEqual({ quotes: 11, entries: 12 });
});
