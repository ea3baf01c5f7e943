import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { entriesOf } from '../../support/fixtures/event-registrations.js';
import { instantAt } from '../../support/fixtures/tournaments.js';
import { type Person, startApp, type TestApp } from '../../support/servers/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const {
  open,
  register,
  confirm,
  decline,
  invitations,
  notifications: notificationsOf,
  teams,
  save,
  entry,
} = entriesOf(() => app);
const year = new Date().getUTCFullYear();

/** Creates a player with the given gender, and with the given age on the day of the tournament. */
async function player(gender: 'F' | 'M' | null, age?: number, values: object = {}): Promise<Person> {
  const person = await app.person(values);
  const dateOfBirth = age === undefined ? null : `${year - age}-01-01T00:00:00Z`;
  await app.sql.rows('update app_user set gender = $2, date_of_birth = $3 where id = $1', [person.id, gender, dateOfBirth]);
  return person;
}
const invitation = async (person: Person) => (await invitations(person))[0].id;
const rejection = (field: string, expected: string) => [`BAD_INPUT: input.${field}: expected ${expected}`];
const playerRejection = (reason: string) =>
  rejection('eventId', `an event that the player is eligible for: this event is ${reason}`);
const partnerRejection = (reason: string) => rejection('partnerId', `a partner who can enter the event: it is ${reason}`);
const team = { __typename: 'Team' };
const created = { id: expect.any(String) };

describe('an event admits only eligible players', () => {
  test('by the gender and age of its player group', async () => {
    const [women, senior, boys] = [
      await open({ playerGroupId: '2' }),
      await open({ playerGroupId: '7' }),
      await open({ playerGroupId: '5' }),
    ];
    const [woman, man, ofUnknownGender, ofUnknownAge] = [
      await player('F'),
      await player('M', 30),
      await player(null),
      await player('M'),
    ];
    const [boy, seniorMan] = [await player('M', 12), await player('M', 50)];
    expect({
      manForWomen: await register({ eventId: women }, man),
      unknownGenderForWomen: await register({ eventId: women }, ofUnknownGender),
      manForSeniors: await register({ eventId: senior }, man),
      unknownAgeForSeniors: await register({ eventId: senior }, ofUnknownAge),
      manForBoys: await register({ eventId: boys }, man),
    }).toEqual({
      manForWomen: playerRejection('for women'),
      unknownGenderForWomen: playerRejection('for women, and the profile has no category of play'),
      manForSeniors: playerRejection('for players aged 50 or older'),
      unknownAgeForSeniors: playerRejection('for players aged 50 or older, and the profile has no date of birth'),
      manForBoys: playerRejection('for players under 18'),
    });
    expect({ women: await teams(women), senior: await teams(senior), boys: await teams(boys) }).toEqual({
      women: 0,
      senior: 0,
      boys: 0,
    });
    expect({
      womanForWomen: await register({ eventId: women }, woman),
      seniorForSeniors: await register({ eventId: senior }, seniorMan),
      boyForBoys: await register({ eventId: boys }, boy),
    }).toEqual({ womanForWomen: created, seniorForSeniors: created, boyForBoys: created });
  });

  test('by the gender of its format, if it has no player group', async () => {
    const eventId = await open({ formatId: '2' });
    expect({
      man: await register({ eventId }, await player('M')),
      woman: await register({ eventId }, await player('F'), '__typename'),
    }).toEqual({ man: playerRejection('for women'), woman: team });
  });

  test('including partners, whose age is checked only when they confirm', async () => {
    const [mixed, seniors] = [await open({ playerGroupId: '3' }), await open({ playerGroupId: '9', formatId: '5' })];
    const [woman, man, otherWoman, youngMan] = [
      await player('F', 60),
      await player('M', 60),
      await player('F', 60),
      await player('M', 20),
    ];
    expect({
      twoWomenForMixed: await register({ eventId: mixed, partnerId: otherWoman.id }, woman),
      womanAndManForMixed: await register({ eventId: mixed, partnerId: man.id }, woman, '__typename'),
      youngPartnerForSeniors: await register({ eventId: seniors, partnerId: youngMan.id }, woman, '__typename'),
      confirmedByYoungPartner: await confirm(await invitation(youngMan), youngMan),
      confirmedByMan: await confirm(await invitation(man), man),
    }).toEqual({
      twoWomenForMixed: partnerRejection('for teams of one woman and one man'),
      womanAndManForMixed: team,
      youngPartnerForSeniors: team,
      confirmedByYoungPartner: ['CONFLICT: the event is for players aged 50 or older'],
      confirmedByMan: { status: 'CONFIRMED' },
    });
  });

  test('including partners who were invited by e-mail address', async () => {
    const woman = await player('F');
    const partner = await player('F', 30, { email: 'same@example.com' });
    await register({ eventId: await open({ playerGroupId: '3' }), partnerEmail: 'same@example.com' }, woman);
    expect(await confirm(await invitation(partner), partner)).toEqual([
      'CONFLICT: the event is for teams of one woman and one man',
    ]);
  });
});

