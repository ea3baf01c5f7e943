import { sql } from 'kysely';

/** This very moment by the clock of the database, which in a transaction is later than its beginning. */
export const moment = sql<string>`clock_timestamp()`;
