import type { PgBoss } from 'pg-boss';
import { fail } from '../kernel/declare/errors.js';
import { normalizeEmail } from '../kernel/declare/scalars/email.js';
import { limitRefusals } from '../kernel/monitoring/counts.js';
import { tracing } from '../kernel/tracing.js';
import { type CountedMessages, countMessages, deleteMessages, type LimitCount } from './outbox-sql.js';
import type { Message, MessageQuotas, Outbox, Sender, Transaction } from './ports.js';
import { deadLetterQueue, messageKinds } from './queue-names.js';

/** Maximum number of messages per statement. */
const batchSize = 500;

/** A limit for one recipient, user or webhook, with the number of messages to count against the limit. */
interface Limit extends CountedMessages {
  readonly points: number;
  /** Recipient of the counted messages, in lower case. Null if messages to all recipients are counted. */
  readonly to: string | null;
}

/** Name of a message limit. */
type Rule = keyof MessageQuotas;

/** Names of all limits, and of the limits for the sender. */
const allRules: readonly Rule[] = ['webhook.codes', 'user.messages', 'user.recipient', 'account.messages'];
const senderRules: readonly Rule[] = ['webhook.codes', 'user.messages', 'user.recipient'];

function limitsOf(quotas: MessageQuotas, sender: Sender, messages: readonly Message[], rules: readonly Rule[]): Limit[] {
  if (sender === 'counted') return [];
  const recipients = new Map<string, number>();
  for (const { to } of messages) recipients.set(normalizeEmail(to), (recipients.get(normalizeEmail(to)) ?? 0) + 1);
  const limit = (rule: Rule, subject: string, count: number, to: string | null): Limit[] => {
    const quota = rules.includes(rule) ? quotas[rule] : null;
    return quota && count > 0 ? [{ rule, subject, count, to, ...quota }] : [];
  };
  const recipientLimits = [...recipients].flatMap(([to, count]) => limit('account.messages', to, count, to));
  if (sender === 'service') return recipientLimits;
  const { userId, webhookId } = sender;
  return [
    ...(webhookId ? limit('webhook.codes', webhookId, messages.length, null) : []),
    ...limit('user.messages', userId, messages.length, null),
    ...[...recipients].flatMap(([to, count]) => limit('user.recipient', `${userId} ${to}`, count, to)),
    ...recipientLimits,
  ];
}

function refuse({ rule, points }: Limit, { msBeforeNext }: LimitCount): never {
  limitRefusals.add(rule);
  fail('RATE_LIMITED', `too many messages: at most ${points} until the limit is reset`, {
    retryAfter: Math.max(1, Math.ceil(msBeforeNext / 1000)),
  });
}

/** Creates the outbox. It enqueues messages in the caller's transaction and enforces the message limits. */
export function createOutbox(boss: PgBoss, quotas: MessageQuotas): Outbox {
  /**
   * Counts messages against the limits of `rules`, and returns the messages within all limits. Throws RATE_LIMITED if a limit of
   * `refusingRules` is exceeded.
   */
  async function messagesWithinLimits(
    messages: readonly Message[],
    sender: Sender,
    tx: Transaction,
    rules: readonly Rule[],
    refusingRules: readonly Rule[],
  ): Promise<readonly Message[]> {
    const limits = limitsOf(quotas, sender, messages, rules);
    const counts = await countMessages(limits, tx);
    const recipientsAboveLimit = new Set<string>();
    let maxAccepted = Number.POSITIVE_INFINITY;
    for (const [index, limit] of limits.entries()) {
      const count = counts[index];
      if (!count || count.total <= limit.points) continue;
      if (refusingRules.some((rule) => rule === limit.rule)) refuse(limit, count);
      if (limit.to === null) maxAccepted = Math.min(maxAccepted, Math.max(0, limit.points - count.total + limit.count));
      else recipientsAboveLimit.add(limit.to);
    }
    return messages.filter(({ to }) => !recipientsAboveLimit.has(normalizeEmail(to))).slice(0, maxAccepted);
  }

  /** Subtracts skipped messages from the counters of their sender, because they are not sent. */
  async function subtractSkipped(
    messages: readonly Message[],
    skippedCount: number,
    sender: Sender,
    tx: Transaction,
  ): Promise<void> {
    if (skippedCount === 0) return;
    const limits = limitsOf(quotas, sender, messages, senderRules).filter(({ to }) => to === null);
    await countMessages(
      limits.map((limit) => ({ ...limit, count: -skippedCount })),
      tx,
    );
  }

  async function enqueue(
    messages: readonly Message[],
    tx: Transaction,
    sender: Sender,
    refusingRules: readonly Rule[],
  ): Promise<number> {
    // Messages that exceed a limit of the sender must not count toward the limit of the recipient. If they did, one sender could block all
    // messages to a recipient.
    const messagesWithinSenderLimits =
      refusingRules.length > 0 ? messages : await messagesWithinLimits(messages, sender, tx, senderRules, refusingRules);
    const rules = refusingRules.length > 0 ? allRules : allRules.filter((rule) => !senderRules.includes(rule));
    const acceptedMessages = await messagesWithinLimits(messagesWithinSenderLimits, sender, tx, rules, refusingRules);
    await subtractSkipped(messages, messages.length - acceptedMessages.length, sender, tx);
    const db = {
      executeSql: async (text: string, values: unknown[] = []) => ({ rows: [...(await tx.query(text, values)).rows] }),
    };
    const traceContext = tracing ? { trace: tracing.carrier() } : undefined;
    for (const kind of messageKinds) {
      const jobs = acceptedMessages
        .filter((message) => message.kind === kind)
        .map((message) => ({ data: { ...message, ...traceContext } }));
      for (let from = 0; from < jobs.length; from += batchSize)
        await boss.insert(kind, jobs.slice(from, from + batchSize), { db });
    }
    return acceptedMessages.length;
  }
  return {
    enqueue: async (message, tx, sender) => void (await enqueue([message], tx, sender, allRules)),
    enqueueAll: (messages, tx, sender) => enqueue(messages, tx, sender, senderRules),
    enqueuePermitted: (messages, tx, sender) => enqueue(messages, tx, sender, []),
    deleteMessagesAbout: async ({ contacts, pattern }, tx) =>
      void (await tx.query(deleteMessages, [[...messageKinds, deadLetterQueue], contacts, pattern])),
  };
}
