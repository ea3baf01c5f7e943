import { EventRegistration } from '../../modules/tournaments/entries/event-registration.js';
import { Registration } from '../../modules/tournaments/entries/registration.js';
import type { DemoContext, DemoTeam, DemoUser } from '../context.js';

/** ID of the demo user's unpaid registration, which has no invoice. */
export const unpaidRegistrationId = 'demo-registration';

/** Returns the creation and update columns of a row that was created by a player. */
function authorship({ id, firstName, lastName }: DemoUser, createdAt: string | undefined) {
  const name = `${firstName} ${lastName}`;
  return { createdAt, createdBy: name, createdById: id, updatedAt: createdAt, updatedBy: name, updatedById: id };
}

/** Registers the players of all teams for their tournaments and events. */
export async function insertRegistrations(context: DemoContext): Promise<void> {
  const { faker, insert, day } = context;
  const registrationByKey = new Map<string, DemoContext['registrations'][number]>();

  const registrationOf = (player: DemoUser, { event: { tournament }, tournamentId }: DemoTeam, hasPartner: boolean) => {
    const key = `${tournamentId} ${player.id}`;
    const existingRegistration = registrationByKey.get(key);
    if (existingRegistration) return existingRegistration;
    const createdAt = day(
      Math.min(-1, tournament.startsIn - faker.number.int({ min: 5, max: 80 })),
      faker.number.float({ max: 23, fractionDigits: 2 }),
    );
    const uuid = faker.string.uuid();
    // The demo user has not paid the registration for the next tournament.
    const isNext =
      player === context.user &&
      tournament.startsIn > 0 &&
      ![...registrationByKey.values()].some(({ id }) => id === unpaidRegistrationId);
    const newRegistration = {
      id: isNext ? unpaidRegistrationId : uuid,
      tournamentId,
      userId: player.id,
      ...authorship(player, createdAt),
      updateLocation: 'Checkout',
      promoCode: faker.datatype.boolean(0.08) ? 'EARLYBIRD' : null,
      hasPartner,
    };
    registrationByKey.set(key, newRegistration);
    return newRegistration;
  };

  for (const team of context.teams) {
    const ids = team.players.map(() => faker.string.uuid());
    const entries = team.players.map((player, index) => {
      const partner = team.players[1 - index];
      const { id: registrationId, createdAt } = registrationOf(player, team, partner !== undefined);
      return {
        id: ids[index] ?? '',
        registrationId,
        eventId: team.eventId,
        teamId: team.id,
        userId: player.id,
        ...authorship(player, createdAt),
        status: 1,
        updateLocation: 'Checkout',
        playerGroupId: Number(team.event.playerGroupId),
        formatId: Number(team.event.formatId),
        partnerRegistrationId: ids[1 - index] ?? null,
        partnerId: partner?.id ?? null,
      };
    });
    [team.registrationOneId, team.registrationTwoId] = ids;
    context.eventRegistrations.push(...entries);
  }
  context.registrations.push(...registrationByKey.values());
  const counts = Map.groupBy(context.registrations, ({ tournamentId }) => tournamentId);
  for (const tournament of context.tournaments) tournament.registrationCount = counts.get(tournament.id)?.length ?? 0;
  await insert(Registration, context.registrations);
  await insert(EventRegistration, context.eventRegistrations);
}
