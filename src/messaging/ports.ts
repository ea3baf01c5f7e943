import type { Session } from '../kernel/session.js';
import type { Message } from './message.js';

export type { Mail, Message, Text } from './message.js';
/** Functions that build the emails and text messages. */
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
 * Returns the sender for messages that a request causes, derived from the caller of the request. A platform sends on behalf of its users,
 * so their limits do not apply.
 */
export const senderIn = ({ platform, user }: { platform: object | null; user: { id: string } | null }): Sender =>
  user && !platform ? { userId: user.id } : 'service';

/** Enqueues messages for sending. They are sent when the transaction commits, and discarded when it rolls back. */
export interface Outbox {
  /** Enqueues a message. Throws RATE_LIMITED if a limit of the sender or of the recipient is exceeded. */
  enqueue(message: Message, tx: Transaction, sender: Sender): Promise<void>;
  /**
   * Enqueues messages, except messages to recipients whose limit is exceeded. Returns the number of enqueued messages. Throws RATE_LIMITED
   * if a limit of the sender is exceeded.
   */
  enqueueAll(messages: readonly Message[], tx: Transaction, sender: Sender): Promise<number>;
  /** Enqueues the messages within the limits of sender and recipients, and skips the others. Returns the number of enqueued messages. */
  enqueuePermitted(messages: readonly Message[], tx: Transaction, sender: Sender): Promise<number>;
  /** Deletes all stored messages to or about a person, including sent, caught and dead messages. */
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

/** Position of a job in a list. Jobs are sorted by creation time, newest first. */
export interface JobPosition {
  readonly id: string;
  readonly createdAt: string;
}

/** Part of a list of jobs. Backward ranges are read from the end. */
export interface JobRange {
  readonly size: number;
  readonly offset: number;
  readonly isBackward: boolean;
  readonly after: JobPosition | null;
  readonly before: JobPosition | null;
}

/** A job whose last attempt failed, without its content. The reason contains no links, codes or addresses. */
export interface FailedJobEntry extends JobPosition {
  readonly queue: string;
  readonly attempts: number;
  readonly reason: string;
  readonly failedAt: string;
}

/** A message that was not sent, with only the domain of its recipient. Another attempt follows unless the message is dead. */
export interface UnsentMessage extends Omit<FailedJobEntry, 'queue'> {
  readonly kind: Message['kind'];
  readonly state: 'dead' | 'retrying';
  readonly recipient: string;
  /** Subject of an email. Null for a text message. */
  readonly subject: string | null;
  /** Time of the next attempt. Null for a dead message. */
  readonly nextAttemptAt: string | null;
}

/** Failed jobs of one kind. `filter` contains values that the jobs must have. */
export interface FailedJobs<T extends JobPosition = FailedJobEntry, Filter extends object = Record<string, never>> {
  read(sql: Session, range: JobRange, filter: Filter): Promise<T[]>;
  count(sql: Session, filter: Filter): Promise<number>;
  /** Requeues a job whose last attempt failed. Returns the job as it was before, or null if no such job has the ID. */
  retry(sql: Session, id: string): Promise<T | null>;
  /** Requeues all jobs whose last attempt failed. Returns the number of requeued jobs. */
  retryAll(sql: Session): Promise<number>;
}

/** Conditions on failed messages. */
export type FailedMessageFilter = Partial<Pick<UnsentMessage, 'kind' | 'state'>>;

export type FailedMessages = FailedJobs<UnsentMessage, FailedMessageFilter>;

/**
 * Converts a phone number to E.164 format, such as `+15125550100`. Returns null if the number is invalid. `country` is the two-letter code
 * of the country for numbers without a country code. By default, and for unsupported countries, it is the US.
 */
export async function internationalNumber(phone: string, country: string | null): Promise<string | null> {
  // Loaded on demand, because the numbering plans of all countries are large.
  const { default: parsePhoneNumber, isSupportedCountry } = await import('libphonenumber-js');
  const number = parsePhoneNumber(phone, country && isSupportedCountry(country) ? country : 'US');
  return number?.isValid() ? number.number : null;
}
