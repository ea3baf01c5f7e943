import { LockMode } from '@mikro-orm/core';
import type { Context } from '../../../kernel/declare/context.js';
import { fail } from '../../../kernel/declare/errors.js';
import { onBehalfOf } from '../../../kernel/declare/policy/on-behalf-of.js';
import type { RowOf } from '../../../kernel/declare/row.js';
import { entityToRow } from '../../../kernel/write/entities.js';
import type { IdsDeletedByWithdrawal } from '../deleted-ids.js';
import { Tournament } from '../tournament.js';
import { TournamentEvent } from '../tournament-event.js';
import { EventRegistration } from './event-registration.js';
import { leaveEvents, playersIn, teamsOf } from './leave-events.js';
import { Registration } from './registration.js';
import { hasStarted } from './registration-refusal.js';

type Key = 'id' | 'registration_id';

/**
 * Reads entries of a user by entry ID or registration ID. Locks their events in the order of the IDs, so that concurrent writes run one at
 * a time.
 */
async function lockEntries({ sql }: Context, key: Key, value: string, userId: string): Promise<EventRegistration[]> {
  const events = await sql.run(
    sql.db
      .selectFrom('event_registration')
      .select('event_id as id')
      .distinct()
      .where(key, '=', value)
      .where('user_id', '=', userId),
  );
  const ids = events.map(({ id }) => id).filter((id) => id !== null);
  await sql.em.find(TournamentEvent, { id: { $in: ids } }, { lockMode: LockMode.PESSIMISTIC_WRITE, orderBy: { id: 'asc' } });
  return sql.em.find(EventRegistration, { [key === 'id' ? 'id' : 'registrationId']: value, userId }, { orderBy: { id: 'asc' } });
}

/** Deletes entries with their teams and notifies the partners. Returns the deleted IDs. Throws CONFLICT if the tournament has started. */
async function withdrawEntries(
  context: Context,
  entries: readonly EventRegistration[],
  userId: string,
  tournamentId: string | null,
): Promise<IdsDeletedByWithdrawal> {
  const { caller, sql, services } = context;
  const teams = await teamsOf(context, entries);
  const tournament = tournamentId === null ? null : await sql.em.findOne(Tournament, { id: tournamentId });
  if (tournament && hasStarted(tournament)) fail('CONFLICT', 'the tournament has started');
  const deletedIds = await leaveEvents(context, entries, teams);
  await services.notify(
    sql,
    teams.flatMap(playersIn).filter((member) => member !== userId),
    {
      event: 'TEAM_WITHDRAWN',
      content: `${caller.user?.name || 'Your partner'} has withdrawn your team from ${tournament?.title || 'a tournament'}.`,
      ...(tournament ? { subject: { kind: 'TOURNAMENT', id: tournament.id } as const } : {}),
    },
  );
  return deletedIds;
}

/** Withdraws an entry of the signed-in user, together with the team. */
export const withdraw = (
  context: Context,
  id: string,
  returning: readonly string[],
): Promise<RowOf<EventRegistration> & IdsDeletedByWithdrawal> =>
  context.sql.transaction(async () => {
    const { sql } = context;
    const userId = onBehalfOf(context, null);
    const [entry] = await lockEntries(context, 'id', id, userId);
    if (!entry) {
      const otherEntry = await sql.em.findOne(EventRegistration, { id });
      return otherEntry
        ? fail('FORBIDDEN', 'the entry belongs to another user')
        : fail('NOT_FOUND', `no entry with the id ${id}`);
    }
    const row = entityToRow(entry, returning);
    const event = await sql.em.findOne(TournamentEvent, { id: entry.eventId ?? '' });
    return { ...row, ...(await withdrawEntries(context, [entry], userId, event?.tournamentId ?? null)) };
  });

/** Withdraws the signed-in user's registration for a tournament, together with all entries and their teams. */
export const withdrawRegistration = (
  context: Context,
  id: string,
  returning: readonly string[],
): Promise<RowOf<Registration> & IdsDeletedByWithdrawal> =>
  context.sql.transaction(async () => {
    const { sql, services, loaders } = context;
    const userId = onBehalfOf(context, null);
    const entries = await lockEntries(context, 'registration_id', id, userId);
    const registration = await sql.em.findOne(Registration, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!registration) return fail('NOT_FOUND', `no registration with the id ${id}`);
    if (registration.userId !== userId) return fail('FORBIDDEN', 'the registration belongs to another user');
    const row = entityToRow(registration, returning);
    const deletedIds = await withdrawEntries(context, entries, userId, registration.tournamentId);
    if (await sql.em.findOne(Registration, { id }, { refresh: true })) {
      deletedIds.deletedInvoiceItemIds.push(...(await services.onEntriesWithdrawn(context, [], [id])));
      deletedIds.deletedRegistrationIds.push(id);
      await sql.em.remove(registration).flush();
      loaders.clear();
    }
    return { ...row, ...deletedIds };
  });
