import type { GraphQLError } from 'graphql';

/** Type and name of a GraphQL operation. */
export interface TracedOperation {
  readonly operation: string;
  readonly name?: { readonly value: string };
}

/** Trace context for later work: the headers `traceparent` and `tracestate`. */
export type TraceHeaders = Record<string, string>;

/** Recorder of traces. Methods with the parameter `work` run it in a new span. */
export interface Tracing {
  /** Sets the path pattern of the current request. */
  route(pattern: string): void;
  operation<T extends { readonly errors?: readonly GraphQLError[] }>(
    operation: TracedOperation,
    work: () => Promise<T> | T,
  ): Promise<T>;
  /** Starts a span for an executor that cannot be wrapped. Returns a function that ends the span, with the error codes of the result. */
  startOperation(operation: TracedOperation): (codes: readonly string[]) => void;
  /** Runs a batch for a loader. `name` describes the loaded data and must not contain values. */
  batch<T>(name: string, keys: number, work: () => Promise<T>): Promise<T>;
  /** Runs an SQL statement. If `hasValues` is false, the text itself may contain values. */
  statement<T>(text: string, hasValues: boolean, work: () => Promise<T>): Promise<T>;
  /** Returns the current trace context, for a message that is sent later. */
  carrier(): TraceHeaders;
  /** Delivers a message within the trace of the request that caused it. */
  delivery<T>(kind: string, attempt: number, carrier: TraceHeaders | undefined, work: () => Promise<T>): Promise<T>;
}

/** Trace recorder of this process. Null unless the process has a trace collector. */
export let tracing: Tracing | null = null;

export function setTracing(implementation: Tracing): void {
  tracing = implementation;
}
