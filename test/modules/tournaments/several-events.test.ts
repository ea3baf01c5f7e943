import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { entriesOf } from '../../support/fixtures/event-registrations.js';
import { instantAt } from '../../support/fixtures/tournaments.js';
import { type Person, startApp, type TestApp } from '../../support/servers/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const { open, register, registerTeams, withdraw, invitations, entry, checkout, save, notifications } = entriesOf(() => app);

let count = 0;
/** Creates a tournament with the given events and open registration. Returns the IDs of the events. */
async function openEvents(events: readonly object[], tournament: object = {}): Promise<string[]> {
  count += 1;
  const tournamentId = `several-${count}`;
  const [first = {}, ...others] = events;
  const ids = [await open({ id: `several-${count}-0`, tournamentId, ...first }, { id: tournamentId, ...tournament })];
  for (const [index, event] of others.entries())
    ids.push(await save('TournamentEvent', { id: `several-${count}-${index + 1}`, tournamentId, title: 'Doubles', ...event }));
  return ids;
}
const enter = (eventIds: readonly string[], player: Person, fields = 'event { id }') =>
  registerTeams({ events: eventIds.map((eventId) => ({ eventId })) }, player, fields);
const rowsOf = (player: Person) =>
  app.sql.row(
    `select (select count(*) from registration where user_id = $1)::int as registrations,
      (select count(*) from event_registration where user_id = $1)::int as entries,
      (select count(*) from team where $1 in (player_one_id, player_two_id))::int as teams`,
    [player.id],
  );

describe('registering for several events', () => {
  test('creates a team for each event and one registration', async () => {
    const [player, partner] = [await app.person(), await app.person()];
    const [singles = '', doubles = ''] = await openEvents([{ formatId: '1' }, { formatId: '3' }]);
    const teams = await registerTeams(
      { events: [{ eventId: singles }, { eventId: doubles, partnerId: partner.id }] },
      player,
      'event { id } playerTwo { id } registrationOne { registration { hasPartner } }',
    );
    const registration = { hasPartner: true };
    expect({
      teams,
      rows: await rowsOf(player),
      rowsOfPartner: await rowsOf(partner),
      invitations: (await invitations(partner)).length,
      toldPartner: (await notifications(partner)).length,
    }).toEqual({
      teams: [
        { event: { id: singles }, playerTwo: null, registrationOne: { registration } },
        { event: { id: doubles }, playerTwo: { id: partner.id }, registrationOne: { registration } },
      ],
      rows: { registrations: 1, entries: 2, teams: 2 },
      rowsOfPartner: { registrations: 1, entries: 1, teams: 1 },
      invitations: 1,
      toldPartner: 1,
    });
  });

  test('adds to an existing registration', async () => {
    const player = await app.person();
    const [first = '', ...others] = await openEvents([{}, {}, {}]);
    await register({ eventId: first }, player);
    await enter(others, player);
    expect(await rowsOf(player)).toEqual({ registrations: 1, entries: 3, teams: 3 });
  });

  test('is invoiced with the registration fee once, each event once, and a discount on all of them', async () => {
    const player = await app.person();
    await save('DiscountCode', { id: 'several', code: 'SEVERAL', discount: '25', appliesToRegistration: true });
    const events = await openEvents([{ fee: '20' }, { fee: '30.5' }], { registrationFee: '10' });
    await enter(events, player);
    const registrationId = (await entry(events[0] ?? '', player))?.registration;
    const fields = 'invoice { total items(orderBy: [{ field: CREATED_AT }]) { nodes { type unitPrice event { id } } } }';
    const input = { registrationId, discountCode: 'SEVERAL' };
    const [first, second] = [await checkout(input, player, fields), await checkout(input, player, fields)];
    const [one, two] = events.map((id) => ({ id }));
    expect({ first, second }).toEqual({
      first: {
        invoice: {
          total: '35.5',
          items: {
            nodes: [
              { type: 'REGISTRATION', unitPrice: '10', event: null },
              { type: 'EVENT', unitPrice: '20', event: one },
              { type: 'EVENT', unitPrice: '30.5', event: two },
              { type: 'DISCOUNT', unitPrice: '-10', event: null },
              { type: 'DISCOUNT', unitPrice: '-15', event: one },
            ],
          },
        },
      },
      second: first,
    });
  });

  test('takes as many reads for several events as for one', async () => {
    const [one, three] = [await app.person(), await app.person()];
    const events = await openEvents([{ maxTeams: 9 }, { maxTeams: 9 }, { maxTeams: 9 }]);
    await enter(events, await app.person());
    const statementsFor = async (eventIds: readonly string[], player: Person) => {
      const before = app.statements();
      await enter(eventIds, player, 'id');
      return app.statements() - before;
    };
    const [forOne, forThree] = [await statementsFor(events.slice(0, 1), one), await statementsFor(events, three)];
    const insertsPerEvent = 2;
    expect(forThree - forOne).toBe(2 * insertsPerEvent);
  });

  test('by two players concurrently in opposite order fills each event once', async () => {
    const players = await Promise.all([1, 2, 3, 4].map(() => app.person()));
    const events = await openEvents([{ maxTeams: 1 }, { maxTeams: 1 }]);
    const answers = await Promise.all(players.map((player, index) => enter(index % 2 ? events : events.toReversed(), player)));
    const rows = await app.sql.rows('select player_one_id as id from team where event_id = any($1)', [events]);
    expect({
      successful: answers.filter((answer) => answer.length === 2).length,
      errors: new Set(answers.filter((answer) => answer.length === 1).flat()),
      samePlayer: new Set(rows.map(({ id }) => id)).size,
      teams: rows.length,
    }).toEqual({
      successful: 1,
      errors: new Set(['CONFLICT: input.events[0]: the event is full; input.events[1]: the event is full']),
      samePlayer: 1,
      teams: 2,
    });
  });

  test('is possible again after a withdrawal from one event', async () => {
    const player = await app.person();
    const events = await openEvents([{}, {}]);
    await enter(events, player);
    await withdraw((await entry(events[0] ?? '', player))?.id ?? '', player);
    const both = await enter(events, player);
    const first = await enter(events.slice(0, 1), player);
    expect({ both, first }).toEqual({
      both: ['CONFLICT: input.events[1]: you are already in this event'],
      first: [{ event: { id: events[0] } }],
    });
  });
});

