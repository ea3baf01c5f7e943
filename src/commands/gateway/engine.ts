import type { IncomingHttpHeaders } from 'node:http';
import type { DocumentNode, ExecutionResult } from 'graphql';

/** The run of an operation, as far as it concerns all requests to subgraphs that it takes. */
export interface PlannedRun {
  /** Headers of the one who asks. */
  readonly headers: IncomingHttpHeaders;
  /** The token of the last write, with which the subgraphs that are asked after it see that write; null where nothing is known of writes. */
  readonly written: { token: string | null };
  /** Subgraphs that have kept it waiting in vain: it does not wait for them a second time. */
  readonly silent: { has(subgraph: string): boolean; add(subgraph: string): unknown; clear(): void };
  /** Of a subscription: what its subgraph told without data, on its way around the engine. */
  readonly around?: { event: ExecutionResult | null };
}

/** A sound operation. */
export interface PlannedOperation {
  readonly document: DocumentNode;
  readonly operationName?: string | undefined;
  readonly variables: Record<string, unknown>;
}

/** Plans operations over a supergraph and runs them on its subgraphs. */
export interface Engine {
  execute(operation: PlannedOperation, run: PlannedRun): Promise<ExecutionResult>;
  /** Absent where it knows no subscriptions. */
  subscribe?(operation: PlannedOperation, run: PlannedRun): Promise<AsyncIterableIterator<ExecutionResult>>;
  stop(): Promise<void>;
}

/** How its subgraphs are asked: the secret that opens them, and how long one may take for its part, in milliseconds. */
export interface Opening {
  readonly secret: string;
  readonly timeout: number;
}

/** Starts an engine on a supergraph with the addresses of its subgraphs. */
export type StartEngine = (supergraph: string, opening: Opening) => Promise<Engine>;
