import type { PgBoss } from 'pg-boss';
import { is, shaped } from '../../kernel/row-shape.js';
import type { Message } from '../ports.js';
import { schema } from '../queues.js';

export type CaughtMessage = Message & { id: string; createdAt: string };

const job = { id: is.text, created_on: is.date, data: is.written<Message>() };

const newest = `
  select id, created_on, data from ${schema}.job
  where name = any($1) and ($2::text is null or data->>'to' = $2)
  order by created_on desc, id desc limit 100`;

/** What was caught for a recipient, or for all. */
export type Caught = (to: string | null) => Promise<CaughtMessage[]>;

/** The newest messages that were not sent, from the moment their transaction committed. */
export async function findCaught(boss: PgBoss, kinds: readonly Message['kind'][], to: string | null): Promise<CaughtMessage[]> {
  const { rows } = await boss.getDb().executeSql(newest, [kinds, to]);
  return shaped(rows, job).map(({ id, created_on, data }) => ({ id, createdAt: created_on.toISOString(), ...data }));
}