describe('registering for several events creates nothing and names the event that', () => {
  const closed = { registrationClosesAt: instantAt(-1) };
  type Case = [name: string, event: object | 'first' | null, tournament: object, partner: { partnerId?: string }, error: string];
  test.each<Case>([
    ['is full', { maxTeams: 1 }, {}, {}, 'CONFLICT: input.events[1]: the event is full'],
    ['is canceled', { isCanceled: true }, {}, {}, 'CONFLICT: input.events[1]: the event is canceled'],
    ['is not open', {}, closed, {}, 'CONFLICT: input.events[0]: registration is closed; input.events[1]: registration is closed'],
    [
      'needs a partner',
      { formatId: '3' },
      {},
      {},
      'BAD_INPUT: input.events[1].partnerId: expected the id of the partner, because the event is played in pairs',
    ],
    [
      'is named with an unknown partner',
      {},
      {},
      { partnerId: 'nobody' },
      'BAD_INPUT: input.events[1].partnerId: expected the id of a user',
    ],
    [
      'is named with the player as the partner',
      {},
      {},
      { partnerId: 'self' },
      'BAD_INPUT: input.events[1].partnerId: expected the id of another user',
    ],
    [
      'is for other players',
      { playerGroupId: '8' },
      {},
      {},
      'BAD_INPUT: input.events[1].eventId: expected an event that the player is eligible for: this event is for women, and the profile has no category of play',
    ],
    [
      'is of another tournament',
      { tournamentId: 'elsewhere' },
      {},
      {},
      'BAD_INPUT: input.events[1].eventId: expected an event of the same tournament as the first event',
    ],
    ['is unknown', null, {}, {}, 'NOT_FOUND: input.events[1]: no event with the id unknown'],
    ['is named twice', 'first', {}, {}, 'CONFLICT: input.events[1]: you are already in this event'],
  ])('%s', async (_, event, tournament, partner, error) => {
    const player = await app.person();
    await open({ id: 'elsewhere-event', tournamentId: 'elsewhere' }, { id: 'elsewhere' });
    const [first = '', second = 'unknown'] = await openEvents(
      typeof event === 'object' && event ? [{}, event] : [{}],
      tournament,
    );
    if (error.includes('full')) await register({ eventId: second }, await app.person());
    const partnerId = partner.partnerId === 'self' ? player.id : partner.partnerId;
    const events = [{ eventId: first }, { eventId: event === 'first' ? first : second, partnerId }];
    expect({ errors: await registerTeams({ events }, player), rows: await rowsOf(player) }).toEqual({
      errors: [error],
      rows: { registrations: 0, entries: 0, teams: 0 },
    });
  });

  test('is in the field of the error', async () => {
    const [first = '', second = ''] = await openEvents([{}, { isCanceled: true }]);
    const [error] = await errorsOf('registerTeams', [{ eventId: first }, { eventId: second }]);
    const refusal = { code: 'CONFLICT', field: 'input.events[1]', message: 'input.events[1]: the event is canceled' };
    expect(error).toEqual({
      ...refusal,
      path: ['registerTeams'],
      details: { refusals: [refusal] },
    });
  });
});

