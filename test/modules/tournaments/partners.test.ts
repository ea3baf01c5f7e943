import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { entriesOf } from '../../support/fixtures/event-registrations.js';
import { instantAt } from '../../support/fixtures/tournaments.js';
import { type Person, startApp, type TestApp } from '../../support/servers/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const { open, register, checkout, entry, save, notifications, withdraw } = entriesOf(() => app);

const run = async (text: string, variables: Record<string, unknown>, caller: Person) => {
  const answer = await app.graphql(text, variables, { user: caller.user });
  return answer.done ?? answer.errors;
};
const enter = (input: object, caller: Person, returned = 'user { id } event { id } status partner { id }') =>
  run(
    `mutation ($input: EventRegistrationInput!) { done: upsertEventRegistration(input: $input) { id ${returned} } }`,
    { input },
    caller,
  );
const registerFor = (input: object, caller: Person) =>
  run('mutation ($input: RegistrationInput!) { done: upsertRegistration(input: $input) { id } }', { input }, caller);

const pair = async (): Promise<[Person, Person]> => [
  await app.person({ firstName: 'Ana', lastName: 'Ruiz' }),
  await app.person({ firstName: 'Ben', lastName: 'Cho' }),
];
const onlyOwn = ['FORBIDDEN: input.userId: only the id of the signed-in user'];
const stored = (eventId: string, { id }: Person) =>
  app.sql.row(
    'select status, partner_id as partner, reported_created_by as by from event_registration where event_id = $1 and user_id = $2',
    [eventId, id],
  );

