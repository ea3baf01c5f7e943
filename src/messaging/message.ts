import type { Carrier } from '../kernel/tracing.js';

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

/** A message in its queue, with the trace that caused it. */
export type Queued = Message & { trace?: Carrier };
