import type { Message } from './message.js';

export type { Mail, Message, Text } from './message.js';
export { internationalNumber } from './phone.js';
/** The wording of every message that the service sends, one function each. */
export * as templates from './templates/index.js';

/** The transaction of the business change, as far as the outbox needs it. */
export interface Transaction {
  query(text: string, values: unknown[]): Promise<{ rows: unknown[] }>;
}

/** Where messages are left for sending. They leave when the transaction commits, and vanish when it rolls back. */
export interface Outbox {
  enqueue(message: Message, tx: Transaction): Promise<void>;
  enqueueAll(messages: readonly Message[], tx: Transaction): Promise<void>;
}
