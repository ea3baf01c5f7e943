import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mailbox } from '../../support/clients/mailbox.js';
import { entriesOf } from '../../support/fixtures/event-registrations.js';
import { instantAt } from '../../support/fixtures/tournaments.js';
import { type Person, startApp, type TestApp } from '../../support/servers/app.js';

let app: TestApp;
let ana: Person;
let ben: Person;
let eve: Person;
beforeAll(async () => {
  app = await startApp();
  ana = await app.person();
  ben = await app.person({ firstName: 'Ben', lastName: 'Ito' });
  eve = await app.person({ firstName: 'Eve', lastName: 'Sly' });
});
afterAll(() => app.close());

const { open, register, confirm, invitations, notifications: notificationsOf, teams, save } = entriesOf(() => app);
const invitation = async (person: Person) => (await invitations(person))[0].id;

describe('registering for an event', () => {
  test('creates the team with registrations and entries of both players, and invites the partner, who confirms', async () => {
    const [inviter, partner] = [await app.person({ firstName: 'Una' }), await app.person({ firstName: 'Due' })];
    const eventId = await open({ formatId: '3' });
    const players =
      'playerOne { id } playerTwo { id } registrations { nodes { status user { id } partner { id } registration { tournament { title } user { id } } } }';
    const team = await register({ eventId, partnerId: partner.id }, inviter, players);
    const [teamInvitation] = await invitations(
      partner,
      'id status inviter { id } user { id } event { id } team { playerTwo { id } }',
    );
    expect({ playerOne: team.playerOne, playerTwo: team.playerTwo, teamInvitation }).toEqual({
      playerOne: { id: inviter.id },
      playerTwo: { id: partner.id },
      teamInvitation: {
        id: teamInvitation.id,
        status: 'PENDING',
        inviter: { id: inviter.id },
        user: { id: partner.id },
        event: { id: eventId },
        team: { playerTwo: { id: partner.id } },
      },
    });
    const registration = (user: Person) => ({ tournament: { title: 'Austin Open' }, user: { id: user.id } });
    expect(
      team.registrations.nodes.toSorted((a: { user: Person }, b: { user: Person }) => a.user.id.localeCompare(b.user.id)),
    ).toEqual([
      { status: 'REGISTERED', user: { id: inviter.id }, partner: { id: partner.id }, registration: registration(inviter) },
      { status: 'INVITED', user: { id: partner.id }, partner: { id: inviter.id }, registration: registration(partner) },
    ]);
    expect({
      confirmation: await confirm(teamInvitation.id, partner),
      secondConfirmation: await confirm(teamInvitation.id, partner),
      inviter: await notificationsOf(inviter),
      partner: await notificationsOf(partner),
    }).toEqual({
      confirmation: { status: 'CONFIRMED' },
      secondConfirmation: { status: 'CONFIRMED' },
      inviter: ['TEAM_CONFIRMED: Due Lopez has confirmed and plays with you in Doubles of Austin Open.'],
      partner: ['TEAM_INVITATION: Una Lopez has entered Doubles of Austin Open with you. Please confirm or decline.'],
    });
    const entries = `{ eventRegistrations(filter: { eventId: { eq: "${eventId}" } }) { nodes { status } } }`;
    expect((await app.graphql(entries)).eventRegistrations.nodes).toEqual(Array(2).fill({ status: 'REGISTERED' }));
  });

  test('notifies the partner with the invitation as the subject', async () => {
    const [inviter, partner] = [await app.person(), await app.person()];
    await register({ eventId: await open({ formatId: '3' }), partnerId: partner.id }, inviter);
    const { viewer } = await app.graphql(
      '{ viewer { teamInvitations { nodes { id } } notifications { nodes { subjectKind subjectId subject { ... on TeamInvitation { status inviter { id } } } } } } }',
      {},
      { user: partner.user },
    );
    expect(viewer.notifications.nodes).toEqual([
      {
        subjectKind: 'TEAM_INVITATION',
        subjectId: viewer.teamInvitations.nodes[0].id,
        subject: { status: 'PENDING', inviter: { id: inviter.id } },
      },
    ]);
  });

  test('creates one registration in concurrent requests for several events of a tournament', async () => {
    const player = await app.person();
    const first = await open();
    const [row] = await app.sql.rows<{ id: string }>('select tournament_id as id from tournament_event where id = $1', [first]);
    const others = [1, 2, 3].map((n) => save('TournamentEvent', { id: `${first}-${n}`, tournamentId: row?.id }));
    const events = [first, ...(await Promise.all(others))];
    await Promise.all(events.map((eventId) => register({ eventId }, player)));
    const counts = await app.sql.row(
      'select count(*)::int as entries, count(distinct registration_id)::int as registrations from event_registration where user_id = $1',
      [player.id],
    );
    expect(counts).toEqual({ entries: 4, registrations: 1 });
  });

  test('concurrently fills the last places once and admits each player once', async () => {
    const eventId = await open({ maxTeams: 3 });
    const players = await Promise.all(Array.from({ length: 4 }, () => app.person()));
    const answers = await Promise.all([...players, ...players].map((player) => register({ eventId }, player)));
    const errors = answers.filter(Array.isArray).flat();
    expect({ teamCount: await teams(eventId), errorCount: errors.length, errors: new Set(errors) }).toEqual({
      teamCount: 3,
      errorCount: 5,
      errors: new Set(['CONFLICT: the event is full', 'CONFLICT: you are already in this event']),
    });
  });

  test.for<[string, object, object, string]>([
    ['the event is canceled', { isCanceled: true }, {}, 'CONFLICT: the event is canceled'],
    ['the tournament is canceled', {}, { isCanceled: true }, 'CONFLICT: the tournament is canceled'],
    ['the tournament is archived', {}, { archivedAt: instantAt(-1) }, 'CONFLICT: the tournament is archived'],
    [
      'the tournament is only advertised',
      {},
      { isAdvertiseOnly: true },
      'CONFLICT: the tournament is only advertised here and does not accept registrations',
    ],
    ['registration has not opened yet', {}, { registrationOpensAt: instantAt(1) }, 'CONFLICT: registration has not opened yet'],
    ['registration has ended', {}, { registrationClosesAt: instantAt(-1) }, 'CONFLICT: registration is closed'],
    ['registration is closed manually', {}, { isRegistrationClosed: true }, 'CONFLICT: registration is closed'],
    ['play has started', {}, { startsAt: instantAt(-1) }, 'CONFLICT: registration is closed'],
    ['the event has no tournament', { tournamentId: null }, {}, 'CONFLICT: the event belongs to no tournament'],
  ])('is rejected when %s', async ([_, event, tournament, error]) =>
    expect(await register({ eventId: await open(event, tournament) }, ana)).toEqual([error]),
  );

  test('is rejected for an invalid event or partner, and creates no team', async () => {
    const [pairs, singles, either] = [await open({ formatId: '3' }), await open({ formatId: '1' }), await open()];
    await register({ eventId: either }, ben);
    expect({
      unknownEvent: await register({ eventId: 'nowhere' }, ana),
      emptyEventAndInvalidEmail: await register({ eventId: '', partnerId: 'x', partnerEmail: 'no address' }, ana),
      noPartnerForPairs: await register({ eventId: pairs }, ana),
      partnerForSingles: await register({ eventId: singles, partnerId: ben.id }, ana),
      partnerEmailForSingles: await register({ eventId: singles, partnerEmail: 'zoe@example.com' }, ana),
      oneself: await register({ eventId: either, partnerId: ana.id }, ana),
      ownEmail: await register({ eventId: either, partnerEmail: `${ana.id}@example.com`.toUpperCase() }, ana),
      unknownPartner: await register({ eventId: either, partnerId: 'nobody' }, ana),
      registeredPartner: await register({ eventId: either, partnerId: ben.id }, ana),
    }).toEqual({
      unknownEvent: ['NOT_FOUND: no event with the id nowhere'],
      emptyEventAndInvalidEmail: [
        'BAD_INPUT: input.eventId: expected the id of an event; input.partnerEmail: expected an e-mail address such as ana@example.com',
      ],
      noPartnerForPairs: ['BAD_INPUT: input.partnerId: expected the id of the partner, because the event is played in pairs'],
      partnerForSingles: ['BAD_INPUT: input.partnerId: expected no partner, because the event is not played in pairs'],
      partnerEmailForSingles: ['BAD_INPUT: input.partnerEmail: expected no partner, because the event is not played in pairs'],
      oneself: ['BAD_INPUT: input.partnerId: expected the id of another user'],
      ownEmail: ['BAD_INPUT: input.partnerEmail: expected the e-mail address of another person'],
      unknownPartner: ['BAD_INPUT: input.partnerId: expected the id of a user'],
      registeredPartner: ['CONFLICT: the partner is already in this event'],
    });
    expect({ pairs: await teams(pairs), singles: await teams(singles), either: await teams(either) }).toEqual({
      pairs: 0,
      singles: 0,
      either: 1,
    });
  });
});

