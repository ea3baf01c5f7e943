import type { TraceHeaders } from '../kernel/tracing.js';

export interface Mail {
  kind: 'mail';
  /** A plain address: `ana@example.com`. */
  to: string;
  subject: string;
  text: string;
  html?: string;
  /** Address for replies. Default: `MAIL_FROM`. */
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
export type QueuedMessage = Message & { trace?: TraceHeaders };

interface Attempt {
  /** ID of the message, the same for all attempts, including retries by an operator. */
  id: string;
  /** Signal that aborts when the attempt times out. If the message were sent after that, the recipient would get it twice. */
  signal: AbortSignal;
}

/** Sends a message. Resolves when the receiver accepts it. Throws a Refusal for permanent failures, and other errors for temporary ones. */
export type Send<M extends Message = Message> = (message: M, attempt: Attempt) => Promise<'sent' | 'caught'>;

/** The receiver rejected the message permanently. Only an operator can retry it. */
export class Refusal extends Error {}
