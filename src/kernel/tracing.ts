import type { GraphQLError } from 'graphql';

/** Type and name of a GraphQL operation. */
export interface TracedOperation {
  readonly operation: string;
  readonly name?: { readonly value: string };
}

/** Trace context for later work, in the form of the headers `traceparent` and `tracestate`. */
export type Carrier = Record<string, string>;

/** Records traces. Methods with `work` run it in a new span. */
export interface Tracing {
  /** Sets the path pattern of the current request. */
  route(pattern: string): void;
  operation<T extends { readonly errors?: readonly GraphQLError[] }>(
    operation: TracedOperation,
    work: () => Promise<T> | T,
  ): Promise<T>;
  /** Starts a span for an executor that cannot be wrapped. Call the returned function with the error codes to end it. */
  startOperation(operation: TracedOperation): (codes: readonly string[]) => void;
  /** `name` describes the loaded data. It must not contain values. */
  batch<T>(name: string, keys: number, work: () => Promise<T>): Promise<T>;
  /** A text without separate values (`hasValues`) may contain values itself. */
  statement<T>(text: string, hasValues: boolean, work: () => Promise<T>): Promise<T>;
  /** Current trace context, for a message that is sent later. */
  carrier(): Carrier;
  /** Delivery of a message, in the trace that caused it. */
  delivery<T>(kind: string, attempt: number, carrier: Carrier | undefined, work: () => Promise<T>): Promise<T>;
}

/** Null unless the process was started with a trace collector. */
export let tracing: Tracing | null = null;

export function setTracing(implementation: Tracing): void {
  tracing = implementation;
}
