import { LockMode } from '@mikro-orm/core';
import type { Context } from '../../kernel/declare/context.js';
import { create } from '../../kernel/write/save.js';
import { EventRegistration } from './event-registration.js';
import type { Entered } from './open-event.js';
import { Registration } from './registration.js';
import type { Tournament } from './tournament.js';

/** One of the players of a team. */
export interface Entrant {
  userId: string;
  /** Id of the entry that is to be made. */
  entryId: string;
}

const numberOf = (id: string | null): number | null => (id !== null && /^\d{1,9}$/.test(id) ? Number(id) : null);

/** IDs of the registrations of players for a tournament, by user ID. Creates missing registrations. The caller must have locked the players. */
export async function ensureRegistrations(
  context: Context,
  tournament: Tournament,
  players: ReadonlyMap<string, { hasPartner: boolean }>,
): Promise<ReadonlyMap<string, string>> {
  const found = await context.sql.em.find(
    Registration,
    { tournamentId: tournament.id, userId: { $in: [...players.keys()] } },
    { lockMode: LockMode.PESSIMISTIC_WRITE, orderBy: { id: 'asc' } },
  );
  const ids = new Map<string, string>();
  for (const [userId, { hasPartner }] of players) {
    const there = found.find((registration) => registration.userId === userId);
    const input = { tournamentId: tournament.id, hasPartner };
    ids.set(userId, there?.id ?? String((await create(context, Registration, input, ['id'], { userId })).id));
  }
  return ids;
}

/** Enters players in an event as members of a team, under their registrations for the tournament. */
export async function enterPlayers(
  context: Context,
  { event }: Entered,
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
        // A partner has yet to confirm.
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
