import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { entriesOf } from '../../support/fixtures/event-registrations.js';
import { instantAt } from '../../support/fixtures/tournaments.js';
import { type Person, startApp, type TestApp } from '../../support/servers/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const { open, register, save, confirm, decline, invitations, entry } = entriesOf(() => app);

/** Registers a player with a partner. Returns the event, its tournament, both players and the ID of the partner's invitation. */
async function invite(maxTeams: number | null = null) {
  const [player, partner] = [await app.person(), await app.person()];
  const eventId = await open({ maxTeams });
  await register({ eventId, partnerId: partner.id }, player);
  const [{ id }] = await invitations(partner);
  const row = await app.sql.row<{ id: string }>('select tournament_id as id from tournament_event where id = $1', [eventId]);
  return { eventId, tournamentId: row?.id ?? '', player, partner, id };
}
const entriesOfPair = async ({ eventId, player, partner }: { eventId: string; player: Person; partner: Person }) =>
  [await entry(eventId, player), await entry(eventId, partner)].filter(Boolean).length;

const started = { startsAt: instantAt(-1), endsAt: instantAt(48) };
const over = { startsAt: instantAt(-72), endsAt: instantAt(-48) };

test('a team invitation cannot be declined after the tournament has started, and the entries remain', async () => {
  const invited = await invite();
  await save('Tournament', { id: invited.tournamentId, ...started });
  expect({ answer: await decline(invited.id, invited.partner), entries: await entriesOfPair(invited) }).toEqual({
    answer: ['CONFLICT: the tournament has started'],
    entries: 2,
  });
});

test('a team invitation can be confirmed while the tournament is in progress, because the place is reserved', async () => {
  const { tournamentId, id, partner } = await invite();
  await save('Tournament', { id: tournamentId, ...started });
  expect(await confirm(id, partner)).toEqual({ status: 'CONFIRMED' });
});

test.each([
  ['tournament is over', 'Tournament', over, 'the tournament is over'],
  ['tournament is canceled', 'Tournament', { isCanceled: true }, 'the tournament is canceled'],
  ['event is canceled', 'TournamentEvent', { isCanceled: true }, 'the event is canceled'],
] as const)('a team invitation cannot be confirmed if the %s', async (_, type, values, refusal) => {
  const { tournamentId, eventId, id, partner } = await invite();
  await save(type, { id: type === 'Tournament' ? tournamentId : eventId, ...values });
  expect(await confirm(id, partner)).toEqual([`CONFLICT: ${refusal}`]);
});

describe('an invitation can be declined after a platform deletes', () => {
  test('the event', async () => {
    const invited = await invite();
    await app.graphql(`mutation { deleteEvent(id: "${invited.eventId}") { id } }`);
    expect({
      confirmed: await confirm(invited.id, invited.partner),
      declined: await decline(invited.id, invited.partner),
      entries: await entriesOfPair(invited),
    }).toEqual({
      confirmed: [`NOT_FOUND: no event with the id ${invited.eventId}`],
      declined: { status: 'DECLINED' },
      entries: 0,
    });
  });

  test('the team, which also deletes the entries, so the player can register again', async () => {
    const invited = await invite(1);
    const { eventId, player, partner } = invited;
    await app.sql.rows('delete from team where event_id = $1', [eventId]);
    const declined = await decline(invited.id, partner);
    expect({
      declined,
      entries: await entriesOfPair(invited),
      newEntry: await register({ eventId }, player),
    }).toEqual({
      declined: { status: 'DECLINED' },
      entries: 0,
      newEntry: { id: expect.any(String) },
    });
  });
});

describe('the age of a player is the age on the local day of the event', () => {
  const register50 = async (timeZone: string, startsAt: string) => {
    const player = await app.person();
    await app.sql.rows(`update app_user set gender = 'M', date_of_birth = '1991-06-02' where id = $1`, [player.id]);
    const eventId = await open({ playerGroupId: '7', startsAt }, { timeZone, startsAt });
    const { event } = await app.graphql(`{ event(id: "${eventId}") { viewerCan { register } } }`, {}, { user: player.user });
    return { canRegister: event.viewerCan.register, answer: await register({ eventId }, player) };
  };

  test('which can be later than the day in UTC', async () =>
    expect(await register50('Australia/Sydney', '2041-06-01T22:00:00Z')).toEqual({
      canRegister: true,
      answer: { id: expect.any(String) },
    }));

  test('which can be earlier than the day in UTC', async () =>
    expect(await register50('America/Los_Angeles', '2041-06-02T01:00:00Z')).toEqual({
      canRegister: false,
      answer: [expect.stringContaining('this event is for players aged 50 or older')],
    }));
});
