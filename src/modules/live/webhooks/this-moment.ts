import { sql } from 'kysely';

/** This very moment by the clock of the database. */
export const thisMoment = sql<string>`clock_timestamp()`;