test('a partner who declined can be invited again, and the notification says that it is a repeated invitation', async () => {
  const [host, partner] = [await player('F'), await player('M')];
  const eventId = await open({ maxTeams: 1 });
  await register({ eventId, partnerId: partner.id }, host);
  await decline(await invitation(partner), partner);
  await register({ eventId, partnerId: partner.id }, host);
  const pending = (await invitations(partner, 'id status')).find(({ status }: { status: string }) => status === 'PENDING');
  expect({
    confirmation: await confirm(pending.id, partner),
    partner: await notificationsOf(partner),
    host: (await notificationsOf(host))[0],
  }).toEqual({
    confirmation: { status: 'CONFIRMED' },
    partner: [
      'TEAM_INVITATION: Ana Lopez has entered Doubles of Austin Open with you. Please confirm or decline.',
      'TEAM_INVITATION: Ana Lopez invites you again and has entered Doubles of Austin Open with you. Please confirm or decline.',
    ],
    host: 'TEAM_DECLINED: Ana Lopez has declined to play in Doubles of Austin Open. Your team has lost its place. You can register again, with the same or another partner.',
  });
});

describe("a player's own event registration", () => {
  const write = async (input: object, caller: Person, mutation = 'createEventRegistration') => {
    const text = `mutation ($input: EventRegistrationInput!) { written: ${mutation}(input: $input) { teamId partnerId } }`;
    const answer = await app.graphql(text, { input }, { user: caller.user });
    return answer.written ?? answer.errors;
  };

  test('rejects the team, the entry and the partner of other players', async () => {
    const [inviter, partner, stranger] = [await player('F'), await player('M'), await player('F')];
    const eventId = await open();
    const { id: teamId } = await register({ eventId, partnerId: partner.id }, inviter);
    const { id: entryId } = (await entry(eventId, partner)) ?? {};
    const foreignTeam = ['FORBIDDEN: input.teamId: only a team of the same player'];
    expect({
      teamOnCreate: await write({ eventId, teamId }, stranger),
      teamOnUpsert: await write({ eventId, teamId }, stranger, 'upsertEventRegistration'),
      entry: await write({ eventId, partnerRegistrationId: entryId }, stranger),
      partner: await write({ eventId, partnerId: inviter.id }, stranger),
    }).toEqual({
      teamOnCreate: foreignTeam,
      teamOnUpsert: foreignTeam,
      entry: ['FORBIDDEN: input.partnerRegistrationId: only the entry of a player without another partner'],
      partner: ['FORBIDDEN: input.partnerId: only a player without another partner in the event'],
    });
  });

  test('accepts the player’s own team and a partner without another entry, and rejects an unknown team', async () => {
    const [owner, freePlayer] = [await player('F'), await player('M')];
    const eventId = await open();
    await register({ eventId }, freePlayer);
    await save('Team', { id: 'own', playerOneId: owner.id, eventId });
    expect({
      ownTeam: await write({ id: 'own-entry', eventId, teamId: 'own', partnerId: freePlayer.id }, owner),
      missingTeam: await write({ id: 'own-entry', teamId: 'to-come' }, owner, 'upsertEventRegistration'),
    }).toEqual({
      ownTeam: { teamId: 'own', partnerId: freePlayer.id },
      missingTeam: ['FORBIDDEN: input.teamId: the owner of the event registration cannot change it'],
    });
  });
});

