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

/** Where messages are left for sending. They leave when the transaction commits, and vanish when it rolls back. */
export interface Outbox {
  enqueue(message: Message, tx: Transaction): Promise<void>;
  enqueueAll(messages: readonly Message[], tx: Transaction): Promise<void>;
  /** Drops what is to, or tells of, a person: messages that wait, that were caught, or are kept for a while after they left. */
  forget(person: Mentioned, tx: Transaction): Promise<void>;
}
