import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { entriesOf } from '../../support/fixtures/event-registrations.js';
import { instantAt } from '../../support/fixtures/tournaments.js';
import { type Person, startApp, type TestApp } from '../../support/servers/app.js';

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
  checkout,
  decline,
  withdraw,
  withdrawRegistration,
  invitations,
  entry,
  notifications: notificationsOf,
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
    declinedByInviter: ['FORBIDDEN: Not allowed: requires a user token of the invited player'],
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

const deletedIds = 'deletedTeamIds deletedEventRegistrationIds deletedRegistrationIds deletedInvoiceItemIds';

/**
 * Returns the IDs of the teams, entries, registrations and invoice items of an event, in the format in which mutations return deleted IDs.
 */
async function idsIn(eventId: string) {
  const ids = async (query: string) =>
    (await app.sql.rows<{ id: string }>(`${query} where event_id = $1`, [eventId])).map(({ id }) => id).toSorted();
  return {
    deletedTeamIds: await ids('select id from team'),
    deletedEventRegistrationIds: await ids('select id from event_registration'),
    deletedRegistrationIds: await ids('select registration_id as id from event_registration'),
    deletedInvoiceItemIds: await ids('select id from invoice_item'),
  };
}
const sorted = (answer: Record<string, string[]>) =>
  Object.fromEntries(Object.entries(answer).map(([name, ids]) => [name, ids.toSorted()]));

describe('the IDs of the deleted records are returned', () => {
  const enterPair = async () => {
    const [player, partner] = [await app.person(), await app.person()];
    const eventId = await open({ fee: '40' });
    await register({ eventId, partnerId: partner.id }, player);
    const own = await entry(eventId, player);
    await checkout({ registrationId: own?.registration }, player);
    return { player, partner, eventId, ids: await idsIn(eventId), own };
  };
  const counts = (ids: Record<string, string[]>) => Object.values(ids).map(({ length }) => length);

  test('by declineTeamInvitation, once', async () => {
    const { partner, ids } = await enterPair();
    const id = await invitation(partner);
    const declined = await decline(id, partner, deletedIds);
    const declinedAgain = await decline(id, partner, deletedIds);
    expect({ counts: counts(ids), declined: sorted(declined), declinedAgain: counts(declinedAgain) }).toEqual({
      counts: [1, 2, 2, 1],
      declined: ids,
      declinedAgain: [0, 0, 0, 0],
    });
  });

  test('by withdraw', async () => {
    const { player, own, ids } = await enterPair();
    expect(sorted(await withdraw(own?.id ?? '', player, deletedIds))).toEqual(ids);
  });

  test('by withdrawRegistration', async () => {
    const { player, own, ids } = await enterPair();
    expect(sorted(await withdrawRegistration(own?.registration ?? '', player, deletedIds))).toEqual(ids);
  });

  test('but not by queries', async () => {
    const { partner, own } = await enterPair();
    const query = `{ eventRegistration(id: "${own?.id}") { ${deletedIds} } }`;
    const { eventRegistration } = await app.graphql(query, {}, { user: partner.user });
    expect(counts(eventRegistration)).toEqual([0, 0, 0, 0]);
  });
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
      declinedAfterConfirmation: ['CONFLICT: the invitation was confirmed. Withdraw to leave the team'],
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
    await setStart(instantAt(-1));
    const afterStart = await withdrawRegistration(registration, eve);
    await setStart(instantAt(48));
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
