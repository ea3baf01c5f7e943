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