describe('the entry that a player creates for the partner', () => {
  test('is accepted if the player’s entry names the partner', async () => {
    const [ana, ben] = await pair();
    const eventId = await open({ maxTeams: 1 });
    await enter({ eventId, partnerId: ben.id }, ana);
    const created = await enter({ id: 'of-ben', eventId, userId: ben.id }, ana);
    expect({
      created,
      told: await notifications(ben),
      own: await stored(eventId, ana),
      partner: await stored(eventId, ben),
    }).toEqual({
      created: { id: 'of-ben', user: { id: ben.id }, event: { id: eventId }, status: 'REGISTERED', partner: { id: ana.id } },
      told: ['PARTNER_ENTERED: Ana Ruiz has entered Doubles of Austin Open with you. Withdraw if you do not want to play.'],
      own: { status: 1, partner: ben.id, by: 'Ana Ruiz' },
      partner: { status: 1, partner: ana.id, by: 'Ana Ruiz' },
    });
  });

  test('is accepted if the new entry names the player’s entry', async () => {
    const [ana, ben] = await pair();
    const eventId = await open({ maxTeams: 1 });
    const own = await enter({ eventId }, ana);
    expect({
      created: await enter({ eventId, userId: ben.id, partnerRegistrationId: own.id }, ana),
      own: await stored(eventId, ana),
    }).toMatchObject({ created: { user: { id: ben.id } }, own: { partner: ben.id } });
  });

  test('is paid and withdrawn by the partner', async () => {
    const [ana, ben] = await pair();
    const eventId = await open({ fee: '30' });
    await enter({ eventId, partnerId: ben.id }, ana);
    const { id } = await enter({ eventId, userId: ben.id }, ana);
    const [own, partners] = [await entry(eventId, ana), await entry(eventId, ben)];
    const total = async (registrationId: string | undefined, caller: Person) =>
      (await checkout({ registrationId }, caller)).invoice.total;
    expect({
      own: await total(own?.registration, ana),
      partner: await total(partners?.registration, ben),
      byPlayer: await withdraw(id, ana),
      byPartner: await withdraw(id, ben),
      ownAfter: await entry(eventId, ana),
    }).toEqual({
      own: '30',
      partner: '30',
      byPlayer: ['FORBIDDEN: the entry belongs to another user'],
      byPartner: { id },
      ownAfter: own,
    });
  });

  test('is rejected for other players', async () => {
    const [ana, ben] = await pair();
    const [cleo, dan] = await pair();
    const [eventId, otherEventId] = [await open(), await open()];
    await enter({ eventId, partnerId: ben.id }, ana);
    expect({
      stranger: await enter({ eventId, userId: cleo.id }, ana),
      strangerWhoIsNamed: await enter({ eventId, userId: cleo.id, partnerId: ana.id }, ana),
      anotherEvent: await enter({ eventId: otherEventId, userId: ben.id, partnerId: ana.id }, ana),
      byStranger: await enter({ eventId, userId: ben.id, partnerId: dan.id }, dan),
      entries: [await entry(eventId, cleo), await entry(otherEventId, ben), await entry(eventId, ben)],
      told: [await notifications(cleo), await notifications(ben)],
    }).toEqual({
      stranger: onlyOwn,
      strangerWhoIsNamed: onlyOwn,
      anotherEvent: onlyOwn,
      byStranger: onlyOwn,
      entries: [null, null, null],
      told: [[], []],
    });
  });

  test('cannot change or take over an existing entry', async () => {
    const [ana, ben] = await pair();
    const eventId = await open();
    const own = await enter({ eventId, partnerId: ben.id }, ana);
    const { id } = await enter({ eventId, userId: ben.id }, ana);
    expect({
      change: await enter({ id, eventId, userId: ben.id, updateLocation: 'app' }, ana),
      takeOver: await enter({ id, eventId }, ana),
      giveAway: await enter({ id: own.id, eventId, userId: ben.id }, ana),
      again: await enter({ eventId, userId: ben.id }, ana),
    }).toEqual({
      change: onlyOwn,
      takeOver: ['FORBIDDEN: the eventRegistration belongs to another user'],
      giveAway: onlyOwn,
      again: ['CONFLICT: the partner is already in this event'],
    });
  });

  test('follows the rules of registerTeam', async () => {
    const [ana, ben] = await pair();
    const entered = async (event: object, tournament: object = {}) => {
      const eventId = await open({}, {});
      await enter({ eventId, partnerId: ben.id }, ana);
      await save('TournamentEvent', { id: eventId, ...event });
      const { tournament_id: id } =
        (await app.sql.row('select tournament_id from tournament_event where id = $1', [eventId])) ?? {};
      await save('Tournament', { id, ...tournament });
      return eventId;
    };
    const closed = await entered({}, { registrationClosesAt: instantAt(-1) });
    const canceled = await entered({ isCanceled: true });
    const singles = await entered({ formatId: '1' });
    const seniors = await entered({ playerGroupId: '7' });
    const women = await entered({ formatId: '4' });
    const owed = await entered({});
    await app.sql.rows(`update app_user set gender = 'M' where id = $1`, [ben.id]);
    const by = (eventId: string, more: object = {}) => enter({ eventId, userId: ben.id, ...more }, ana);
    await save('Registration', { id: 'of-ana', userId: ana.id });
    expect({
      closed: await by(closed),
      canceled: await by(canceled),
      singles: await by(singles),
      seniors: await by(seniors),
      women: await by(women),
      status: await by(owed, { status: 'WAITLISTED' }),
      registration: await by(owed, { registrationId: 'of-ana' }),
      event: await by(owed, { originalEventId: closed }),
    }).toEqual({
      closed: ['CONFLICT: registration is closed'],
      canceled: ['CONFLICT: the event is canceled'],
      singles: ['BAD_INPUT: input.partnerId: expected no partner, because the event is not played in pairs'],
      seniors: ['FORBIDDEN: input.userId: only the signed-in user, because the event has an age limit'],
      women: [expect.stringContaining('BAD_INPUT: input.userId: expected a partner who can enter the event')],
      status: ['FORBIDDEN: input.status: only REGISTERED'],
      registration: ['FORBIDDEN: input.registrationId: only a registration of the same player'],
      event: ['FORBIDDEN: input.originalEventId: only the event of the entry'],
    });
  });

  test('occupies the same place as the player’s entry', async () => {
    const [ana, ben] = await pair();
    const [cleo, dan] = await pair();
    const eventId = await open({ maxTeams: 2 });
    await save('Team', { playerOneId: ana.id, eventId });
    await enter({ eventId, partnerId: ben.id }, ana);
    await register({ eventId }, cleo);
    const shared = await open({ maxTeams: 1 });
    await enter({ eventId: shared, partnerId: dan.id }, cleo);
    expect({
      // Ana already has a team without a partner.
      another: await enter({ eventId, userId: ben.id }, ana),
      shared: await enter({ eventId: shared, partnerId: cleo.id }, dan),
    }).toEqual({ another: ['CONFLICT: the event is full'], shared: expect.objectContaining({ status: 'REGISTERED' }) });
  });
});

