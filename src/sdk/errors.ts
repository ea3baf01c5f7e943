import type { Code, Details, Problem } from '../kernel/declare/codes.js';

/** What the service says besides the message of an error. */
export interface Said extends Details {
  /** The HTTP status of the answer. */
  readonly status: number;
  /** By which the operators find the request in their logs. */
  readonly requestId?: string | undefined;
}

/** A refusal or a fault that the service answered with. */
export class ServiceError extends Error {
  override readonly name: string = 'ServiceError';
  readonly status: number;
  readonly requestId: string | undefined;
  /** All wrong values of the request (BAD_INPUT). */
  readonly problems: readonly Problem[];
  /** Seconds after which one more try makes sense. */
  readonly retryAfter: number | undefined;
  /** The version that the record has now (CONFLICT with `ifVersion`). */
  readonly currentVersion: number | undefined;

  constructor(message: string, { status, requestId, problems, retryAfter, currentVersion }: Said) {
    super(message);
    this.status = status;
    this.requestId = requestId;
    this.problems = problems ?? [];
    this.retryAfter = retryAfter;
    this.currentVersion = currentVersion;
  }
}

/** One error of an answer of the graph. */
export interface Refusal extends Details {
  readonly code: Code;
  readonly message: string;
  /** Where in the data it stands; not there where nothing was executed. */
  readonly path?: readonly (string | number)[];
}

/** The graph refused something: the code is that of its first error. */
export class GraphError extends ServiceError {
  override readonly name = 'GraphError';
  readonly code: Code;
  /** All errors, in the order of the answer. */
  readonly errors: readonly Refusal[];
  /** What of the data is there all the same: what was refused is null in its place. */
  readonly data: unknown;

  constructor(errors: readonly [Refusal, ...Refusal[]], data: unknown, said: Said) {
    const waits = errors.flatMap(({ retryAfter }) => retryAfter ?? []);
    super(errors[0].message, { ...said, ...errors[0], retryAfter: waits.length ? Math.max(...waits) : said.retryAfter });
    this.code = errors[0].code;
    this.errors = errors;
    this.data = data;
  }
}

/** `/v1` refused a request: its `Message`, under its status. */
export class LegacyError extends ServiceError {
  override readonly name = 'LegacyError';
}

/** There was no answer: the service was not reached, or not in time. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
  readonly reason: 'NETWORK' | 'TIMEOUT';

  constructor(reason: NoAnswer['reason'], message: string, cause?: unknown) {
    super(message, { cause });
    this.reason = reason;
  }
}
