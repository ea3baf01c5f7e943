import type { Client } from 'pg';
import { staging } from './staging-sql.js';

/** Returns the number of imported users whose email address is not verified. */
export async function countUnverifiedUsers(client: Client): Promise<number> {
  const { rows } = await client.query(
    `select count(distinct u.id)::int as count from ${staging}.app_user join public.app_user u using (id) where u.email is not null and u.verified_at is null`,
  );
  return rows[0]?.count;
}
