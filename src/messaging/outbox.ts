import type { PgBoss } from 'pg-boss';
import { tracing } from '../kernel/tracing.js';
import { forgotten } from './forgotten-sql.js';
import type { Message, Outbox, Transaction } from './ports.js';
import { deadLetters, kinds } from './queues.js';

/** Keeps a single statement to a size that any database takes. */
const batch = 500;

/** Writes messages into the queue through the caller's transaction. */
export function createOutbox(boss: PgBoss): Outbox {
  async function enqueueAll(messages: readonly Message[], tx: Transaction): Promise<void> {
    const db = {
      executeSql: async (text: string, values: unknown[] = []) => ({ rows: [...(await tx.query(text, values)).rows] }),
    };
    const traced = tracing ? { trace: tracing.carrier() } : undefined;
    for (const kind of kinds) {
      const jobs = messages.filter((message) => message.kind === kind).map((message) => ({ data: { ...message, ...traced } }));
      for (let from = 0; from < jobs.length; from += batch) await boss.insert(kind, jobs.slice(from, from + batch), { db });
    }
  }
  return {
    enqueueAll,
    enqueue: (message, tx) => enqueueAll([message], tx),
    forget: async ({ contacts, pattern }, tx) => void (await tx.query(forgotten, [[...kinds, deadLetters], contacts, pattern])),
  };
}
