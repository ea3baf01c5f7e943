import type { Message } from './ports.js';

export interface Attempt {
  /** ID of the message, the same for all attempts, including retries by an operator. */
  id: string;
  /** Aborted when the attempt times out. A message that is sent afterwards would be sent twice. */
  signal: AbortSignal;
}

/**
 * Sends a message. Resolves when it is accepted. Throws a Refusal for permanent failures, and other errors for temporary ones.
 */
export type Send<M extends Message = Message> = (message: M, attempt: Attempt) => Promise<'sent' | 'caught'>;

/** The receiver rejected the message permanently. Only an operator can retry it. */
export class Refusal extends Error {}
