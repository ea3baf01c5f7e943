import { now } from '../../kernel/declare/instant.js';
import { type PhaseDates, phaseOf } from './phase-of.js';

interface Dates extends PhaseDates {
  readonly archivedAt: string | null;
  readonly isAdvertiseOnly: boolean;
}

/** Why nobody can register for an event of a tournament, now or at all; null where one can. */
export function registrationRefusal(event: { isCanceled: boolean }, tournament: Dates, at = now()): string | null {
  if (event.isCanceled) return 'the event was called off';
  if (tournament.archivedAt) return 'the tournament is archived';
  if (tournament.isAdvertiseOnly) return 'the tournament is only advertised here: one registers for it elsewhere';
  const phase = phaseOf(tournament, at);
  if (phase === 'CANCELED') return 'the tournament was called off';
  if (phase === 'ANNOUNCED') return 'registration has not opened';
  return phase === 'REGISTERING' ? null : 'registration is closed';
}

/** Whether play has begun, after which nobody withdraws. */
export const hasBegun = (tournament: Dates, at = now()): boolean => ['PLAYING', 'OVER'].includes(phaseOf(tournament, at));
