import type { IncomingHttpHeaders } from 'node:http';
import type { DocumentNode, ExecutionResult } from 'graphql';

/** State of an operation, shared by all its subgraph requests. */
export interface PlannedRun {
  /** Headers of the client request. */
  readonly headers: IncomingHttpHeaders;
  /**
   * Consistency token to send with subgraph requests: the token of the last write, or else the token in the client request. If it is null,
   * no token is sent, and subgraphs read entities from the primary database.
   */
  readonly lastWrite: { token: string | null };
  /** Subgraphs that failed or timed out. The operation sends no further requests to them. */
  readonly unavailableSubgraphs: { has(subgraph: string): boolean; add(subgraph: string): unknown; clear(): void };
  /** Subscriptions only: the last event without data. It bypasses the engine, which would add the data of the previous event. */
  readonly bypass?: { event: ExecutionResult | null };
}

/** A GraphQL operation to plan and run. */
export interface PlannedOperation {
  readonly document: DocumentNode;
  readonly operationName?: string | undefined;
  readonly variables: Record<string, unknown>;
}

/** Plans operations on a supergraph and runs them on its subgraphs. */
export interface Engine {
  execute(operation: PlannedOperation, run: PlannedRun): Promise<ExecutionResult>;
  /** Starts a subscription. Missing if the engine does not support subscriptions. */
  subscribe?(operation: PlannedOperation, run: PlannedRun): Promise<AsyncIterableIterator<ExecutionResult>>;
  stop(): Promise<void>;
}

/** Options of subgraph requests: the router secret, and the timeout in milliseconds. */
export interface EngineOptions {
  readonly secret: string;
  readonly timeout: number;
}

/** Starts an engine for a supergraph. `supergraph` is its SDL, which contains the URLs of the subgraphs. */
export type StartEngine = (supergraph: string, options: EngineOptions) => Promise<Engine>;
