import { afterAll, beforeAll, expect, test } from 'vitest';
import { entriesOf } from '../../support/fixtures/event-registrations.js';
import { newKey } from '../../support/fixtures/publishable-keys.js';
import { instantAt } from '../../support/fixtures/tournaments.js';
import { type Person, startApp, type TestApp } from '../../support/servers/app.js';

let app: TestApp;
let player: Person;
let other: Person;
const { open, save } = entriesOf(() => app);
beforeAll(async () => {
  app = await startApp();
  player = await app.person({ firstName: 'Ana' });
  other = await app.person({ firstName: 'Ben' });
  await app.sql.rows(`update app_user set gender = 'F', date_of_birth = '1990-01-01' where id = $1`, [player.id]);
});
afterAll(() => app.close());

const register = (eventId: string, person = player) =>
  app.graphql(`mutation { registerTeam(input: { eventId: "${eventId}" }) { id } }`, {}, { user: person.user });

/** A case in which registration is open or closed: its name, the event, its tournament, and an optional step that prepares it. */
type Case = [name: string, event: object, tournament: object, prepare: ((eventId: string) => Promise<unknown>) | null];
const cases: Case[] = [
  ['open', {}, {}, null],
  ['open, with a free place', { maxTeams: 2 }, {}, (eventId) => register(eventId, other)],
  ['full', { maxTeams: 1 }, {}, (eventId) => register(eventId, other)],
  ['not open yet', {}, { registrationOpensAt: instantAt(1) }, null],
  ['closed by its date', {}, { registrationClosesAt: instantAt(-1) }, null],
  ['closed by its flag', {}, { isRegistrationClosed: true }, null],
  ['being played', {}, { startsAt: instantAt(-1) }, null],
  ['over', {}, { startsAt: instantAt(-96), endsAt: instantAt(-72) }, null],
  ['canceled', {}, { isCanceled: true }, null],
  ['archived', {}, { archivedAt: instantAt(-1) }, null],
  ['only advertised', {}, { isAdvertiseOnly: true }, null],
  ['with a canceled event', { isCanceled: true }, {}, null],
  ['for men', { playerGroupId: '1' }, {}, null],
  ['for women', { playerGroupId: '2' }, {}, null],
  ['for players aged 50 or older', { playerGroupId: '8' }, {}, null],
  ['with an entry of the viewer', {}, {}, (eventId) => register(eventId)],
  [
    'with an entry that the viewer has withdrawn',
    {},
    {},
    async (eventId) => {
      await register(eventId);
      const entry = await app.sql.row<{ id: string }>('select id from event_registration where event_id = $1', [eventId]);
      await app.graphql(`mutation { withdraw(id: "${entry?.id}") { id } }`, {}, { user: player.user });
    },
  ],
  ['without a limit on teams', { maxTeams: 0 }, {}, (eventId) => register(eventId, other)],
  ['open, with hidden players', {}, { hidesPlayers: true }, null],
  ['open, and hidden from searches', {}, { hidesFromSearch: true }, null],
];

test.each(cases)(
  'viewerCan.register of a tournament that is %s agrees with registerTeam',
  async (_, event, tournament, prepare) => {
    const eventId = await open(event, tournament);
    await prepare?.(eventId);
    const answer = await app.graphql(
      `{ event(id: "${eventId}") { viewerCan { register } tournament { viewerCan { register } } } }`,
      {},
      { user: player.user },
    );
    const { errors } = await register(eventId);
    const isPermitted = errors === undefined;
    expect({ event: answer.event.viewerCan.register, tournament: answer.event.tournament.viewerCan.register }).toEqual({
      event: isPermitted,
      tournament: isPermitted,
    });
  },
);

test('visitors cannot register, and a tournament without events cannot be registered for', async () => {
  const eventId = await open();
  const { event } = await app.graphql(`{ event(id: "${eventId}") { tournamentId } }`);
  const empty = await save('Tournament', { title: 'Without events', currency: 'USD', startsAt: instantAt(48) });
  const read = async (id: string, headers: Record<string, string>) => {
    const query = `{ tournament(id: "${id}") { viewerCan { register } } }`;
    const { body } = await app.rest('POST', '/graphql', {}, { query }, headers);
    return body.data.tournament.viewerCan;
  };
  expect({
    visitor: await read(event.tournamentId, { 'PB-API-TOKEN': (await newKey(app)).key }),
    withoutEvents: await read(empty, { 'PB-USER-TOKEN': player.user }),
  }).toEqual({ visitor: { register: false }, withoutEvents: { register: false } });
});

test('a tournament with a full event and an open one can be registered for', async () => {
  const eventId = await open({ isCanceled: true });
  const { event } = await app.graphql(`{ event(id: "${eventId}") { tournamentId } }`);
  await save('TournamentEvent', { title: 'Open', tournamentId: event.tournamentId });
  const read = async (tokens: object) =>
    (await app.graphql(`{ tournament(id: "${event.tournamentId}") { viewerCan { register } } }`, {}, tokens)).tournament.viewerCan
      .register;
  expect({ player: await read({ user: player.user }), platform: await read(app.platform) }).toEqual({
    player: true,
    platform: false,
  });
});
