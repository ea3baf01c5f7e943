import { LockMode } from '@mikro-orm/core';
import type { GraphQLError } from 'graphql';
import { sql as raw, type SqlBool } from 'kysely';
import type { Context } from '../../../kernel/declare/context.js';
import { createError, fail } from '../../../kernel/declare/errors.js';
import { Tournament } from '../tournament.js';
import { TournamentEvent } from '../tournament-event.js';
import { occupiedPlaces } from './occupied-places-sql.js';
import { registrationRefusal } from './registration-refusal.js';

/** Event of an entry, with its tournament. */
export interface EntryTarget {
  event: TournamentEvent;
  tournament: Tournament;
}

const writeLock = { lockMode: LockMode.PESSIMISTIC_WRITE } as const;

/** Reads events and their tournaments. If `locks` is set, locks the events in the order of their IDs until the transaction ends. */
export async function findEvents({ sql }: Context, ids: readonly string[], locks: boolean) {
  const events = await sql.em.find(
    TournamentEvent,
    { id: { $in: [...new Set(ids)] } },
    { ...(locks ? writeLock : {}), orderBy: { id: 'asc' } },
  );
  const tournamentIds = [...new Set(events.flatMap(({ tournamentId }) => tournamentId ?? []))];
  const tournaments = tournamentIds.length ? await sql.em.find(Tournament, { id: { $in: tournamentIds } }) : [];
  return { events, tournaments };
}

/**
 * Returns an event in `events` with its tournament. Throws NOT_FOUND for other IDs, and CONFLICT for an event without a tournament. `path`
 * is the path of the input, if the request has several inputs.
 */
export function entryTargetIn(
  { events, tournaments }: Awaited<ReturnType<typeof findEvents>>,
  id: string,
  path?: string,
): EntryTarget {
  const event = events.find((other) => other.id === id);
  if (!event) return failAt(path, 'NOT_FOUND', `no event with the id ${id}`);
  const tournament = tournaments.find((other) => other.id === event.tournamentId);
  return tournament ? { event, tournament } : failAt(path, 'CONFLICT', 'the event belongs to no tournament');
}

/**
 * Creates an error about the input at `path`. The path becomes the prefix of the message and the `field` of the error. Requests with a
 * single input have no path.
 */
export const problemAt = (path: string | undefined, code: 'CONFLICT' | 'NOT_FOUND', message: string): GraphQLError =>
  path ? createError(code, `${path}: ${message}`, { field: path }) : createError(code, message);

/** Throws the error that `problemAt` creates. */
export function failAt(...error: Parameters<typeof problemAt>): never {
  throw problemAt(...error);
}

/**
 * Locks an event until the transaction ends, so that concurrent entries run one at a time. Returns it with its tournament. Throws NOT_FOUND
 * for an unknown ID.
 */
export const lockEvent = async (context: Context, id: string): Promise<EntryTarget> =>
  entryTargetIn(await findEvents(context, [id], true), id);

/** Throws CONFLICT if registration for the event is not open. */
export function checkRegistrationOpen({ event, tournament }: EntryTarget, path?: string): void {
  const refusal = registrationRefusal(event, tournament);
  if (refusal) failAt(path, 'CONFLICT', refusal);
}

export const fullEventMessage = 'the event is full';

/** Returns the IDs of the full events. Before a write, the caller must have locked the events. */
export async function findFullEventIds({ sql }: Context, events: readonly TournamentEvent[]): Promise<ReadonlySet<string>> {
  const limitedEventIds = events.filter(({ maxTeams }) => maxTeams !== null && maxTeams > 0).map(({ id }) => id);
  if (limitedEventIds.length === 0) return new Set();
  const fullEvents = await sql.run(
    sql.db
      .selectFrom('tournament_event as e')
      .select('e.id')
      .where(raw<SqlBool>`e.id = any(${limitedEventIds})`)
      .where(raw<SqlBool>`${occupiedPlaces(raw.ref('e.id'))} >= e.max_teams`),
  );
  return new Set(fullEvents.map(({ id }) => id));
}

/** Throws CONFLICT if an event has no free place. The caller must have locked the event. */
export async function checkCapacity(context: Context, event: TournamentEvent): Promise<void> {
  if ((await findFullEventIds(context, [event])).has(event.id)) fail('CONFLICT', fullEventMessage);
}
