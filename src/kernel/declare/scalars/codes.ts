/** HTTP statuses of all error codes (decision 1). */
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

/** Key under which a problem stores its replacement for callers without access to the schema. It is a symbol, so it is never serialized. */
export const withoutSchema: unique symbol = Symbol('withoutSchema');

/** Invalid value in a request. */
export interface Problem {
  /**
   * Path of the value, starting with the argument, such as `input.location.latitude`, `filter.startsAt.gte` or `input.bodies[0].id`. `/v1`
   * uses the same format. For a missing variable inside an input, it is the name of the variable, such as `$title`.
   */
  readonly field: string;
  /** Expected value, as a noun phrase, such as `a number from -90 to 90`. */
  readonly expected: string;
  /** Similar names, for an unknown field or enumeration value. Removed in production for callers without a token or key. */
  readonly suggestions?: readonly string[];
  /** Replacement in production for callers without a token or key. Null removes the problem. Default: the problem without suggestions. */
  readonly [withoutSchema]?: Pick<Problem, 'field' | 'expected'> | null;
}

/** Rejected item of an input. */
export interface Rejection {
  /** Path of the item, such as `input.events[1]`, or of a value in it. */
  readonly field: string;
  readonly code: Code;
  readonly message: string;
}

export interface Details {
  /** All rejected events of `registerTeams` and `quote`, in input order. */
  refusals?: readonly Rejection[];
  /** All invalid values of a request, in the order of its fields (BAD_INPUT only). */
  problems?: readonly Problem[];
  /** Path of the first invalid or rejected value. The message starts with it. */
  field?: string;
  /** Values that `field` accepts, as a noun phrase. */
  expected?: string;
  /** Current version of the record (CONFLICT with `ifVersion` only). */
  currentVersion?: number;
  /** Seconds to wait before a retry (RATE_LIMITED and UNAVAILABLE only). */
  retryAfter?: number;
}

/** Description of each error code, for the schema reference. */
export const codeDescriptions: Readonly<Record<Code, string>> = {
  BAD_INPUT:
    'the document, a variable or a value is invalid, or a limit is exceeded. `problems` lists every invalid value as `{ field, expected }`, where `field` is a path such as `input.location.latitude`. The extensions `field` and `expected` describe the first one. Nothing was changed.',
  UNAUTHENTICATED: 'a required token or publishable key is missing, or a token is unknown, expired or revoked.',
  INVALID_CREDENTIALS: 'the e-mail address or the password is wrong.',
  FORBIDDEN: 'the caller may not perform the operation. The message names the callers that may.',
  NOT_FOUND: 'the record does not exist, or the caller cannot see it.',
  METHOD_NOT_ALLOWED: 'mutations require POST.',
  CONFLICT:
    'the state of the records does not allow the operation, for example because an event is full. With `ifVersion`: the record has changed, and `currentVersion` is its current version.',
  STILL_RUNNING: 'the first request with this `Idempotency-Key` is still running. Retry after the time in `Retry-After`.',
  GONE: 'the link or the code has expired.',
  NOT_VERIFIED: 'the e-mail address is not verified.',
  TOO_LARGE: 'the body is too large.',
  UNSUPPORTED_MEDIA_TYPE: 'the body is not JSON in UTF-8.',
  KEY_REUSED: 'the `Idempotency-Key` was used for another request.',
  RATE_LIMITED: 'too many attempts. Retry after `retryAfter` seconds.',
  INTERNAL: 'an internal error, which is logged. No details are returned.',
  UNAVAILABLE:
    'the service is overloaded, the database is unreachable or took too long, or there were too many concurrent writes to the same records. Retry after `retryAfter` seconds.',
};
