import type { Caller } from '../declare/policy/caller.js';
import { type Unavailability, unavailabilityOf } from './unavailable.js';

/** A GraphQL operation, for the log, metrics and usage counts. */
export interface OperationFacts {
  /** `query`, `mutation`, `subscription`, or `none` if the document has no such operation. */
  readonly type: string;
  readonly name: string | undefined;
  /** Names of the selected root fields. */
  readonly rootFields: readonly string[];
}

/**
 * Counts an operation of a caller. `operation` is null for a request that was refused before an operation ran. `status` is the HTTP status
 * for the outcome. `startedAt` is a value of `performance.now()`.
 */
export type CountOperation = (operation: OperationFacts | null, caller: Caller | null, status: number, startedAt: number) => void;

/** Facts about a request, for its log line and for metrics. They are collected while the request is handled. */
export interface RequestFacts {
  /** Request ID. HTTP responses contain it in the header `X-Request-Id`. */
  readonly requestId: number;
  /** Arrival time, as a value of `performance.now()`. */
  readonly arrivedAt: number;
  /** Path pattern, such as `/v1/data/teams/{uuid}`. `other` if the path does not belong to a route. */
  route: string;
  /** Null if the caller was not identified. */
  caller: Caller | null;
  /** The GraphQL operation. Null if no operation was run, or if the request is not a GraphQL request. */
  operation: OperationFacts | null;
  /** Name of the GraphQL operation, even if the operation was not run. Undefined if it has no valid name. */
  readonly operationName: string | undefined;
  /** Reason why the service could not process the request. Null if it could. */
  unavailability: Unavailability | null;
  /** Whether the log line has been written. */
  isReported: boolean;
}

/** A request that has ended. */
export interface FinishedRequest extends Readonly<RequestFacts> {
  /** HTTP method. `other` for methods that are not in RFC 9110 or RFC 5789. */
  readonly method: string;
  /** Status of the response, or 499 if the client disconnected before the end of the response. */
  readonly status: number;
  /** Duration from the arrival of the request to the end of the response. */
  readonly seconds: number;
}

const factsKey = Symbol('request facts');

type ObservedResponse = object & { [factsKey]?: RequestFacts };

/** Sets the facts about the request that a response belongs to. */
export function attachFacts(response: object, facts: RequestFacts): void {
  (response as ObservedResponse)[factsKey] = facts;
}

/** Returns the facts about the request that a response belongs to. Undefined if no facts are collected, as for health probes. */
export const requestFactsOf = (response: object): RequestFacts | undefined => (response as ObservedResponse)[factsKey];

/**
 * Records the reason for an UNAVAILABLE error, for the log line of its request. Returns false if the line has already been written, or if
 * there is no request.
 */
export function recordUnavailability(error: object, facts: RequestFacts | undefined): boolean {
  if (!facts || facts.isReported) return false;
  facts.unavailability ??= unavailabilityOf(error);
  return true;
}

declare module '../declare/context.js' {
  interface Client {
    /** Facts about the HTTP request, or about the operation over a WebSocket. Undefined for calls within the process. */
    readonly facts?: RequestFacts | undefined;
  }
}
