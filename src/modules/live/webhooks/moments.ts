import { sql } from 'kysely';

/** This very moment by the clock of the database. */
export const moment = sql<string>`clock_timestamp()`;

/** The moment so many seconds from now. */
export const secondsFromNow = (seconds: number) => sql<string>`clock_timestamp() + make_interval(secs => ${seconds})`;
