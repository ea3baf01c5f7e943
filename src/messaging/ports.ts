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

/** A number of messages in a number of seconds. */
interface Quota {
  readonly points: number;
  readonly duration: number;
}

/** Limits of messages, named as in RATE_LIMITS. Null is no limit. */
export interface MessageQuotas {
  /** To one recipient, from whomever. */
  readonly 'account.messages': Quota | null;
  /** From one user, to whomever. */
  readonly 'user.messages': Quota | null;
  /** From one user to one recipient. */
  readonly 'user.recipient': Quota | null;
}

/**
 * Who causes messages. It decides which limits count them: a user's own limits and those of the recipients; for the service, which acts for
 * platforms and jobs, those of the recipients; or none, because the message was counted when it was requested.
 */
export type Sender = { readonly userId: string } | 'service' | 'counted';

/** The sender of messages that a request causes. */
export const senderIn = ({ user }: { user: { id: string } | null }): Sender => (user ? { userId: user.id } : 'service');

/** Where messages are left for sending. They leave when the transaction commits, and vanish when it rolls back. */
export interface Outbox {
  /** RATE_LIMITED if the sender has sent too many messages, or the recipient has got too many. */
  enqueue(message: Message, tx: Transaction, sender: Sender): Promise<void>;
  /**
   * Leaves out recipients who have got too many messages. Returns the number of messages that are left for sending. RATE_LIMITED if the sender
   * has sent too many.
   */
  enqueueAll(messages: readonly Message[], tx: Transaction, sender: Sender): Promise<number>;
  /** Drops what is to, or tells of, a person: messages that wait, that were caught, or are kept for a while after they left. */
  forget(person: Mentioned, tx: Transaction): Promise<void>;
}
