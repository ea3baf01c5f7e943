import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { entriesOf } from '../../support/fixtures/event-registrations.js';
import { instantAt } from '../../support/fixtures/tournaments.js';
import { type Person, startApp, type TestApp } from '../../support/servers/app.js';

let app: TestApp;
let ana: Person;
let ben: Person;
beforeAll(async () => {
  app = await startApp();
  ana = await app.person({ firstName: 'Ana' });
  ben = await app.person({ firstName: 'Ben' });
});
afterAll(() => app.close());

const { open, register, checkout, entry, save, teams } = entriesOf(() => app);

const run = async (text: string, variables: Record<string, unknown>, caller: Person | null) => {
  const answer = await app.graphql(text, variables, caller ? { user: caller.user } : app.platform);
  return answer.done ?? answer.errors;
};
const fields = 'eventId registrationId teamId status';
const create = (input: object, caller: Person) =>
  run(
    `mutation ($input: EventRegistrationInput!) { done: createEventRegistration(input: $input) { ${fields} } }`,
    { input },
    caller,
  );
const update = (id: string, input: object, caller: Person | null) =>
  run(
    `mutation ($id: ID!, $input: EventRegistrationInput!) { done: updateEventRegistration(id: $id, input: $input) { ${fields} } }`,
    { id, input },
    caller,
  );
const upsertLegacy = async (payload: object, caller: Person | null) => {
  const path = '/v1/tournament_attendee_event_records/upsert';
  const { status, body } = await app.rest('POST', path, caller ? { user: caller.user } : app.platform, { payload });
  return status === 200 ? body.result : `${status} ${body.Message}`;
};
const forbidden = (field: string) => [`FORBIDDEN: input.${field}: the owner of the event registration cannot change it`];

/** Registers a new player with `registerTeam`. Returns the player and the IDs of the event, the entry and the registration. */
async function enteredPlayer(): Promise<{ player: Person; eventId: string; id: string; registration: string }> {
  const player = await app.person();
  const eventId = await open({ fee: '30' });
  await register({ eventId }, player);
  const own = await entry(eventId, player);
  return { player, eventId, id: own?.id ?? '', registration: own?.registration ?? '' };
}

describe('a player cannot change', () => {
  test.each<[field: string, value: string, input: () => Promise<object>]>([
    ['eventId', 'another event', async () => ({ eventId: await open({ fee: '500' }) })],
    ['eventId', 'null', async () => ({ eventId: null })],
    ['registrationId', 'null', async () => ({ registrationId: null })],
    ['registrationId', 'an unknown ID', async () => ({ registrationId: 'of-nobody' })],
    ['teamId', 'null', async () => ({ teamId: null })],
    ['status', 'WITHDRAWN', async () => ({ status: 'WITHDRAWN' })],
    ['legacy.status', 'a stored status', async () => ({ legacy: { status: 2 } })],
    ['originalEventId', 'another event', async () => ({ originalEventId: 'another' })],
  ])('the %s of their entry to %s, but a platform can', async (field, _, input) => {
    const { player, id } = await enteredPlayer();
    const stored = () =>
      app.sql.row('select event_id, registration_id, team_id, status from event_registration where id = $1', [id]);
    const before = await stored();
    const change = await input();
    expect({ byPlayer: await update(id, change, player), stored: await stored() }).toEqual({
      byPlayer: forbidden(field),
      stored: before,
    });
    expect(await update(id, change, null)).not.toEqual(expect.any(Array));
  });

  test('the amount due for an entry, before or after payment', async () => {
    const { player, id, registration } = await enteredPlayer();
    const expensive = await open({ fee: '500' });
    const total = 'invoice { id total }';
    const move = await update(id, { eventId: expensive }, player);
    const { invoice } = await checkout({ registrationId: registration }, player, total);
    await run(
      'mutation ($input: PaymentInput!) { done: createPayment(input: $input) { id } }',
      { input: { invoiceId: invoice.id, amount: '30' } },
      null,
    );
    expect({
      move,
      total: invoice.total,
      moveAfterPayment: await update(id, { eventId: expensive }, player),
      checkoutAfterPayment: await checkout({ registrationId: registration }, player, total),
    }).toEqual({
      move: forbidden('eventId'),
      total: '30',
      moveAfterPayment: forbidden('eventId'),
      checkoutAfterPayment: ['CONFLICT: there is nothing to check out'],
    });
  });

  test('the tournament of their registration', async () => {
    const { player, registration } = await enteredPlayer();
    const change = (caller: Person | null) =>
      run(
        'mutation ($id: ID!) { done: updateRegistration(id: $id, input: { tournamentId: "another" }) { tournamentId } }',
        { id: registration },
        caller,
      );
    expect({ byPlayer: await change(player), byPlatform: await change(null) }).toEqual({
      byPlayer: ['FORBIDDEN: input.tournamentId: the owner of the registration cannot change it'],
      byPlatform: { tournamentId: 'another' },
    });
  });
});

