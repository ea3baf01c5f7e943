import type { Message } from './ports.js';

export interface Attempt {
  /** The same for every attempt at one message, those of the operator included. */
  id: string;
  /** Aborted when the attempt is given up; what is sent after that would be sent twice. */
  signal: AbortSignal;
}

/** Resolves once the message is taken over. Throws a Refusal when it never will be, anything else when it may be later. */
export type Send<M extends Message = Message> = (message: M, attempt: Attempt) => Promise<'sent' | 'caught'>;

/** The other side refused this message for good: trying again is pointless until an operator has looked at it. */
export class Refusal extends Error {}
