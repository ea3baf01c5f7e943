import type { PgBoss } from 'pg-boss';
import { checkedRows, is } from '../../kernel/row-shape.js';
import type { Message } from '../ports.js';
import { schema } from '../queues.js';

export type CaughtMessage = Message & { id: string; createdAt: string };

const job = { id: is.text, created_on: is.date, data: is.json<Message>() };

const newestMessages = `
  select id, created_on, data from ${schema}.job
  where name = any($1) and ($2::text is null or data->>'to' = $2)
  order by created_on desc, id desc limit 100`;

/** Reads caught messages to one recipient, or to all recipients. */
export type ReadCaughtMessages = (to: string | null) => Promise<CaughtMessage[]>;

/** Returns the 100 newest messages that were caught instead of sent. */
export async function findCaught(boss: PgBoss, kinds: readonly Message['kind'][], to: string | null): Promise<CaughtMessage[]> {
  const { rows } = await boss.getDb().executeSql(newestMessages, [kinds, to]);
  return checkedRows(rows, job).map(({ id, created_on, data }) => ({ id, createdAt: created_on.toISOString(), ...data }));
}
