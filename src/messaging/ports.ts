import type { Message } from './message.js';

export type { Mail, Message, Text } from './message.js';
/** Functions that build the text of every message. */
export * as templates from './templates/index.js';

/** Database transaction, with the methods that the outbox uses. */
export interface Transaction {
  query(text: string, values: unknown[]): Promise<{ rows: unknown[] }>;
}

/** Addresses and phone numbers of a person, and a PostgreSQL regular expression that matches these or the person's name. */
interface PersonIdentifiers {
  contacts: readonly string[];
  pattern: string;
}

/** At most `points` messages in `duration` seconds. */
interface Quota {
  readonly points: number;
  readonly duration: number;
}

/** Message limits, named as in RATE_LIMITS. Null means unlimited. */
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
 * Sender of messages, which determines the limits. Messages from a user count against the limits of the user and of the recipients.
 * Confirmation codes for a webhook also count against the limit of the webhook. `service` messages, which platforms and jobs send, count
 * only against the limits of the recipients. `counted` messages were counted when they were requested.
 */
export type Sender = { readonly userId: string; readonly webhookId?: string } | 'service' | 'counted';

/**
 * Returns the sender of messages that a request causes, from its caller. A platform sends on behalf of its users, so their limits do not
 * apply.
 */
export const senderIn = ({ platform, user }: { platform: object | null; user: { id: string } | null }): Sender =>
  user && !platform ? { userId: user.id } : 'service';

/** Enqueues messages for sending. They are sent when the transaction commits, and discarded when it rolls back. */
export interface Outbox {
  /** Enqueues a message. Throws RATE_LIMITED if the sender or the recipient is above a limit. */
  enqueue(message: Message, tx: Transaction, sender: Sender): Promise<void>;
  /**
   * Enqueues messages, except those to recipients above their limit. Returns the number of enqueued messages. Throws RATE_LIMITED if the
   * sender is above a limit.
   */
  enqueueAll(messages: readonly Message[], tx: Transaction, sender: Sender): Promise<number>;
  /** Enqueues the messages within the limits of sender and recipients, and skips the others. Returns the number of enqueued messages. */
  enqueuePermitted(messages: readonly Message[], tx: Transaction, sender: Sender): Promise<number>;
  /** Deletes all waiting, caught and recently sent messages to or about a person. */
  deleteMessagesAbout(person: PersonIdentifiers, tx: Transaction): Promise<void>;
}

const rejectMessage = () => Promise.reject(new Error('a module sends messages, but its manifest does not have `messages`'));

/** Outbox for processes in which no module sends messages. */
export const emptyOutbox: Outbox = {
  enqueue: rejectMessage,
  enqueueAll: rejectMessage,
  enqueuePermitted: rejectMessage,
  deleteMessagesAbout: rejectMessage,
};

/**
 * Converts a phone number to E.164 format, such as `+15125550100`. Null if it is invalid. `country` is a two-letter code for
 * numbers without a country code.
 */
export async function internationalNumber(phone: string, country: string | null): Promise<string | null> {
  // Loaded on demand, because the numbering plans of all countries are large.
  const { default: parsePhoneNumber, isSupportedCountry } = await import('libphonenumber-js');
  const number = parsePhoneNumber(phone, country && isSupportedCountry(country) ? country : 'US');
  return number?.isValid() ? number.number : null;
}