/** Sends the events to `registerTeams` or `quote` as a new player, and returns the errors. */
async function errorsOf(field: 'registerTeams' | 'quote', events: readonly object[]) {
  const { user } = await app.person();
  const query =
    field === 'quote'
      ? 'query ($input: QuoteInput!) { quote(input: $input) { total } }'
      : 'mutation ($input: RegisterTeamsInput!) { registerTeams(input: $input) { id } }';
  const { body } = await app.rest('POST', '/graphql', { user }, { query, variables: { input: { events } } });
  type Sent = { message: string; path: unknown; extensions: { code: string; field: string } };
  return body.errors.map(({ message, path, extensions: { code, field: at, ...details } }: Sent) => ({
    code,
    field: at,
    message,
    path,
    details,
  }));
}

test.each(['registerTeams', 'quote'] as const)('%s reports all invalid events with their paths', async (field) => {
  const [full = '', canceled = '', right = '', doubles = ''] = await openEvents([
    { maxTeams: 1 },
    { isCanceled: true },
    {},
    { formatId: '3' },
  ]);
  await register({ eventId: full }, await app.person());
  const events = [full, canceled, right, doubles, 'unknown', right].map((eventId) => ({ eventId }));
  const partner = { field: 'input.events[3].partnerId', expected: 'the id of the partner, because the event is played in pairs' };
  const refusals = [
    { field: 'input.events[0]', code: 'CONFLICT', message: 'input.events[0]: the event is full' },
    { field: 'input.events[1]', code: 'CONFLICT', message: 'input.events[1]: the event is canceled' },
    { field: partner.field, code: 'BAD_INPUT', message: `${partner.field}: expected ${partner.expected}` },
    { field: 'input.events[4]', code: 'NOT_FOUND', message: 'input.events[4]: no event with the id unknown' },
    { field: 'input.events[5]', code: 'CONFLICT', message: 'input.events[5]: you are already in this event' },
  ];
  expect(await errorsOf(field, events)).toEqual([
    {
      code: 'CONFLICT',
      field: 'input.events[0]',
      message: refusals.map(({ message }) => message).join('; '),
      path: [field],
      details: { problems: [partner], refusals },
    },
  ]);
});

test('accepts one to twenty events, and reports all invalid inputs together', async () => {
  const player = await app.person();
  const events = (length: number) => registerTeams({ events: Array.from({ length }, () => ({ eventId: 'x' })) }, player);
  const both = { partnerId: 'x', partnerEmail: 'x@example.com' };
  expect({
    none: await events(0),
    tooMany: await events(21),
    wrong: await registerTeams({ events: [{ eventId: '' }, { eventId: 'x', ...both }] }, player),
  }).toEqual({
    none: ['BAD_INPUT: input.events: expected 1 to 20 events'],
    tooMany: ['BAD_INPUT: input.events: expected 1 to 20 events'],
    wrong: [
      'BAD_INPUT: input.events[0].eventId: expected the id of an event; input.events[1].partnerEmail: expected no value, because `partnerId` is set',
    ],
  });
});
