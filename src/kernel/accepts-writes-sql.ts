import type { Client } from 'pg';

/**
 * SQL statement that returns whether a server is a standby. Sent together with the settings of new connections, to avoid an additional
 * round trip.
 */
export const selectIsStandby = 'select pg_is_in_recovery() as "isStandby"';

/** Whether a server accepts writes. Standbys and read-only servers do not. */
export async function acceptsWrites(client: Client): Promise<boolean> {
  const { rows } = await client.query(
    `select not pg_is_in_recovery() and current_setting('transaction_read_only') = 'off' as "acceptsWrites"`,
  );
  return rows[0]?.acceptsWrites === true;
}
