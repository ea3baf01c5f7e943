import type { PgBoss } from 'pg-boss';
import type { Message } from '../ports.js';
import { schema } from '../queues.js';

export type CaughtMessage = Message & { id: string; createdAt: string };

interface Row {
  id: string;
  created_on: Date;
  data: Message;
}

const newest = `
  select id, created_on, data from ${schema}.job
  where name = any($1) and ($2::text is null or data->>'to' = $2)
  order by created_on desc, id desc limit 100`;

/** The newest messages that were not sent, from the moment their transaction committed. */
export async function findCaught(boss: PgBoss, kinds: readonly Message['kind'][], to: string | null): Promise<CaughtMessage[]> {
  const { rows }: { rows: Row[] } = await boss.getDb().executeSql(newest, [kinds, to]);
  return rows.map(({ id, created_on, data }) => ({ id, createdAt: created_on.toISOString(), ...data }));
}
