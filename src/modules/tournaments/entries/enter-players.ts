import { LockMode } from '@mikro-orm/core';
import type { Context } from '../../../kernel/declare/context.js';
import { create } from '../../../kernel/write/save.js';
import type { Tournament } from '../tournament.js';
import { EventRegistration } from './event-registration.js';
import type { EntryTarget } from './lock-event.js';
import { Registration } from './registration.js';

/** Player of a team, with the ID of the entry to create. */
export interface Entrant {
  userId: string;
  entryId: string;
}

const numberOf = (id: string | null): number | null => (id !== null && /^\d{1,9}$/.test(id) ? Number(id) : null);

/**
 * Returns the IDs of the players' registrations for a tournament, keyed by user ID. Creates missing registrations. The caller must have
 * locked the players.
 */
export async function ensureRegistrations(
  context: Context,
  tournament: Tournament,
  players: ReadonlyMap<string, { hasPartner: boolean }>,
): Promise<ReadonlyMap<string, string>> {
  const existingRegistrations = await context.sql.em.find(
    Registration,
    { tournamentId: tournament.id, userId: { $in: [...players.keys()] } },
    { lockMode: LockMode.PESSIMISTIC_WRITE, orderBy: { id: 'asc' } },
  );
  const ids = new Map<string, string>();
  for (const [userId, { hasPartner }] of players) {
    const registration = existingRegistrations.find((other) => other.userId === userId);
    const input = { tournamentId: tournament.id, hasPartner };
    ids.set(userId, registration?.id ?? String((await create(context, Registration, input, ['id'], { userId })).id));
  }
  return ids;
}

/** Creates the entries of a team's players, linked to their registrations for the tournament. */
export async function enterPlayers(
  context: Context,
  { event }: EntryTarget,
  teamId: string,
  players: readonly Entrant[],
  partnerOf: ReadonlyMap<string, Entrant>,
  registrations: ReadonlyMap<string, string>,
): Promise<void> {
  for (const { userId, entryId } of players) {
    const partner = partnerOf.get(userId);
    await create(
      context,
      EventRegistration,
      {
        registrationId: registrations.get(userId) ?? null,
        // The partner has not confirmed yet.
        status: userId === context.caller.user?.id ? 'REGISTERED' : 'INVITED',
        eventId: event.id,
        formatId: numberOf(event.formatId),
        playerGroupId: numberOf(event.playerGroupId),
        partnerId: partner?.userId ?? null,
        partnerRegistrationId: partner?.entryId ?? null,
      },
      ['id'],
      { id: entryId, userId, teamId },
    );
  }
}
