import { isUpTo } from '../../kernel/declare/instant.js';
import type { TournamentPhase } from './phase.js';

/** Values from which the phase of a tournament is computed. */
export interface PhaseDates {
  readonly startsAt: string | null;
  readonly overAt: string | null;
  readonly registrationOpensAt: string | null;
  readonly registrationClosesAt: string | null;
  readonly isRegistrationClosed: boolean;
  readonly isCanceled: boolean;
}

const isBy = (at: string | null, now: string): boolean => at !== null && isUpTo(at, now);

/** The phase at a moment, as the filters see it too; play outranks registration where both go on. */
export function phaseOf(dates: PhaseDates, now: string): TournamentPhase {
  if (dates.isCanceled) return 'CANCELED';
  if (isBy(dates.overAt, now)) return 'OVER';
  if (isBy(dates.startsAt, now)) return 'PLAYING';
  if (dates.isRegistrationClosed || isBy(dates.registrationClosesAt, now)) return 'CLOSED';
  const { registrationOpensAt: opens, registrationClosesAt: closes } = dates;
  return (opens ? isBy(opens, now) : closes) ? 'REGISTERING' : 'ANNOUNCED';
}
