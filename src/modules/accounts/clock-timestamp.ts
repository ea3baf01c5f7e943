import { sql } from 'kysely';

/** SQL: current time of the database. Unlike `now()`, it advances within a transaction. */
export const clockTimestamp = sql<string>`clock_timestamp()`;
