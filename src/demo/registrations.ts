import { EventRegistration } from '../modules/tournaments/event-registration.js';
import { Registration } from '../modules/tournaments/registration.js';
import type { DemoTeam, DemoUser, World } from './world.js';

/** ID of a registration of the demo user without an invoice. */
export const unpaidId = 'demo-registration';

const nameOf = ({ firstName, lastName }: DemoUser) => `${firstName} ${lastName}`;

/** Registers all players of teams for their tournaments and events. */
export async function demoRegistrations(world: World): Promise<void> {
  const { faker, insert, day } = world;
  const known = new Map<string, World['registrations'][number]>();

  const registrationOf = (player: DemoUser, { event: { tournament }, tournamentId }: DemoTeam, hasPartner: boolean) => {
    const key = `${tournamentId} ${player.id}`;
    const found = known.get(key);
    if (found) return found;
    const createdAt = day(
      Math.min(-1, tournament.startsIn - faker.number.int({ min: 5, max: 80 })),
      faker.number.float({ max: 23, fractionDigits: 2 }),
    );
    const uuid = faker.string.uuid();
    // The next tournament of the demo user, which is not paid yet.
    const isNext = player === world.user && tournament.startsIn > 0 && ![...known.values()].some(({ id }) => id === unpaidId);
    const made = {
      id: isNext ? unpaidId : uuid,
      tournamentId,
      userId: player.id,
      createdAt,
      createdBy: nameOf(player),
      createdById: player.id,
      updatedAt: createdAt,
      updatedBy: nameOf(player),
      updatedById: player.id,
      updateLocation: 'Checkout',
      promoCode: faker.datatype.boolean(0.08) ? 'EARLYBIRD' : null,
      hasPartner,
    };
    known.set(key, made);
    return made;
  };

  for (const team of world.teams) {
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
        createdAt,
        createdBy: nameOf(player),
        createdById: player.id,
        updatedAt: createdAt,
        updatedBy: nameOf(player),
        updatedById: player.id,
        status: 1,
        updateLocation: 'Checkout',
        playerGroupId: Number(team.event.playerGroupId),
        formatId: Number(team.event.formatId),
        partnerRegistrationId: ids[1 - index] ?? null,
        partnerId: partner?.id ?? null,
      };
    });
    [team.registrationOneId, team.registrationTwoId] = ids;
    world.eventRegistrations.push(...entries);
  }
  world.registrations.push(...known.values());
  const counts = Map.groupBy(world.registrations, ({ tournamentId }) => tournamentId);
  for (const tournament of world.tournaments) tournament.registrationCount = counts.get(tournament.id)?.length ?? 0;
  await insert(Registration, world.registrations);
  await insert(EventRegistration, world.eventRegistrations);
}