test('a player can repeat the values of their entry and change its other fields', async () => {
  const { player, eventId, id, registration } = await enteredPlayer();
  expect(
    await update(id, { eventId, registrationId: registration, status: 'REGISTERED', updateLocation: 'app' }, player),
  ).toEqual({
    eventId,
    registrationId: registration,
    teamId: expect.any(String),
    status: 'REGISTERED',
  });
});

describe('an entry that a player creates', () => {
  test('is registered for the tournament, and is billed', async () => {
    const player = await app.person();
    const eventId = await open({ fee: '30' });
    const { registrationId, ...created } = await create({ eventId }, player);
    expect(created).toEqual({ eventId, teamId: null, status: 'REGISTERED' });
    const named = await create({ eventId: await open({ fee: '40' }), registrationId: 'named-by-player' }, player);
    expect({
      total: (await checkout({ registrationId }, player)).invoice.total,
      namedRegistration: named.registrationId,
      totalOfNamed: (await checkout({ registrationId: 'named-by-player' }, player)).invoice.total,
    }).toEqual({ total: '30', namedRegistration: 'named-by-player', totalOfNamed: '40' });
  });

  test('joins the existing team of the player', async () => {
    const eventId = await open({ maxTeams: 1 });
    await save('Team', { id: 'team-of-ana', playerOneId: ana.id, eventId });
    expect({
      stranger: await create({ eventId, teamId: 'team-of-ana' }, ben),
      player: (await create({ eventId }, ana)).teamId,
      repeated: await create({ eventId }, ana),
    }).toEqual({
      stranger: ['FORBIDDEN: input.teamId: only a team of the same player'],
      player: 'team-of-ana',
      repeated: ['CONFLICT: you are already in this event'],
    });
  });

  test('follows the rules of registerTeam', async () => {
    const full = await open({ maxTeams: 1 });
    await register({ eventId: full }, ben);
    const withRegistration = await open();
    await save('Registration', { id: 'for-another-tournament', userId: ana.id, tournamentId: 'another' });
    await save('Registration', { id: 'of-ben', userId: ben.id });
    expect({
      full: await create({ eventId: full }, ana),
      closed: await create({ eventId: await open({}, { registrationClosesAt: instantAt(-1) }) }, ana),
      canceled: await create({ eventId: await open({ isCanceled: true }) }, ana),
      forWomen: await create({ eventId: await open({ playerGroupId: '2' }) }, ana),
      partnerInSingles: await create({ eventId: await open({ formatId: '1' }), partnerId: ben.id }, ana),
      status: await create({ eventId: await open(), status: 'WAITLISTED' }, ana),
      otherTournament: await create({ eventId: withRegistration, registrationId: 'for-another-tournament' }, ana),
      otherPlayer: await create({ eventId: withRegistration, registrationId: 'of-ben' }, ana),
      originalEvent: await create({ eventId: withRegistration, originalEventId: full }, ana),
    }).toEqual({
      full: ['CONFLICT: the event is full'],
      closed: ['CONFLICT: registration is closed'],
      canceled: ['CONFLICT: the event is canceled'],
      forWomen: [expect.stringContaining('BAD_INPUT: input.eventId')],
      partnerInSingles: ['BAD_INPUT: input.partnerId: expected no partner, because the event is not played in pairs'],
      status: ['FORBIDDEN: input.status: only REGISTERED'],
      otherTournament: ['FORBIDDEN: input.registrationId: only a registration for the tournament of the event'],
      otherPlayer: ['FORBIDDEN: input.registrationId: only a registration of the same player'],
      originalEvent: ['FORBIDDEN: input.originalEventId: only the event of the entry'],
    });
  });

  test('occupies one place together with the entry of the partner', async () => {
    const [first, second, third] = [await app.person(), await app.person(), await app.person()];
    const eventId = await open({ maxTeams: 1 });
    const canRegister = async () =>
      (await app.graphql(`{ event(id: "${eventId}") { viewerCan { register } } }`, {}, third)).event.viewerCan.register;
    const free = await canRegister();
    await create({ eventId, partnerId: second.id }, first);
    expect({
      free,
      freeAfterEntry: await canRegister(),
      byEntry: await create({ eventId }, third),
      byTeam: await register({ eventId }, third),
      teams: await teams(eventId),
    }).toEqual({
      free: true,
      freeAfterEntry: false,
      byEntry: ['CONFLICT: the event is full'],
      byTeam: ['CONFLICT: the event is full'],
      teams: 0,
    });
    await save('EventRegistration', { eventId, userId: second.id, partnerId: first.id, status: 'REGISTERED' });
    await save('TournamentEvent', { id: eventId, maxTeams: 2 });
    expect(await create({ eventId }, third)).toMatchObject({ status: 'REGISTERED' });
  });

  test('does not exceed the last places under concurrency', async () => {
    const eventId = await open({ maxTeams: 2 });
    const players = await Promise.all(Array.from({ length: 4 }, () => app.person()));
    const answers = await Promise.all(players.map((player) => create({ eventId }, player)));
    expect(answers.filter(Array.isArray)).toEqual(Array(2).fill(['CONFLICT: the event is full']));
  });
});

