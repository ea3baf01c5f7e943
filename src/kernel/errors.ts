import { GraphQLError } from 'graphql';

/** Every code that leaves the service, with its HTTP status (decision 1). The table is closed: nothing else goes out. */
export const statuses = {
  BAD_INPUT: 400,
  UNAUTHENTICATED: 401,
  INVALID_CREDENTIALS: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  CONFLICT: 409,
  GONE: 410,
  NOT_VERIFIED: 412,
  TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  RATE_LIMITED: 429,
  INTERNAL: 500,
  UNAVAILABLE: 503,
} as const;

export type Code = keyof typeof statuses;

export interface Details {
  /** Path of the offending field inside the input, in graph names: `location.latitude`. */
  field?: string;
  /** What was expected of it, as a noun phrase: `a number from -90 to 90`. */
  expected?: string;
  /** Seconds after which a retry makes sense (RATE_LIMITED, UNAVAILABLE). */
  retryAfter?: number;
}

/** An error that may leave the service, for those who return or reject instead of throwing. */
export const problem = (code: Code, message: string, details: Details = {}): GraphQLError =>
  new GraphQLError(message, { extensions: { code, ...details } });

/** Throws an error that may leave the service; everything else thrown is logged and masked. */
export function fail(code: Code, message: string, details?: Details): never {
  throw problem(code, message, details);
}

/** Bad input, naming the field and what was expected of it. */
export function reject(field: string, expected: string): never {
  throw problem('BAD_INPUT', `${field}: expected ${expected}`, { field, expected });
}

/** Whether something is a code of the table. */
export const isCode = (value: unknown): value is Code => typeof value === 'string' && Object.hasOwn(statuses, value);

/** The code of an error thrown on purpose, else null. */
export function codeOf(error: unknown): Code | null {
  const code = error instanceof GraphQLError ? error.extensions?.code : null;
  return isCode(code) ? code : null;
}