describe('a partner invited by email address', () => {
  test('gets an email and joins the team when the user who verified the address confirms', async () => {
    const email = 'new.partner@example.com';
    const eventId = await open({ formatId: '3' });
    await register({ eventId, partnerEmail: 'New.Partner@example.com' }, ana);
    const [mail] = await mailbox(app, email);
    const partner = await app.person({ email, firstName: 'New' });
    const id = await invitation(partner);
    expect({ subject: mail?.subject, line: mail?.text?.split('\n')[0] }).toEqual({
      subject: 'A player invites you to be their partner',
      line: 'Ana Lopez has entered Doubles of Austin Open with you as their partner.',
    });
    const forbidden = ['FORBIDDEN: Not allowed: requires a user token of the invited player'];
    expect({ confirmedByStranger: await confirm(id, eve), confirmedByInviter: await confirm(id, ana) }).toEqual({
      confirmedByStranger: forbidden,
      confirmedByInviter: forbidden,
    });
    const fields =
      'status user { id } team { playerTwo { id } registrations { totalCount } registrationTwo { partner { id } } registrationOne { partner { id } } }';
    expect(await confirm(id, partner, fields)).toEqual({
      status: 'CONFIRMED',
      user: { id: partner.id },
      team: {
        playerTwo: { id: partner.id },
        registrations: { totalCount: 2 },
        registrationTwo: { partner: { id: ana.id } },
        registrationOne: { partner: { id: partner.id } },
      },
    });
  });

  test('gets a notification instead of an email if the address is verified, without revealing its user', async () => {
    const partner = await app.person({ email: 'known@example.com' });
    await register({ eventId: await open(), partnerEmail: 'known@example.com' }, ben);
    const invitationsSeenBy = async (person: Person) => {
      const query = `{ user(id: "${partner.id}") { teamInvitations { nodes { email user { id } } } } }`;
      return (await app.graphql(query, {}, { user: person.user })).user.teamInvitations.nodes;
    };
    expect({
      notificationCount: (await notificationsOf(partner)).length,
      mails: await mailbox(app, 'known@example.com'),
      seenByPartner: await invitationsSeenBy(partner),
      seenByInviter: await invitationsSeenBy(ben),
      invitationsOfStranger: await invitations(eve),
    }).toEqual({
      notificationCount: 1,
      mails: [],
      seenByPartner: [{ email: 'known@example.com', user: null }],
      seenByInviter: [],
      invitationsOfStranger: [],
    });
  });
});
