/** Tables that `startOfEvent` reads. */
export const startTables = ['tournament_event', 'tournament'];

/** SQL expression for the start of the event of a team, or of the tournament if the event has no start. */
export const startOfEvent = (team: string): string =>
  `coalesce((select e.starts_at from tournament_event e where e.id = ${team}.event_id),
    (select t.starts_at from tournament t where t.id = ${team}.tournament_id))`;
