import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { entriesOf } from '../support/fixtures/event-registrations.js';
import { at } from '../support/fixtures/tournaments.js';
import { type Person, startApp, type TestApp } from '../support/servers/app.js';

let app: TestApp;
let ana: Person;
let eve: Person;
beforeAll(async () => {
  app = await startApp();
  ana = await app.person();
  eve = await app.person({ firstName: 'Eve', lastName: 'Sly' });
});
afterAll(() => app.close());

const {
  open,
  register,
  confirm,
  decline,
  withdraw,
  withdrawRegistration,
  invitations,
  entry,
  told: notificationsOf,
  teams,
  save,
} = entriesOf(() => app);
const invitation = async (person: Person) => (await invitations(person))[0].id;

const registerWithAna = async (partner: Person, eventId: string): Promise<string> => {
  await register({ eventId, partnerId: partner.id }, ana);
  return invitation(partner);
};
const entryCount = async (eventId: string) =>
  (await app.sql.rows('select id from event_registration where event_id = $1', [eventId])).length;

test('a partner who declines frees the place of the team, and the registering player is notified', async () => {
  const partner = await app.person({ firstName: 'Ned' });
  const eventId = await open({ maxTeams: 1 });
  const id = await registerWithAna(partner, eventId);
  expect({
    declinedByInviter: await decline(id, ana),
    declinedByPartner: await decline(id, partner),
    declinedAgain: await decline(id, partner),
    confirmedAfterwards: await confirm(id, partner),
  }).toEqual({
    declinedByInviter: ['FORBIDDEN: only for: the invited player'],
    declinedByPartner: { status: 'DECLINED' },
    declinedAgain: { status: 'DECLINED' },
    confirmedAfterwards: ['CONFLICT: the invitation was declined'],
  });
  expect({
    teamCount: await teams(eventId),
    entryCount: await entryCount(eventId),
    lastNotification: (await notificationsOf(ana)).at(-1),
  }).toEqual({
    teamCount: 0,
    entryCount: 0,
    lastNotification:
      'TEAM_DECLINED: Ned Lopez has declined to play in Doubles of Austin Open. Your team has lost its place. You can register again, with the same or another partner.',
  });
  expect(await register({ eventId }, eve)).toEqual({ id: expect.any(String) });
});

describe('withdrawing', () => {
  test('by either player deletes the team, frees its place and notifies the other player', async () => {
    const partner = await app.person();
    const eventId = await open({ maxTeams: 1 });
    const id = await registerWithAna(partner, eventId);
    await confirm(id, partner);
    const [partnerEntry, anaEntry] = [await entry(eventId, partner), await entry(eventId, ana)];
    const entryId = partnerEntry?.id ?? '';
    expect({
      registeredWhileFull: await register({ eventId }, eve),
      declinedAfterConfirmation: await decline(id, partner),
      withdrawnByStranger: await withdraw(entryId, eve),
      withdrawnUnknown: await withdraw('none', eve),
      withdrawnByPartner: await withdraw(entryId, partner, 'id user { id }'),
      withdrawnAgain: await withdraw(entryId, partner),
      confirmedAfterwards: await confirm(id, partner),
    }).toEqual({
      registeredWhileFull: ['CONFLICT: the event is full'],
      declinedAfterConfirmation: ['CONFLICT: the invitation was confirmed. To leave the team, withdraw'],
      withdrawnByStranger: ['FORBIDDEN: the entry belongs to another user'],
      withdrawnUnknown: ['NOT_FOUND: no entry with the id none'],
      withdrawnByPartner: { id: partnerEntry?.id, user: { id: partner.id } },
      withdrawnAgain: [`NOT_FOUND: no entry with the id ${partnerEntry?.id}`],
      confirmedAfterwards: ['CONFLICT: the invitation was withdrawn'],
    });
    const registrations = await app.sql.rows('select id from registration where id = any($1)', [
      [partnerEntry?.registration, anaEntry?.registration],
    ]);
    expect({
      teamCount: await teams(eventId),
      entryCount: await entryCount(eventId),
      registrations,
      lastNotification: (await notificationsOf(ana)).at(-1),
    }).toEqual({
      teamCount: 0,
      entryCount: 0,
      registrations: [],
      lastNotification: 'TEAM_WITHDRAWN: Ana Lopez has withdrawn your team from Austin Open.',
    });
  });

  test('by both players during a confirmation succeeds once', async () => {
    const partner = await app.person();
    const eventId = await open();
    const id = await registerWithAna(partner, eventId);
    const [anaEntry, partnerEntry] = [await entry(eventId, ana), await entry(eventId, partner)];
    const answers = await Promise.all([
      withdraw(anaEntry?.id ?? '', ana),
      withdraw(partnerEntry?.id ?? '', partner),
      confirm(id, partner),
    ]);
    const codes = answers
      .filter(Array.isArray)
      .flat()
      .map((error: string) => error.split(':')[0]);
    expect({
      otherCodes: codes.filter((code) => code !== 'NOT_FOUND' && code !== 'CONFLICT'),
      notFoundCount: codes.filter((code) => code === 'NOT_FOUND').length,
      teamCount: await teams(eventId),
      entryCount: await entryCount(eventId),
    }).toEqual({ otherCodes: [], notFoundCount: 1, teamCount: 0, entryCount: 0 });
  });

  test('a registration deletes its entries, and is limited to its user and to the time before play', async () => {
    const eventId = await open();
    await register({ eventId }, eve);
    const { registration = '' } = (await entry(eventId, eve)) ?? {};
    const [row] = await app.sql.rows<{ id: string }>('select tournament_id as id from registration where id = $1', [
      registration,
    ]);
    const setStart = (startsAt: string) => save('Tournament', { id: row?.id, startsAt });
    const byStranger = await withdrawRegistration(registration, ana);
    await setStart(at(-1));
    const afterStart = await withdrawRegistration(registration, eve);
    await setStart(at(48));
    expect({
      byStranger,
      afterStart,
      unknown: await withdrawRegistration('none', eve),
      byOwner: await withdrawRegistration(registration, eve),
      entryCount: await entryCount(eventId),
    }).toEqual({
      byStranger: ['FORBIDDEN: the registration belongs to another user'],
      afterStart: ['CONFLICT: the tournament has started'],
      unknown: ['NOT_FOUND: no registration with the id none'],
      byOwner: { id: registration },
      entryCount: 0,
    });
  });

  test('an entry that names the team of other players leaves that team registered', async () => {
    const eventId = await open();
    const team = await register({ eventId }, ana);
    const { registration } = (await entry(eventId, ana)) ?? {};
    await save('EventRegistration', { id: 'mean', teamId: team.id, eventId, userId: eve.id });
    expect({
      withdrawn: await withdraw('mean', eve),
      teamCount: await teams(eventId),
      otherRegistration: (await entry(eventId, ana))?.registration,
    }).toEqual({ withdrawn: { id: 'mean' }, teamCount: 1, otherRegistration: registration });
  });
});
