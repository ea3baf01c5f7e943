import { LockMode } from '@mikro-orm/core';
import { sql as raw } from 'kysely';
import type { Context } from '../../kernel/declare/context.js';
import { fail } from '../../kernel/declare/errors.js';
import { placesTaken } from './places-taken-sql.js';
import { registrationRefusal } from './registration-refusal.js';
import { Tournament } from './tournament.js';
import { TournamentEvent } from './tournament-event.js';

/** An event with its tournament. */
export interface Entered {
  event: TournamentEvent;
  tournament: Tournament;
}

/** An event with its tournament, locked until the end of the transaction: who enters it looks and writes one after the other. */
export async function lockEvent({ sql }: Context, id: string): Promise<Entered> {
  const event = await sql.em.findOne(TournamentEvent, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!event) return fail('NOT_FOUND', `no event with the id ${id}`);
  const tournament = event.tournamentId === null ? null : await sql.em.findOne(Tournament, { id: event.tournamentId });
  return tournament ? { event, tournament } : fail('CONFLICT', 'the event belongs to no tournament');
}

/** Refuses an event for which nobody can register, now or at all. */
export function checkOpen({ event, tournament }: Entered): void {
  const refusal = registrationRefusal(event, tournament);
  if (refusal) fail('CONFLICT', refusal);
}

/** CONFLICT if an event has no free place. The caller must have locked the event. */
export async function checkRoom({ sql }: Context, { id, maxTeams }: TournamentEvent): Promise<void> {
  if (maxTeams === null || maxTeams <= 0) return;
  const taken = await sql.first(sql.db.selectNoFrom(placesTaken(raw.val(id)).as('places')));
  if (Number(taken?.places) >= maxTeams) fail('CONFLICT', 'the event is full');
}
