export { internationalNumber } from './phone.js';
/** The wording of every message that the service sends, one function each. */
export * as templates from './templates/index.js';

export interface Mail {
  kind: 'mail';
  /** One bare address: `ana@example.com`. */
  to: string;
  subject: string;
  text: string;
  html?: string;
  /** Where an answer should go instead of `MAIL_FROM`. */
  replyTo?: string;
}

export interface Text {
  kind: 'text';
  /** A phone number in E.164: `+15125550100`. */
  to: string;
  body: string;
}

export type Message = Mail | Text;

/** The transaction of the business change, as far as the outbox needs it. */
export interface Sql {
  query(text: string, values: unknown[]): Promise<{ rows: unknown[] }>;
}

/** Where messages are left for sending. They leave when the transaction commits, and vanish when it rolls back. */
export interface Outbox {
  enqueue(message: Message, tx: Sql): Promise<void>;
  enqueueAll(messages: readonly Message[], tx: Sql): Promise<void>;
}
