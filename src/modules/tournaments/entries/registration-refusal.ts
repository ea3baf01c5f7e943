import { now } from '../../../kernel/declare/scalars/instant.js';
import { type PhaseDates, phaseOf } from '../dates/phase.js';

/** Columns of the tournament `t` that `phaseOf` and `registrationRefusal` use. */
export const registrationDates = [
  't.starts_at as startsAt',
  't.effective_ends_at as effectiveEndsAt',
  't.registration_opens_at as registrationOpensAt',
  't.registration_closes_at as registrationClosesAt',
  't.is_registration_closed as isRegistrationClosed',
  't.is_canceled as isCanceled',
  't.archived_at as archivedAt',
  't.is_advertise_only as isAdvertiseOnly',
] as const;

interface RegistrationState extends PhaseDates {
  readonly archivedAt: string | null;
  readonly isAdvertiseOnly: boolean;
}

/** Returns an error message that states why registration for an event is not open. Null if registration is open. */
export function registrationRefusal(
  event: { isCanceled: boolean },
  tournament: RegistrationState,
  instant = now(),
): string | null {
  if (event.isCanceled) return 'the event is canceled';
  if (tournament.archivedAt) return 'the tournament is archived';
  if (tournament.isAdvertiseOnly) return 'the tournament is only advertised here and does not accept registrations';
  const phase = phaseOf(tournament, instant);
  if (phase === 'CANCELED') return 'the tournament is canceled';
  if (phase === 'ANNOUNCED') return 'registration has not opened yet';
  return phase === 'REGISTERING' ? null : 'registration is closed';
}

/**
 * Returns an error message that states why an invited partner can no longer confirm. Null if the partner can. A closed registration is no
 * reason, because the place is reserved.
 */
export function confirmationRefusal(
  event: { isCanceled: boolean },
  tournament: RegistrationState,
  instant = now(),
): string | null {
  if (event.isCanceled) return 'the event is canceled';
  if (tournament.archivedAt) return 'the tournament is archived';
  const phase = phaseOf(tournament, instant);
  if (phase === 'CANCELED') return 'the tournament is canceled';
  return phase === 'OVER' ? 'the tournament is over' : null;
}

/** Whether the tournament has started. Players cannot withdraw after the start. */
export const hasStarted = (tournament: RegistrationState, instant = now()): boolean =>
  ['PLAYING', 'OVER'].includes(phaseOf(tournament, instant));
