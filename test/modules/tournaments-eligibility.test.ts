import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Person, startApp, type TestApp } from '../support/app.js';
import { entriesOf } from '../support/entries.js';
import { at } from '../support/tournaments.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const { open, register, confirm, decline, invitations, told, teams, save, entry } = entriesOf(() => app);
const year = new Date().getUTCFullYear();

/** A player with a category of play and an age on the day of the tournament. */
async function player(gender: 'F' | 'M' | null, age?: number, values: object = {}): Promise<Person> {
  const who = await app.person(values);
  const born = age === undefined ? null : `${year - age}-01-01T00:00:00Z`;
  await app.sql.rows('update app_user set gender = $2, date_of_birth = $3 where id = $1', [who.id, gender, born]);
  return who;
}
const invitation = async (who: Person) => (await invitations(who))[0].id;
const no = (field: string, reason: string) => [`BAD_INPUT: input.${field}: expected ${reason}`];
const mine = (reason: string) => no('eventId', `an event for which the player is: it is ${reason}`);
const theirs = (reason: string) => no('partnerId', `a partner for whom the event is: it is ${reason}`);

describe('an event is for those whom it is declared for', () => {
  test('by its player group: category of play and age of the player', async () => {
    const [women, senior, boys] = [
      await open({ playerGroupId: '2' }),
      await open({ playerGroupId: '7' }),
      await open({ playerGroupId: '5' }),
    ];
    const [her, him, nobody, boy, old] = [
      await player('F'),
      await player('M', 30),
      await player(null),
      await player('M', 12),
      await player('M', 50),
    ];
    expect([
      await register({ eventId: women }, him),
      await register({ eventId: women }, nobody),
      await register({ eventId: senior }, him),
      await register({ eventId: senior }, await player('M')),
      await register({ eventId: boys }, him),
      [await teams(women), await teams(senior), await teams(boys)],
      (
        await Promise.all([
          register({ eventId: women }, her),
          register({ eventId: senior }, old),
          register({ eventId: boys }, boy),
        ])
      ).map(({ id }) => typeof id),
    ]).toEqual([
      mine('for women'),
      mine('for women, and the profile tells no category of play'),
      mine('for players of 50 and over'),
      mine('for players of 50 and over, and the profile tells no date of birth'),
      mine('for players of under 18'),
      [0, 0, 0],
      ['string', 'string', 'string'],
    ]);
  });

  test('by its format, where it has no group', async () => {
    const eventId = await open({ formatId: '2' });
    expect([
      await register({ eventId }, await player('M')),
      await register({ eventId }, await player('F'), '__typename'),
    ]).toEqual([mine('for women'), { __typename: 'Team' }]);
  });

  test('with a partner who fits, whose age shows when they confirm and to nobody else', async () => {
    const [mixed, seniors] = [await open({ playerGroupId: '3' }), await open({ playerGroupId: '9', formatId: '5' })];
    const [her, him, other, young] = [await player('F', 60), await player('M', 60), await player('F', 60), await player('M', 20)];
    const both = 'for teams of one woman and one man';
    expect([
      await register({ eventId: mixed, partnerId: other.id }, her),
      await register({ eventId: mixed, partnerId: him.id }, her, '__typename'),
      await register({ eventId: seniors, partnerId: young.id }, her, '__typename'),
      await confirm(await invitation(young), young),
      await confirm(await invitation(him), him),
    ]).toEqual([
      theirs(both),
      { __typename: 'Team' },
      { __typename: 'Team' },
      ['CONFLICT: the event is for players of 50 and over'],
      { status: 'CONFIRMED' },
    ]);
  });

  test('also for a partner by address', async () => {
    const her = await player('F');
    const partner = await player('F', 30, { email: 'same@example.com' });
    await register({ eventId: await open({ playerGroupId: '3' }), partnerEmail: 'same@example.com' }, her);
    expect(await confirm(await invitation(partner), partner)).toEqual([
      'CONFLICT: the event is for teams of one woman and one man',
    ]);
  });
});

test('a partner who has declined may be asked again, and is told so', async () => {
  const [host, partner] = [await player('F'), await player('M')];
  const eventId = await open({ maxTeams: 1 });
  await register({ eventId, partnerId: partner.id }, host);
  await decline(await invitation(partner), partner);
  await register({ eventId, partnerId: partner.id }, host);
  const pending = (await invitations(partner, 'id status')).find(({ status }: { status: string }) => status === 'PENDING');
  expect([await confirm(pending.id, partner), await told(partner), (await told(host))[0]]).toEqual([
    { status: 'CONFIRMED' },
    [
      'TEAM_INVITATION: Ana Lopez has entered Doubles of Austin Open with you. Please confirm or decline.',
      'TEAM_INVITATION: Ana Lopez asks you again and has entered Doubles of Austin Open with you. Please confirm or decline.',
    ],
    'TEAM_DECLINED: Ana Lopez has declined to play in Doubles of Austin Open. Your team has lost its place: register again, with them or with somebody else.',
  ]);
});

