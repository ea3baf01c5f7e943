/** SQL condition that the service repeats the game `r`. Repetitions and archived games are not repeated. */
export const repeating = 'r.is_repeated and r.repeats is not null and r.occurs_on is null and r.archived_at is null';
