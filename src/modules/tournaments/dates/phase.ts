import { enumeration } from '../../../kernel/declare/enumeration.js';
import {
  expression,
  currentTimestamp as now,
  type RowReference,
  type SqlExpression,
} from '../../../kernel/declare/expression.js';
import { isAtOrBefore } from '../../../kernel/declare/scalars/instant.js';
import { daysRange, registrationRange } from './date-ranges-sql.js';

export const TournamentPhase = enumeration('TournamentPhase', 'Phase of a tournament.', {
  CANCELED: 'The tournament is canceled.',
  ANNOUNCED: 'Registration has not opened yet, or its dates are unknown.',
  REGISTERING:
    'Registration is open. If only one of the two registration dates is set, the period has no limit at the other end.',
  CLOSED: 'Registration is closed. Play has not started yet.',
  PLAYING: 'The tournament is in progress.',
  OVER: "The end is in the past. An end at midnight in the tournament's time zone means the end of that day, and a missing end means the end of the first day.",
});
export type TournamentPhase = keyof typeof TournamentPhase;

/** Returns the SQL condition that play is in progress. Few tournaments match, and an index finds them. */
export const isPlaying = (row: RowReference): SqlExpression =>
  expression`${daysRange(row)} @> ${now} and ${row}.starts_at <= ${now} and ${row}.effective_ends_at > ${now} and not ${row}.is_canceled`;

/** Returns the SQL condition that registration is open. */
export const isRegistering = (row: RowReference): SqlExpression =>
  expression`${registrationRange(row)} @> ${now} and not ${row}.is_registration_closed and not ${row}.is_canceled`;

/** Returns the SQL expression for the phase of a tournament. `phaseOf` implements the same rule in TypeScript. */
export const phase = (row: RowReference): SqlExpression =>
  expression`case when ${row}.is_canceled then 'CANCELED' when ${row}.effective_ends_at <= ${now} then 'OVER' when ${row}.starts_at <= ${now} then 'PLAYING'
  when ${row}.is_registration_closed or ${row}.registration_closes_at <= ${now} then 'CLOSED'
  when coalesce(${row}.registration_opens_at <= ${now}, ${row}.registration_closes_at is not null) then 'REGISTERING' else 'ANNOUNCED' end`;

/** Values that determine the phase of a tournament. */
export interface PhaseDates {
  readonly startsAt: string | null;
  readonly effectiveEndsAt: string | null;
  readonly registrationOpensAt: string | null;
  readonly registrationClosesAt: string | null;
  readonly isRegistrationClosed: boolean;
  readonly isCanceled: boolean;
}

const isReached = (instant: string | null, now: string): boolean => instant !== null && isAtOrBefore(instant, now);

/**
 * Returns the phase of a tournament at an instant. If registration is open during play, the phase is PLAYING. `phase` implements the same
 * rule in SQL.
 */
export function phaseOf(dates: PhaseDates, now: string): TournamentPhase {
  if (dates.isCanceled) return 'CANCELED';
  if (isReached(dates.effectiveEndsAt, now)) return 'OVER';
  if (isReached(dates.startsAt, now)) return 'PLAYING';
  if (dates.isRegistrationClosed || isReached(dates.registrationClosesAt, now)) return 'CLOSED';
  const { registrationOpensAt: opensAt, registrationClosesAt: closesAt } = dates;
  return (opensAt ? isReached(opensAt, now) : closesAt) ? 'REGISTERING' : 'ANNOUNCED';
}
