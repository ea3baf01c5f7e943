import type { Carrier } from '../kernel/tracing.js';

export interface Mail {
  kind: 'mail';
  /** A plain address: `ana@example.com`. */
  to: string;
  subject: string;
  text: string;
  html?: string;
  /** Address for replies, if it is not `MAIL_FROM`. */
  replyTo?: string;
}

export interface Text {
  kind: 'text';
  /** A phone number in E.164 format: `+15125550100`. */
  to: string;
  body: string;
}

export type Message = Mail | Text;

/** A queued message, with the trace context of its request. */
export type QueuedMessage = Message & { trace?: Carrier };
