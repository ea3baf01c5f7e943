import type { GraphQLError } from 'graphql';

/** What is known of an operation before it runs. */
export interface TracedOperation {
  readonly operation: string;
  readonly name?: { readonly value: string };
}

/** What carries a trace to work that is done later, as the headers `traceparent` and `tracestate` do. */
export type Carrier = Record<string, string>;

/** Where work is told to that belongs to a trace. Each takes what is done and does it, in a span of its own. */
export interface Tracing {
  /** The pattern of the path that the request of this moment asked for. */
  route(pattern: string): void;
  operation<T extends { readonly errors?: readonly GraphQLError[] }>(
    operation: TracedOperation,
    work: () => Promise<T> | T,
  ): Promise<T>;
  /** The same where an executor cannot be wrapped: begins now, and ends with the codes of its errors. */
  begin(operation: TracedOperation): (codes: readonly string[]) => void;
  /** `what` says what is loaded, without any value. */
  batch<T>(what: string, keys: number, work: () => Promise<T>): Promise<T>;
  /** Texts without values beside them may hold values themselves. */
  statement<T>(text: string, hasValues: boolean, work: () => Promise<T>): Promise<T>;
  /** The trace of this moment, for a message that leaves later. */
  carrier(): Carrier;
  /** The sending of a message, in the trace that caused it. */
  delivery<T>(kind: string, attempt: number, carrier: Carrier | undefined, work: () => Promise<T>): Promise<T>;
}

/** Null, for as long as the process lives, unless it was started with a collector: all that an untraced request pays is to ask for it. */
export let tracing: Tracing | null = null;

export function traceWith(given: Tracing): void {
  tracing = given;
}
