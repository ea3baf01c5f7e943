import type { PgBoss } from 'pg-boss';
import { fail } from '../kernel/declare/errors.js';
import { tracing } from '../kernel/tracing.js';
import { type Count, type CountedMessages, countMessages } from './count-messages-sql.js';
import { forgotten } from './forgotten-sql.js';
import type { Message, MessageQuotas, Outbox, Sender, Transaction } from './ports.js';
import { deadLetters, kinds } from './queues.js';

/** Keeps a single statement to a size that any database takes. */
const batch = 500;

/** A limit of one recipient or one user, with the number of messages to count against it. */
interface Limit extends CountedMessages {
  readonly points: number;
}

function limitsOf(quotas: MessageQuotas, sender: Sender, recipients: ReadonlyMap<string, number>): Limit[] {
  const limit = (rule: keyof MessageQuotas, subject: string, count: number): Limit[] => {
    const quota = quotas[rule];
    return quota ? [{ rule, subject, count, ...quota }] : [];
  };
  if (sender === 'counted') return [];
  const ofRecipients = [...recipients].flatMap(([to, count]) => limit('account.messages', to, count));
  if (sender === 'service') return ofRecipients;
  const total = [...recipients.values()].reduce((sum, count) => sum + count, 0);
  const { userId, webhookId } = sender;
  return [
    ...(webhookId ? [...recipients].flatMap(([to, count]) => limit('webhook.codes', `${webhookId} ${to}`, count)) : []),
    ...limit('user.messages', userId, total),
    ...[...recipients].flatMap(([to, count]) => limit('user.recipient', `${userId} ${to}`, count)),
    ...ofRecipients,
  ];
}

const refuse = ({ points }: Limit, { msBeforeNext }: Count): never =>
  fail('RATE_LIMITED', `too many messages: at most ${points} until the limit is reset`, {
    retryAfter: Math.max(1, Math.ceil(msBeforeNext / 1000)),
  });

/** Enqueues messages in the caller's transaction, and enforces the message limits. */
export function createOutbox(boss: PgBoss, quotas: MessageQuotas): Outbox {
  /**
   * Counts messages. Returns the recipients above their limit, or throws RATE_LIMITED for them if `refuses` is set. Always throws RATE_LIMITED
   * if the sender is above a limit.
   */
  async function exhausted(
    messages: readonly Message[],
    sender: Sender,
    tx: Transaction,
    refuses: boolean,
  ): Promise<ReadonlySet<string>> {
    const recipients = new Map<string, number>();
    for (const { to } of messages) recipients.set(to, (recipients.get(to) ?? 0) + 1);
    const limits = limitsOf(quotas, sender, recipients);
    const counts = await countMessages(limits, tx);
    const full = new Set<string>();
    for (const [index, limit] of limits.entries()) {
      const count = counts[index];
      if (!count || count.total <= limit.points) continue;
      if (limit.rule !== 'account.messages' || refuses) refuse(limit, count);
      full.add(limit.subject);
    }
    return full;
  }

  async function enqueue(messages: readonly Message[], tx: Transaction, sender: Sender, refuses: boolean): Promise<number> {
    const full = await exhausted(messages, sender, tx, refuses);
    const accepted = messages.filter(({ to }) => !full.has(to));
    const db = {
      executeSql: async (text: string, values: unknown[] = []) => ({ rows: [...(await tx.query(text, values)).rows] }),
    };
    const traced = tracing ? { trace: tracing.carrier() } : undefined;
    for (const kind of kinds) {
      const jobs = accepted.filter((message) => message.kind === kind).map((message) => ({ data: { ...message, ...traced } }));
      for (let from = 0; from < jobs.length; from += batch) await boss.insert(kind, jobs.slice(from, from + batch), { db });
    }
    return accepted.length;
  }
  return {
    enqueue: async (message, tx, sender) => void (await enqueue([message], tx, sender, true)),
    enqueueAll: (messages, tx, sender) => enqueue(messages, tx, sender, false),
    forget: async ({ contacts, pattern }, tx) => void (await tx.query(forgotten, [[...kinds, deadLetters], contacts, pattern])),
  };
}