const upsert = (input: object, caller: Person) =>
  run(
    `mutation ($input: EventRegistrationInput!) { done: upsertEventRegistration(input: $input) { ${fields} } }`,
    { input },
    caller,
  );

describe('the rules for entries apply', () => {
  test('for concurrent upserts of one new entry', async () => {
    const player = await app.person();
    for (let count = 0; count < 10; count++) {
      const eventIds = [await open({ fee: '0' }), await open({ fee: '500' })];
      const answers = await Promise.all(eventIds.map((eventId) => upsert({ id: `upserted-twice-${count}`, eventId }, player)));
      expect(answers.filter(Array.isArray)).toEqual([forbidden('eventId')]);
    }
  });

  test('for concurrent upserts of one new registration', async () => {
    const player = await app.person();
    const dates = { registrationOpensAt: instantAt(-20), registrationClosesAt: instantAt(10), startsAt: instantAt(20) };
    const createTournament = 'mutation ($input: TournamentInput!) { done: upsertTournament(input: $input) { id } }';
    for (const id of ['cheap', 'expensive']) await run(createTournament, { input: { id, ...dates } }, null);
    const text = 'mutation ($input: RegistrationInput!) { done: upsertRegistration(input: $input) { tournamentId } }';
    const answers = await Promise.all(
      ['cheap', 'expensive'].map((tournamentId) => run(text, { input: { id: 'registered-twice', tournamentId } }, player)),
    );
    expect(answers.filter(Array.isArray)).toEqual([
      ['FORBIDDEN: input.tournamentId: the owner of the registration cannot change it'],
    ]);
  });

  test('for a registration without an entry', async () => {
    const player = await app.person();
    const dates = { registrationOpensAt: instantAt(-20), registrationClosesAt: instantAt(10), startsAt: instantAt(20) };
    const registerIn = async (id: string, tournament: object) => {
      await run(
        'mutation ($input: TournamentInput!) { done: upsertTournament(input: $input) { id } }',
        { input: { id, ...dates, ...tournament } },
        null,
      );
      const text = 'mutation ($input: RegistrationInput!) { done: upsertRegistration(input: $input) { tournamentId } }';
      return run(text, { input: { tournamentId: id } }, player);
    };
    const path = '/v1/tournament_attendee_event_headers/upsert';
    expect({
      open: await registerIn('open-cup', {}),
      closed: await registerIn('closed-cup', { registrationClosesAt: instantAt(-10) }),
      canceled: await registerIn('canceled-cup', { isCanceled: true }),
      legacy: (await app.rest('POST', path, { user: player.user }, { payload: { tournament_uuid: 'closed-cup' } })).status,
    }).toEqual({
      open: { tournamentId: 'open-cup' },
      closed: ['CONFLICT: registration is closed'],
      canceled: ['CONFLICT: the tournament is canceled'],
      legacy: 409,
    });
  });

  test('for an event that does not exist yet', async () => {
    expect(await create({ eventId: 'created-later' }, ana)).toEqual(['NOT_FOUND: no event with the id created-later']);
  });

  test('for a registration in a tournament that does not exist yet', async () => {
    const text = 'mutation ($input: RegistrationInput!) { done: createRegistration(input: $input) { id } }';
    expect(await run(text, { input: { tournamentId: 'founded-later' } }, ana)).toEqual([
      'NOT_FOUND: no tournament with the id founded-later',
    ]);
  });

  test('for a partner that is added later', async () => {
    const player = await app.person();
    const entryIn = async (event: object) => {
      const eventId = await open(event);
      await create({ eventId }, player);
      return (await entry(eventId, player))?.id ?? '';
    };
    expect({
      singles: await update(await entryIn({ formatId: '1' }), { partnerId: ben.id }, player),
      self: await update(await entryIn({ formatId: '3' }), { partnerId: player.id }, player),
      pairs: await update(await entryIn({}), { partnerId: ben.id }, player),
    }).toEqual({
      singles: ['BAD_INPUT: input.partnerId: expected no partner, because the event is not played in pairs'],
      self: ['BAD_INPUT: input.partnerId: expected the id of another user'],
      pairs: expect.objectContaining({ status: 'REGISTERED' }),
    });
  });

  test('for a partner who has another partner', async () => {
    const { player, eventId, id } = await enteredPlayer();
    const [otherPlayer, other] = [await app.person(), await app.person()];
    await save('Team', { id: 'team-of-others', playerOneId: otherPlayer.id, playerTwoId: other.id, eventId });
    await create({ eventId }, otherPlayer);
    expect(await update(id, { partnerId: otherPlayer.id }, player)).toEqual([
      'FORBIDDEN: input.partnerId: only a player without another partner in the event',
    ]);
  });

  test('for partners who separate in a full event', async () => {
    const [first, second, third] = [await app.person(), await app.person(), await app.person()];
    const eventId = await open({ maxTeams: 2 });
    for (const player of [first, second]) await create({ eventId }, player);
    const pair = async (player: Person, partnerId: string | null) =>
      update((await entry(eventId, player))?.id ?? '', { partnerId }, player);
    await pair(first, second.id);
    await pair(second, first.id);
    expect({
      third: await create({ eventId }, third),
      parting: await pair(first, null),
      newPartner: await pair(first, third.id),
    }).toEqual({
      third: expect.objectContaining({ status: 'REGISTERED' }),
      parting: ['CONFLICT: the event is full'],
      newPartner: ['CONFLICT: the event is full'],
    });
  });
});

