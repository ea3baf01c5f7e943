import type pg from 'pg';
import type { Row } from './declare/row.js';

/** A pool that is busy runs what it is given later, on behalf of nobody: where that matters, a connection is waited for here. */
export async function onItsOwn(pool: pg.Pool, text: string, values: unknown[]): Promise<Row[]> {
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