describe('viewerCan', () => {
  const viewerCan = async (query: string, person?: Person) =>
    Object.values((await app.graphql(`{ ${query} }`, {}, person && { user: person.user })) as object)[0]?.viewerCan;
  const event = (id: string) => `event(id: "${id}") { viewerCan { register withdraw } }`;

  test('allows registering for an open event with free places if the viewer is eligible', async () => {
    const [woman, man, otherWoman] = [await player('F'), await player('M'), await player('F')];
    const openEvent = await open({ playerGroupId: '2', maxTeams: 1 });
    const closedEvent = await open({}, { registrationClosesAt: instantAt(-1) });
    const canRegister = async (id: string, person?: Person) => (await viewerCan(event(id), person)).register;
    expect({
      woman: await canRegister(openEvent, woman),
      man: await canRegister(openEvent, man),
      platform: await canRegister(openEvent),
      closedEvent: await canRegister(closedEvent, woman),
    }).toEqual({ woman: true, man: false, platform: false, closedEvent: false });
    await register({ eventId: openEvent }, otherWoman);
    expect({
      fullEvent: await viewerCan(event(openEvent), woman),
      registered: await viewerCan(event(openEvent), otherWoman),
    }).toEqual({
      fullEvent: { register: false, withdraw: false },
      registered: { register: false, withdraw: false },
    });
  });

  test('allows withdrawing the viewer’s registrations until play starts', async () => {
    const [owner, stranger] = [await player('F'), await player('F')];
    const eventId = await open();
    await register({ eventId }, owner);
    const { id, registration } = (await entry(eventId, owner)) ?? {};
    const entryQuery = `eventRegistration(id: "${id}") { viewerCan { withdraw } }`;
    const registrationQuery = `registration(id: "${registration}") { viewerCan { withdraw register } }`;
    expect({
      ownEntry: await viewerCan(entryQuery, owner),
      ownRegistration: await viewerCan(registrationQuery, owner),
      entryOfAnother: await viewerCan(entryQuery, stranger),
      entryByPlatform: await viewerCan(entryQuery),
    }).toEqual({
      ownEntry: { withdraw: true },
      ownRegistration: { withdraw: true, register: false },
      entryOfAnother: { withdraw: false },
      entryByPlatform: { withdraw: false },
    });
    await app.sql.rows(
      `update tournament set starts_at = now() - interval '1 hour' where id = (select tournament_id from tournament_event where id = $1)`,
      [eventId],
    );
    expect({
      ownEntryAfterStart: await viewerCan(entryQuery, owner),
      ownRegistrationAfterStart: await viewerCan(registrationQuery, owner),
    }).toEqual({
      ownEntryAfterStart: { withdraw: false },
      ownRegistrationAfterStart: { withdraw: false, register: false },
    });
  });
});

test('isViewerRegistered is the same on a tournament and its event, even for an entry without a registration', async () => {
  const person = await player('F');
  const eventId = await open();
  await save('EventRegistration', { userId: person.id, eventId });
  const { event } = await app.graphql(
    `{ event(id: "${eventId}") { isViewerRegistered tournament { id isViewerRegistered } } }`,
    {},
    person,
  );
  const filter = (isViewerRegistered: boolean) =>
    `tournaments(filter: { id: { eq: "${event.tournament.id}" }, isViewerRegistered: ${isViewerRegistered} }) { totalCount }`;
  const filtered = await app.graphql(`{ registered: ${filter(true)} notRegistered: ${filter(false)} }`, {}, person);
  expect({ event: event.isViewerRegistered, tournament: event.tournament.isViewerRegistered, filtered }).toEqual({
    event: true,
    tournament: true,
    filtered: { registered: { totalCount: 1 }, notRegistered: { totalCount: 0 } },
  });
});