describe('the registration that a player creates for the partner', () => {
  test.each(['own', "partner's"] as const)('is accepted if the %s entry names the other player', async (entryOf) => {
    const [ana, ben] = await pair();
    const eventId = await open();
    const [from, to] = entryOf === 'own' ? [ana, ben] : [ben, ana];
    const { tournament_id: tournamentId } =
      (await app.sql.row('select tournament_id from tournament_event where id = $1', [eventId])) ?? {};
    const before = await registerFor({ tournamentId, userId: ben.id }, ana);
    await save('EventRegistration', { eventId, userId: from.id, partnerId: to.id });
    expect({
      before,
      stranger: await registerFor({ tournamentId, userId: (await app.person()).id }, ana),
      anotherTournament: await registerFor({ tournamentId: 'another', userId: ben.id }, ana),
      created: await registerFor({ id: `for-${entryOf}`, tournamentId, userId: ben.id }, ana),
      again: await registerFor({ tournamentId, userId: ben.id }, ana),
      told: await notifications(ben),
    }).toEqual({
      before: onlyOwn,
      stranger: onlyOwn,
      anotherTournament: onlyOwn,
      created: { id: `for-${entryOf}` },
      again: ['CONFLICT: the partner is already registered for this tournament'],
      told: ['PARTNER_ENTERED: Ana Ruiz has registered you for Austin Open. Withdraw if you do not want to play.'],
    });
  });
});

describe('reported times and names of users', () => {
  test('are set by the service for writes of users', async () => {
    const [ana] = await pair();
    const path = '/v1/tournament_attendee_event_headers/upsert';
    const id = 'reported-by-ana';
    const before = Date.now();
    const upsert = async (payload: object) => (await app.rest('POST', path, { user: ana.user }, { payload })).body.result;
    const created = await upsert({
      tournament_attendee_header_uuid: id,
      date_created: '2020-01-01T00:00:00Z',
      created_by_full_name: 'Somebody Else',
      date_updated: null,
    });
    const changed = await upsert({ tournament_attendee_header_uuid: id, update_location: 'app' });
    const isNow = (date: string) => Date.parse(date) >= before - 1000;
    expect({
      createdNow: isNow(created.date_created),
      createdBy: created.created_by_full_name,
      updatedBy: created.updated_by_full_name,
      keptDate: changed.date_created === created.date_created,
      keptName: changed.created_by_full_name,
      updatedNow: isNow(changed.date_updated),
    }).toEqual({
      createdNow: true,
      createdBy: 'Ana Ruiz',
      updatedBy: 'Ana Ruiz',
      keptDate: true,
      keptName: 'Ana Ruiz',
      updatedNow: true,
    });
  });

  test('keep the values that a platform has sent', async () => {
    const [ana] = await pair();
    const path = '/v1/tournament_attendee_event_headers/upsert';
    const upsert = async (payload: object, tokens: object) => (await app.rest('POST', path, tokens, { payload })).body.result;
    const reported = { date_created: '2020-01-01T00:00:00Z', created_by_full_name: 'The Desk' };
    const record = { tournament_attendee_header_uuid: 'reported-by-desk', user_uuid: ana.id };
    await upsert({ ...record, ...reported }, app.platform);
    expect(await upsert({ ...record, date_created: null }, { user: ana.user })).toMatchObject(reported);
  });
});
