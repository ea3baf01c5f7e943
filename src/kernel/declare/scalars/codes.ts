/** All error codes that the service returns, with their HTTP statuses (decision 1). */
export const statuses = {
  BAD_INPUT: 400,
  UNAUTHENTICATED: 401,
  INVALID_CREDENTIALS: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  CONFLICT: 409,
  STILL_RUNNING: 409,
  GONE: 410,
  NOT_VERIFIED: 412,
  TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  KEY_REUSED: 422,
  RATE_LIMITED: 429,
  INTERNAL: 500,
  UNAVAILABLE: 503,
} as const;

export type Code = keyof typeof statuses;

/** Key of the problem that callers without access to the schema get instead. A symbol, so that it is never serialized. */
export const withoutSchema: unique symbol = Symbol('withoutSchema');

/** An invalid value in a request. */
export interface Problem {
  /**
   * Path of the value, starting with the argument: `input.location.latitude`, `filter.startsAt.gte`, `input.bodies[0].id`, `first`. `/v1` uses
   * the same form. For a missing variable inside an input: the name of the variable, `$title`.
   */
  readonly field: string;
  /** Expected value, as a noun phrase: `a number from -90 to 90`. */
  readonly expected: string;
  /** Similar names, if an input has no such field or an enumeration no such value. Removed in production for callers without a token or key. */
  readonly suggestions?: readonly string[];
  /** Replacement in production for callers without a token or key. Null: none. Default: the problem without suggestions. */
  readonly [withoutSchema]?: Pick<Problem, 'field' | 'expected'> | null;
}

/** A rejected part of an input. */
export interface Rejection {
  /** Its path: `input.events[1]`, or a path below it. */
  readonly field: string;
  readonly code: Code;
  readonly message: string;
}

export interface Details {
  /** All rejected events of `registerTeams` and `quote`, in input order. */
  refusals?: readonly Rejection[];
  /** All invalid values of a request, in the order of its fields (BAD_INPUT). */
  problems?: readonly Problem[];
  /** Path of the first invalid value, or of a value that is rejected for another reason. The message starts with it. */
  field?: string;
  /** Text that says which values `field` accepts. */
  expected?: string;
  /** Current version of the record (CONFLICT with `ifVersion`). */
  currentVersion?: number;
  /** Seconds after which a retry makes sense (RATE_LIMITED, UNAVAILABLE). */
  retryAfter?: number;
}