describe('an own entry names', () => {
  const enter = async (input: object, who: Person, mutation = 'createEventRegistration') => {
    const text = `mutation ($input: EventRegistrationInput!) { done: ${mutation}(input: $input) { teamId partnerId } }`;
    const answer = await app.graphql(text, { input }, { user: who.user });
    return answer.done ?? answer.errors;
  };

  test('no team, entry or partner of strangers', async () => {
    const [one, two, stranger] = [await player('F'), await player('M'), await player('F')];
    const eventId = await open();
    const team = await register({ eventId, partnerId: two.id }, one);
    const { id: entryId } = (await entry(eventId, two)) ?? {};
    const team_ = ['FORBIDDEN: input.teamId: only a team of the same player'];
    expect([
      await enter({ eventId, teamId: team.id }, stranger),
      await enter({ eventId, teamId: team.id }, stranger, 'upsertEventRegistration'),
      await enter({ eventId, partnerRegistrationId: entryId }, stranger),
      await enter({ eventId, partnerId: one.id }, stranger),
    ]).toEqual([
      team_,
      team_,
      ['FORBIDDEN: input.partnerRegistrationId: only the entry of somebody who plays with nobody else'],
      ['FORBIDDEN: input.partnerId: only somebody who plays with nobody else in the event'],
    ]);
  });

  test('the own team, a partner who is free, and what is not there yet', async () => {
    const [one, free] = [await player('F'), await player('M')];
    const eventId = await open();
    await register({ eventId }, free);
    await save('Team', { id: 'own', playerOneId: one.id, eventId });
    expect([
      await enter({ id: 'own-entry', eventId, teamId: 'own', partnerId: free.id }, one),
      await enter({ id: 'own-entry', teamId: 'to-come' }, one, 'upsertEventRegistration'),
    ]).toEqual([
      { teamId: 'own', partnerId: free.id },
      { teamId: 'to-come', partnerId: free.id },
    ]);
  });
});

describe('what the viewer can do', () => {
  const can = async (query: string, who?: Person) =>
    Object.values((await app.graphql(`{ ${query} }`, {}, who && { user: who.user })) as object)[0]?.viewerCan;
  const event = (id: string) => `event(id: "${id}") { viewerCan { register withdraw } }`;

  test('register, while nothing of the event speaks against it', async () => {
    const [who, him] = [await player('F'), await player('M')];
    const other = await player('F');
    const free = await open({ playerGroupId: '2', maxTeams: 1 });
    const closed = await open({}, { registrationClosesAt: at(-1) });
    const before = [
      await can(event(free), who),
      await can(event(free), him),
      await can(event(free)),
      await can(event(closed), who),
    ];
    await register({ eventId: free }, other);
    expect([before.map(({ register: may }) => may), await can(event(free), who), await can(event(free), other)]).toEqual([
      [true, false, false, false],
      { register: false, withdraw: false },
      { register: false, withdraw: false },
    ]);
  });

  test('withdraw what is theirs, until play begins', async () => {
    const [who, stranger] = [await player('F'), await player('F')];
    const eventId = await open();
    await register({ eventId }, who);
    const { id, registration } = (await entry(eventId, who)) ?? {};
    const of = `eventRegistration(id: "${id}") { viewerCan { withdraw } }`;
    const whole = `registration(id: "${registration}") { viewerCan { withdraw register } }`;
    const before = [await can(of, who), await can(whole, who), await can(of, stranger), await can(of)];
    await app.sql.rows(
      `update tournament set starts_at = now() - interval '1 hour' where id = (select tournament_id from tournament_event where id = $1)`,
      [eventId],
    );
    expect([before, await can(of, who), await can(whole, who)]).toEqual([
      [{ withdraw: true }, { withdraw: true, register: false }, { withdraw: false }, { withdraw: false }],
      { withdraw: false },
      { withdraw: false, register: false },
    ]);
  });
});

test('a tournament and its event agree that the viewer is registered, also by an entry without a registration', async () => {
  const who = await player('F');
  const eventId = await open();
  await save('EventRegistration', { userId: who.id, eventId });
  const { event } = await app.graphql(
    `{ event(id: "${eventId}") { isViewerRegistered tournament { id isViewerRegistered } } }`,
    {},
    who,
  );
  const filter = (is: boolean) =>
    `tournaments(filter: { id: { eq: "${event.tournament.id}" }, isViewerRegistered: ${is} }) { totalCount }`;
  const found = await app.graphql(`{ yes: ${filter(true)} no: ${filter(false)} }`, {}, who);
  expect([event.isViewerRegistered, event.tournament.isViewerRegistered, found]).toEqual([
    true,
    true,
    { yes: { totalCount: 1 }, no: { totalCount: 0 } },
  ]);
});
