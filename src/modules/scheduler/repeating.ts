/** SQL: `r` is a game from which the service makes others. What it has made is not repeated again, and an archived game stops. */
export const repeating = 'r.is_repeated and r.repeats is not null and r.occurs_on is null and r.archived_at is null';
