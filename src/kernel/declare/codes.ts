/** Every code that leaves the service, with its HTTP status (decision 1). The table is closed: nothing else goes out. */
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

/** Key of the form of a problem for callers who may not see the schema. A symbol, so that it is never sent. */
export const withoutSchema: unique symbol = Symbol('withoutSchema');

/** One wrong value of a request. */
export interface Problem {
  /**
   * Its path from the argument on: `input.location.latitude`, `filter.startsAt.gte`, `input.bodies[0].id`, `first`. `/v1` writes
   * paths in the same form. For a missing variable inside an input: its name, `$title`.
   */
  readonly field: string;
  /** What was expected of it, as a noun phrase: `a number from -90 to 90`. */
  readonly expected: string;
  /** Similar names, if an input has no such field or an enumeration no such value. Removed in production for callers without a token or key. */
  readonly suggestions?: readonly string[];
  /** What callers without a token or key get instead in production. Null: nothing. Default: the problem without suggestions. */
  readonly [withoutSchema]?: Pick<Problem, 'field' | 'expected'> | null;
}

/** A part of an input that is refused. */
export interface Refused {
  /** Its path: `input.events[1]`, or a path below it. */
  readonly field: string;
  readonly code: Code;
  readonly message: string;
}

export interface Details {
  /** All refused events of `registerTeams` and `quote`, in the order of the input. */
  refusals?: readonly Refused[];
  /** All wrong values of a request, in the order of its fields (BAD_INPUT). */
  problems?: readonly Problem[];
  /** Field of the first of them, or of a value that is refused for another reason; then the message begins with it. */
  field?: string;
  /** What was expected of that one. */
  expected?: string;
  /** Version that the record has now (CONFLICT with `ifVersion`). */
  currentVersion?: number;
  /** Seconds after which a retry makes sense (RATE_LIMITED, UNAVAILABLE). */
  retryAfter?: number;
}
