import type { Code, Details, Problem } from '../kernel/declare/scalars/codes.js';

/** Details of an error response. */
export interface ErrorDetails extends Details {
  /** HTTP status of the response. */
  readonly status: number;
  /** Request ID, with which operators can find the request in the logs. */
  readonly requestId?: string | undefined;
}

/** An error response of the service. */
export class ServiceError extends Error {
  override readonly name: string = 'ServiceError';
  readonly status: number;
  readonly requestId: string | undefined;
  /** All invalid values of the request (BAD_INPUT). */
  readonly problems: readonly Problem[];
  /** Delay in seconds after which a retry can succeed. */
  readonly retryAfter: number | undefined;
  /** Current version of the record. Set if `ifVersion` caused a CONFLICT error. */
  readonly currentVersion: number | undefined;

  constructor(message: string, { status, requestId, problems, retryAfter, currentVersion }: ErrorDetails) {
    super(message);
    this.status = status;
    this.requestId = requestId;
    this.problems = problems ?? [];
    this.retryAfter = retryAfter;
    this.currentVersion = currentVersion;
  }
}

/** An error in a GraphQL response. */
export interface GraphQLError extends Details {
  readonly code: Code;
  readonly message: string;
  /** Path of the field in the data. Undefined if the operation was not executed. */
  readonly path?: readonly (string | number)[];
}

/** A GraphQL response with errors. `code` is the code of the first error. */
export class GraphQLRequestError extends ServiceError {
  override readonly name = 'GraphQLRequestError';
  readonly code: Code;
  /** All errors, in the order of the response. */
  readonly errors: readonly GraphQLError[];
  /** Partial data. Fields with errors are null. */
  readonly data: unknown;

  constructor(errors: readonly [GraphQLError, ...GraphQLError[]], data: unknown, details: ErrorDetails) {
    const retryDelays = errors.flatMap(({ retryAfter }) => retryAfter ?? []);
    super(errors[0].message, {
      ...details,
      ...errors[0],
      retryAfter: retryDelays.length ? Math.max(...retryDelays) : details.retryAfter,
    });
    this.code = errors[0].code;
    this.errors = errors;
    this.data = data;
  }
}

/** An error response of `/v1`, with its `Message` and status. */
export class LegacyError extends ServiceError {
  override readonly name = 'LegacyError';
}

/** Error for a request without a response: the service was not reachable, or did not respond in time. */
export class NetworkError extends Error {
  override readonly name = 'NetworkError';
  readonly reason: 'NETWORK' | 'TIMEOUT';

  constructor(reason: NetworkError['reason'], message: string, cause?: unknown) {
    super(message, { cause });
    this.reason = reason;
  }
}
