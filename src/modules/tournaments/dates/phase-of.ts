import { isNotAfter } from '../../../kernel/declare/scalars/instant.js';
import type { TournamentPhase } from './phase.js';

/** Values that determine the phase of a tournament. */
export interface PhaseDates {
  readonly startsAt: string | null;
  readonly effectiveEndsAt: string | null;
  readonly registrationOpensAt: string | null;
  readonly registrationClosesAt: string | null;
  readonly isRegistrationClosed: boolean;
  readonly isCanceled: boolean;
}

const isReached = (instant: string | null, now: string): boolean => instant !== null && isNotAfter(instant, now);

/** Returns the phase of a tournament at an instant. If registration is open during play, the phase is PLAYING. `phase` is the same rule in SQL. */
export function phaseOf(dates: PhaseDates, now: string): TournamentPhase {
  if (dates.isCanceled) return 'CANCELED';
  if (isReached(dates.effectiveEndsAt, now)) return 'OVER';
  if (isReached(dates.startsAt, now)) return 'PLAYING';
  if (dates.isRegistrationClosed || isReached(dates.registrationClosesAt, now)) return 'CLOSED';
  const { registrationOpensAt: opensAt, registrationClosesAt: closesAt } = dates;
  return (opensAt ? isReached(opensAt, now) : closesAt) ? 'REGISTERING' : 'ANNOUNCED';
}
