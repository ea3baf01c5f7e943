import type { Message } from './message.js';

export type { Mail, Message, Text } from './message.js';
export { internationalNumber } from './phone.js';
/** The wording of every message that the service sends, one function each. */
export * as templates from './templates/index.js';

/** The transaction of the business change, as far as the outbox needs it. */
export interface Transaction {
  query(text: string, values: unknown[]): Promise<{ rows: unknown[] }>;
}

/** What a person is known by: addresses and numbers, and a regular expression of PostgreSQL that finds these or the name in a text. */
export interface Mentioned {
  contacts: readonly string[];
  pattern: string;
}

/** At most `points` messages in `duration` seconds. */
interface Quota {
  readonly points: number;
  readonly duration: number;
}

/** Limits of messages, named as in RATE_LIMITS. Null means unlimited. */
export interface MessageQuotas {
  /** Messages to one recipient, from all senders. */
  readonly 'account.messages': Quota | null;
  /** Messages from one user, to all recipients. */
  readonly 'user.messages': Quota | null;
  /** Messages from one user to one recipient. */
  readonly 'user.recipient': Quota | null;
  /** Confirmation codes for the contact of one webhook, to all recipients. */
  readonly 'webhook.codes': Quota | null;
}

/**
 * Sender of messages, which determines the limits that apply. Messages of a user count against the limits of the user and of the recipients, and
 * those that confirm the contact of a webhook against the limit of the webhook, too.
 * Messages of the service, which acts for platforms and jobs, count against those of the recipients only. `counted` messages were counted when
 * they were requested.
 */
export type Sender = { readonly userId: string; readonly webhookId?: string } | 'service' | 'counted';

/** Sender of the messages of a request, from its caller. A platform sends for its users, so their limits do not apply. */
export const senderIn = ({ platform, user }: { platform: object | null; user: { id: string } | null }): Sender =>
  user && !platform ? { userId: user.id } : 'service';

/** Where messages are left for sending. They leave when the transaction commits, and vanish when it rolls back. */
export interface Outbox {
  /** Enqueues a message. RATE_LIMITED if the sender or the recipient is above a limit. */
  enqueue(message: Message, tx: Transaction, sender: Sender): Promise<void>;
  /**
   * Enqueues messages, except those to recipients above their limit. Returns the number of enqueued messages. RATE_LIMITED if the sender is
   * above a limit.
   */
  enqueueAll(messages: readonly Message[], tx: Transaction, sender: Sender): Promise<number>;
  /** Enqueues the messages within the limits of sender and recipients, and skips the others. Returns the number of enqueued messages. */
  enqueuePermitted(messages: readonly Message[], tx: Transaction, sender: Sender): Promise<number>;
  /** Drops what is to, or tells of, a person: messages that wait, that were caught, or are kept for a while after they left. */
  forget(person: Mentioned, tx: Transaction): Promise<void>;
}
