import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Person, startApp, type TestApp } from '../support/app.js';
import { entriesOf } from '../support/entries.js';
import { mailbox } from '../support/mailbox.js';
import { at } from '../support/tournaments.js';

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

const { open, register, confirm, invitations, told, teams, save } = entriesOf(() => app);
const invitation = async (who: Person) => (await invitations(who))[0].id;

describe('registering', () => {
  test('makes the team, the registrations and the entries of both, and asks the partner, who confirms', async () => {
    const [one, two] = [await app.person({ firstName: 'Una' }), await app.person({ firstName: 'Due' })];
    const eventId = await open({ formatId: '3' });
    const players =
      'playerOne { id } playerTwo { id } registrations { nodes { status user { id } partner { id } registration { tournament { title } user { id } } } }';
    const team = await register({ eventId, partnerId: two.id }, one, players);
    const [asked] = await invitations(two, 'id status inviter { id } user { id } event { id } team { playerTwo { id } }');
    expect([team.playerOne, team.playerTwo, asked]).toEqual([
      { id: one.id },
      { id: two.id },
      {
        id: asked.id,
        status: 'PENDING',
        inviter: { id: one.id },
        user: { id: two.id },
        event: { id: eventId },
        team: { playerTwo: { id: two.id } },
      },
    ]);
    const registration = (user: Person) => ({ tournament: { title: 'Austin Open' }, user: { id: user.id } });
    expect(
      team.registrations.nodes.toSorted((a: { user: Person }, b: { user: Person }) => a.user.id.localeCompare(b.user.id)),
    ).toEqual([
      { status: 'REGISTERED', user: { id: one.id }, partner: { id: two.id }, registration: registration(one) },
      { status: 'INVITED', user: { id: two.id }, partner: { id: one.id }, registration: registration(two) },
    ]);
    expect([await confirm(asked.id, two), await confirm(asked.id, two), await told(one), await told(two)]).toEqual([
      { status: 'CONFIRMED' },
      { status: 'CONFIRMED' },
      ['TEAM_CONFIRMED: Due Lopez has confirmed and plays with you in Doubles of Austin Open.'],
      ['TEAM_INVITATION: Una Lopez has entered Doubles of Austin Open with you. Please confirm or decline.'],
    ]);
    const entries = `{ eventRegistrations(filter: { eventId: { eq: "${eventId}" } }) { nodes { status } } }`;
    expect((await app.graphql(entries)).eventRegistrations.nodes).toEqual(Array(2).fill({ status: 'REGISTERED' }));
  });

  test('alone makes one registration for a tournament, however many of its events one enters at once', async () => {
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

  test('gives the last places once, and a player one of them', async () => {
    const eventId = await open({ maxTeams: 3 });
    const players = await Promise.all(Array.from({ length: 4 }, () => app.person()));
    const answers = await Promise.all([...players, ...players].map((player) => register({ eventId }, player)));
    const refused = answers.filter(Array.isArray).flat();
    expect([await teams(eventId), refused.length, new Set(refused)]).toEqual([
      3,
      5,
      new Set(['CONFLICT: the event is full', 'CONFLICT: you are in this event already']),
    ]);
  });

  test('is refused while registration is not open', async () => {
    const closed: [object, object][] = [
      [{ isCanceled: true }, {}],
      [{}, { isCanceled: true }],
      [{}, { archivedAt: at(-1) }],
      [{}, { isAdvertiseOnly: true }],
      [{}, { registrationOpensAt: at(1) }],
      [{}, { registrationClosesAt: at(-1) }],
      [{}, { isRegistrationClosed: true }],
      [{}, { startsAt: at(-1) }],
      [{ tournamentId: null }, {}],
    ];
    const refusals = [];
    for (const [event, tournament] of closed) refusals.push((await register({ eventId: await open(event, tournament) }, ana))[0]);
    expect(refusals).toEqual([
      'CONFLICT: the event was called off',
      'CONFLICT: the tournament was called off',
      'CONFLICT: the tournament is archived',
      'CONFLICT: the tournament is only advertised here: one registers for it elsewhere',
      'CONFLICT: registration has not opened',
      'CONFLICT: registration is closed',
      'CONFLICT: registration is closed',
      'CONFLICT: registration is closed',
      'CONFLICT: the event belongs to no tournament',
    ]);
  });

  test('names what is wrong with the partner, and makes nothing', async () => {
    const [pairs, singles, either] = [await open({ formatId: '3' }), await open({ formatId: '1' }), await open()];
    await register({ eventId: either }, ben);
    expect([
      await register({ eventId: 'nowhere' }, ana),
      await register({ eventId: '', partnerId: 'x', partnerEmail: 'no address' }, ana),
      await register({ eventId: pairs }, ana),
      await register({ eventId: singles, partnerId: ben.id }, ana),
      await register({ eventId: singles, partnerEmail: 'zoe@example.com' }, ana),
      await register({ eventId: either, partnerId: ana.id }, ana),
      await register({ eventId: either, partnerEmail: `${ana.id}@example.com`.toUpperCase() }, ana),
      await register({ eventId: either, partnerId: 'nobody' }, ana),
      await register({ eventId: either, partnerId: ben.id }, ana),
      [await teams(pairs), await teams(singles), await teams(either)],
    ]).toEqual([
      ['NOT_FOUND: no event with the id nowhere'],
      [
        'BAD_INPUT: input.eventId: expected the id of an event; input.partnerEmail: expected an e-mail address such as ana@example.com',
      ],
      ['BAD_INPUT: input.partnerId: expected the id of the partner, because the event is played in pairs'],
      ['BAD_INPUT: input.partnerId: expected no partner, because the event is not played in pairs'],
      ['BAD_INPUT: input.partnerEmail: expected no partner, because the event is not played in pairs'],
      ['BAD_INPUT: input.partnerId: expected the id of another user'],
      ['BAD_INPUT: input.partnerEmail: expected the address of somebody else'],
      ['BAD_INPUT: input.partnerId: expected the id of a user'],
      ['CONFLICT: the partner is in this event already'],
      [0, 0, 1],
    ]);
  });
});

describe('a partner by address', () => {
  test('gets a mail, and comes into the team when whoever has proven the address confirms', async () => {
    const email = 'new.partner@example.com';
    const eventId = await open({ formatId: '3' });
    await register({ eventId, partnerEmail: 'New.Partner@example.com' }, ana);
    const [mail] = await mailbox(app, email);
    const partner = await app.person({ email, firstName: 'New' });
    const id = await invitation(partner);
    expect([mail?.subject, await confirm(id, eve), await confirm(id, ana)]).toEqual([
      'Ana Lopez asks you to play in Doubles of Austin Open',
      ['FORBIDDEN: only for: the player who is invited'],
      ['FORBIDDEN: only for: the player who is invited'],
    ]);
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

  test('is told where the address is proven, and nobody learns whose it is', async () => {
    const known = await app.person({ email: 'known@example.com' });
    await register({ eventId: await open(), partnerEmail: 'known@example.com' }, ben);
    const seen = (who: Person) =>
      app.graphql(`{ user(id: "${known.id}") { teamInvitations { nodes { email user { id } } } } }`, {}, { user: who.user });
    const theirs = [{ email: 'known@example.com', user: null }];
    expect([
      (await told(known)).length,
      await mailbox(app, 'known@example.com'),
      await seen(known),
      await seen(ben),
      await invitations(eve),
    ]).toEqual([1, [], { user: { teamInvitations: { nodes: theirs } } }, { user: { teamInvitations: { nodes: [] } } }, []]);
  });
});