describe('/v1 upserts of entries by a player', () => {
  test('apply the same rules', async () => {
    const full = await open({ maxTeams: 1 });
    await register({ eventId: full }, ben);
    const { player, id } = await enteredPlayer();
    const expensive = await open({ fee: '500' });
    expect({
      full: await upsertLegacy({ event_uuid: full, status: 1 }, ana),
      status: await upsertLegacy({ event_uuid: expensive, status: 2 }, ana),
      moved: await upsertLegacy({ tournament_attendee_event_uuid: id, event_uuid: expensive }, player),
      detached: await upsertLegacy({ tournament_attendee_event_uuid: id, tournament_attendee_header_uuid: null }, player),
    }).toEqual({
      full: '409 the event is full',
      status: '403 payload.status: only REGISTERED',
      moved: '403 payload.event_uuid: the owner of the event registration cannot change it',
      detached: '403 payload.tournament_attendee_header_uuid: the owner of the event registration cannot change it',
    });
  });

  test('keep omitted values that a player cannot change', async () => {
    const { player, eventId, id, registration } = await enteredPlayer();
    const upserted = await upsertLegacy({ tournament_attendee_event_uuid: id, update_location: 'app' }, player);
    expect(upserted).toMatchObject({
      event_uuid: eventId,
      tournament_attendee_header_uuid: registration,
      event_team_uuid: expect.stringMatching(/./),
      status: 1,
      update_location: 'app',
    });
    expect(await upsertLegacy(upserted, player)).toMatchObject({ event_uuid: eventId, status: 1 });
    expect(await upsertLegacy({ tournament_attendee_event_uuid: id }, null)).toMatchObject({ event_uuid: '', status: 0 });
  });
});

describe('deleting a player’s', () => {
  const remove = (name: string, id: string, caller: Person) =>
    run(`mutation ($id: ID!) { done: ${name}(id: $id) { id } }`, { id }, caller);

  test('entry withdraws the player from the event', async () => {
    const { player, eventId, id } = await enteredPlayer();
    const [otherEntry, startedEntry] = [await enteredPlayer(), await enteredPlayer()];
    await app.sql.rows(
      `update tournament set starts_at = now() - interval '1 hour' where id = (select tournament_id from tournament_event where id = $1)`,
      [startedEntry.eventId],
    );
    expect({
      own: await remove('deleteEventRegistration', id, player),
      teams: await teams(eventId),
      ofAnother: await remove('deleteEventRegistration', otherEntry.id, player),
      afterStart: await remove('deleteEventRegistration', startedEntry.id, startedEntry.player),
    }).toEqual({
      own: { id },
      teams: 0,
      ofAnother: ['FORBIDDEN: the entry belongs to another user'],
      afterStart: ['CONFLICT: the tournament has started'],
    });
  });

  test('registration withdraws the player from the tournament', async () => {
    const { player, eventId, registration } = await enteredPlayer();
    expect({
      own: await remove('deleteRegistration', registration, player),
      teams: await teams(eventId),
      entry: await entry(eventId, player),
    }).toEqual({ own: { id: registration }, teams: 0, entry: null });
  });
});
