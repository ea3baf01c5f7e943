import type pg from 'pg';
import type { Row } from './declare/row.js';

/**
 * Waits for a connection, then runs the statement on it. Tracing needs the async context of the caller, but a busy pool would run a queued statement
 * in another one.
 */
export async function queryOnDedicatedConnection(pool: pg.Pool, text: string, values: unknown[]): Promise<Row[]> {
  const client = await pool.connect();
  try {
    const { rows } = await client.query<Row>(text, values);
    client.release();
    return rows;
  } catch (error) {
    client.release(true);
    throw error;
  }
}
