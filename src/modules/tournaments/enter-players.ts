import { LockMode } from '@mikro-orm/core';
import type { Context } from '../../kernel/declare/context.js';
import { create } from '../../kernel/write/save.js';
import { EventRegistration } from './event-registration.js';
import type { Entered } from './open-event.js';
import { Registration } from './registration.js';

/** One of the players of a team. */
export interface Entrant {
  userId: string;
  /** Id of the entry that is to be made. */
  entryId: string;
}

const numberOf = (id: string | null): number | null => (id !== null && /^\d{1,9}$/.test(id) ? Number(id) : null);

/** Registers players for a tournament, where they are not yet, and enters them in an event as members of a team. They are locked. */
export async function enterPlayers(
  context: Context,
  { event, tournament }: Entered,
  teamId: string,
  players: readonly Entrant[],
  partnerOf: ReadonlyMap<string, Entrant>,
): Promise<void> {
  const known = await context.sql.em.find(
    Registration,
    { tournamentId: tournament.id, userId: { $in: players.map(({ userId }) => userId) } },
    { lockMode: LockMode.PESSIMISTIC_WRITE, orderBy: { id: 'asc' } },
  );
  for (const { userId, entryId } of players) {
    const partner = partnerOf.get(userId);
    const registration =
      known.find((other) => other.userId === userId) ??
      (await create(context, Registration, { tournamentId: tournament.id, hasPartner: partner !== undefined }, ['id'], {
        userId,
      }));
    await create(
      context,
      EventRegistration,
      {
        registrationId: registration.id,
        eventId: event.id,
        formatNumber: numberOf(event.formatId),
        playerGroupNumber: numberOf(event.playerGroupId),
        partnerId: partner?.userId ?? null,
        partnerRegistrationId: partner?.entryId ?? null,
      },
      ['id'],
      { id: entryId, userId, teamId },
    );
  }
}
