import type { Code } from './errors.js';

/** Meaning of each error code, for the description of the schema. */
export const meanings: Readonly<Record<Code, string>> = {
  BAD_INPUT:
    'a document, a variable or a value is wrong, or too much is asked for; `problems` is the list of all wrong values as `{ field, expected }`, with `field` as a path such as `input.location.latitude`; `field` and `expected` are the first of them. Nothing was changed.',
  UNAUTHENTICATED:
    'a token is needed, a user token where only users can be permitted, or the one that was sent is unknown, expired or revoked.',
  INVALID_CREDENTIALS: 'the e-mail address or the password is wrong.',
  FORBIDDEN: 'the caller is known, and may not do or see that; the message says who may.',
  NOT_FOUND: 'there is no such record, or none that the caller sees.',
  METHOD_NOT_ALLOWED: 'mutations are sent by POST.',
  CONFLICT:
    'the state of the records forbids it, such as an event that is full; with `ifVersion` somebody else came first, and `currentVersion` is the version to read again.',
  STILL_RUNNING:
    'the first request with that `Idempotency-Key` is still running; the header `Retry-After` says when to ask again.',
  GONE: 'the link or the code has expired.',
  NOT_VERIFIED: 'the e-mail address is not confirmed yet.',
  TOO_LARGE: 'the body has too many bytes.',
  UNSUPPORTED_MEDIA_TYPE: 'the body is not JSON in UTF-8.',
  KEY_REUSED: 'the `Idempotency-Key` was sent with another request before.',
  RATE_LIMITED: 'too many tries; `retryAfter` is the number of seconds after which one more makes sense.',
  INTERNAL: 'a fault of the service, which is logged; nothing about it leaves.',
  UNAVAILABLE:
    'the database cannot be reached, took too long, or had too many writes of the same records at once; `retryAfter` is the number of seconds after which a retry makes sense.',
};
