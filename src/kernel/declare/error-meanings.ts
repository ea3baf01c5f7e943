import type { Code } from './errors.js';

/** Description of each error code, for the reference of the schema. */
export const meanings: Readonly<Record<Code, string>> = {
  BAD_INPUT:
    'the document, a variable or a value is invalid, or a limit is exceeded. `problems` lists all invalid values as `{ field, expected }`, with a path such as `input.location.latitude` as `field`. `field` and `expected` are those of the first one. Nothing was changed.',
  UNAUTHENTICATED: 'a token or a user token is required, or the token is unknown, expired or revoked.',
  INVALID_CREDENTIALS: 'the e-mail address or the password is wrong.',
  FORBIDDEN: 'the caller is not permitted. The message names the permitted callers.',
  NOT_FOUND: 'the record does not exist, or the caller cannot see it.',
  METHOD_NOT_ALLOWED: 'mutations require POST.',
  CONFLICT:
    'the state of the records does not allow it, such as a full event. With `ifVersion`, the record has changed since, and `currentVersion` is its version.',
  STILL_RUNNING: 'the first request with this `Idempotency-Key` is still running. Retry after the time in `Retry-After`.',
  GONE: 'the link or the code has expired.',
  NOT_VERIFIED: 'the e-mail address is not verified.',
  TOO_LARGE: 'the body is too large.',
  UNSUPPORTED_MEDIA_TYPE: 'the body is not JSON in UTF-8.',
  KEY_REUSED: 'the `Idempotency-Key` was used for another request.',
  RATE_LIMITED: 'too many attempts. Retry after `retryAfter` seconds.',
  INTERNAL: 'an internal error, which is logged. No details are returned.',
  UNAVAILABLE:
    'the database is unreachable, took too long, or had too many concurrent writes of the same records. Retry after `retryAfter` seconds.',
};
