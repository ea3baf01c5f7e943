import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Person, startApp, type TestApp } from '../support/app.js';
import { entriesOf } from '../support/entries.js';
import { at } from '../support/tournaments.js';

let app: TestApp;
let ana: Person;
let eve: Person;
beforeAll(async () => {
  app = await startApp();
  ana = await app.person();
  eve = await app.person({ firstName: 'Eve', lastName: 'Sly' });
});
afterAll(() => app.close());

const { open, register, confirm, decline, withdraw, withdrawRegistration, invitations, entry, told, teams, save } = entriesOf(
  () => app,
);
const invitation = async (who: Person) => (await invitations(who))[0].id;

describe('leaving', () => {
  const pair = async (who: Person, eventId: string): Promise<string> => {
    await register({ eventId, partnerId: who.id }, ana);
    return invitation(who);
  };
  const left = async (eventId: string) =>
    (await app.sql.rows('select id from event_registration where event_id = $1', [eventId])).length;

  test('a partner who declines frees the place, and who registered is told', async () => {
    const partner = await app.person({ firstName: 'Ned' });
    const eventId = await open({ maxTeams: 1 });
    const id = await pair(partner, eventId);
    expect([await decline(id, ana), await decline(id, partner), await decline(id, partner), await confirm(id, partner)]).toEqual([
      ['FORBIDDEN: only for: the player who is invited'],
      { status: 'DECLINED' },
      { status: 'DECLINED' },
      ['CONFLICT: the invitation was declined'],
    ]);
    expect([
      await teams(eventId),
      await left(eventId),
      (await told(ana)).at(-1),
      Array.isArray(await register({ eventId }, eve)),
    ]).toEqual([
      0,
      0,
      'TEAM_DECLINED: Ned Lopez has declined to play in Doubles of Austin Open. Your team has lost its place: register again, with them or with somebody else.',
      false,
    ]);
  });

  test('either player withdraws the team and frees the place; the other one is told', async () => {
    const partner = await app.person();
    const eventId = await open({ maxTeams: 1 });
    const id = await pair(partner, eventId);
    await confirm(id, partner);
    const [own, before] = [await entry(eventId, partner), await entry(eventId, ana)];
    const others = ["FORBIDDEN: the entry is somebody else's"];
    expect([
      await register({ eventId }, eve),
      await decline(id, partner),
      await withdraw(own?.id ?? '', eve),
      await withdraw('none', eve),
      await withdraw(own?.id ?? '', partner, 'id user { id }'),
      await withdraw(own?.id ?? '', partner),
      await confirm(id, partner),
    ]).toEqual([
      ['CONFLICT: the event is full'],
      ['CONFLICT: the invitation was confirmed: withdraw instead'],
      others,
      ['NOT_FOUND: no entry with the id none'],
      { id: own?.id, user: { id: partner.id } },
      [`NOT_FOUND: no entry with the id ${own?.id}`],
      ['CONFLICT: the invitation was withdrawn'],
    ]);
    const registrations = await app.sql.rows('select id from registration where id = any($1)', [
      [own?.registration, before?.registration],
    ]);
    expect([await teams(eventId), await left(eventId), registrations, (await told(ana)).at(-1)]).toEqual([
      0,
      0,
      [],
      'TEAM_WITHDRAWN: Ana Lopez has withdrawn from Austin Open, and your team with it.',
    ]);
  });

  test('both at once, and confirming meanwhile, end in one withdrawal', async () => {
    const partner = await app.person();
    const eventId = await open();
    const id = await pair(partner, eventId);
    const [mine, theirs] = [await entry(eventId, ana), await entry(eventId, partner)];
    const answers = await Promise.all([withdraw(mine?.id ?? '', ana), withdraw(theirs?.id ?? '', partner), confirm(id, partner)]);
    const codes = answers
      .filter(Array.isArray)
      .flat()
      .map((error: string) => error.split(':')[0]);
    expect([
      codes.every((code) => code === 'NOT_FOUND' || code === 'CONFLICT'),
      codes.filter((code) => code === 'NOT_FOUND').length,
      await teams(eventId),
      await left(eventId),
    ]).toEqual([true, 1, 0, 0]);
  });

  test('the whole registration goes with its entries, for nobody else and not once play has begun', async () => {
    const eventId = await open();
    await register({ eventId }, eve);
    const { registration = '' } = (await entry(eventId, eve)) ?? {};
    const [row] = await app.sql.rows<{ id: string }>('select tournament_id as id from registration where id = $1', [
      registration,
    ]);
    const begin = (startsAt: string) => save('Tournament', { id: row?.id, startsAt });
    const others = await withdrawRegistration(registration, ana);
    await begin(at(-1));
    const late = await withdrawRegistration(registration, eve);
    await begin(at(48));
    expect([
      others,
      late,
      await withdrawRegistration('none', eve),
      await withdrawRegistration(registration, eve),
      await left(eventId),
    ]).toEqual([
      ["FORBIDDEN: the registration is somebody else's"],
      ['CONFLICT: play has begun'],
      ['NOT_FOUND: no registration with the id none'],
      { id: registration },
      0,
    ]);
  });

  test('an entry that names the team of others takes none of them along', async () => {
    const eventId = await open();
    const team = await register({ eventId }, ana);
    const { registration } = (await entry(eventId, ana)) ?? {};
    await save('EventRegistration', { id: 'mean', teamId: team.id, eventId, userId: eve.id });
    expect([await withdraw('mean', eve), await teams(eventId), (await entry(eventId, ana))?.registration]).toEqual([
      { id: 'mean' },
      1,
      registration,
    ]);
  });
});
