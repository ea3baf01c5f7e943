import { isUpTo } from '../../kernel/declare/instant.js';
import type { TournamentPhase } from './phase.js';
import type { Tournament } from './tournament.js';

type Dates = Pick<
  Tournament,
  'startsAt' | 'overAt' | 'registrationOpensAt' | 'registrationClosesAt' | 'isRegistrationClosed' | 'isCanceled'
>;

const isBy = (at: string | null, now: string): boolean => at !== null && isUpTo(at, now);

/** The phase at a moment, as the filters see it too; play outranks registration where both go on. */
export function phaseOf(dates: Dates, now: string): TournamentPhase {
  if (dates.isCanceled) return 'CANCELED';
  if (isBy(dates.overAt, now)) return 'OVER';
  if (isBy(dates.startsAt, now)) return 'PLAYING';
  if (dates.isRegistrationClosed || isBy(dates.registrationClosesAt, now)) return 'CLOSED';
  const { registrationOpensAt: opens, registrationClosesAt: closes } = dates;
  return (opens ? isBy(opens, now) : closes) ? 'REGISTERING' : 'ANNOUNCED';
}
