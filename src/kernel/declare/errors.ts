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

/** One wrong value of a request. */
export interface Problem {
  /**
   * Its path from the argument on: `input.location.latitude`, `filter.startsAt.gte`, `input.bodies[0].id`, `first`. `/v1` writes
   * paths in the same form, and there is no other.
   */
  readonly field: string;
  /** What was expected of it, as a noun phrase: `a number from -90 to 90`. */
  readonly expected: string;
}

/** The path of a value in another one: a field's by its name, a list item's by its index. */
export const pathIn = (path: string, key: string | number): string =>
  typeof key === 'number' ? `${path}[${key}]` : `${path}.${key}`;

export interface Details {
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

/** An error that may leave the service, for those who return or reject instead of throwing. */
export const problem = (code: Code, message: string, details: Details = {}): GraphQLError =>
  new GraphQLError(message, { extensions: { code, ...details } });

/** Throws an error that may leave the service; everything else thrown is logged and masked. */
export function fail(code: Code, message: string, details?: Details): never {
  throw problem(code, message, details);
}

/** Wrong values in the words in which they leave. */
export const inWords = (problems: readonly Problem[]): string =>
  problems.map(({ field, expected }) => `${field}: expected ${expected}`).join('; ');

/** Bad input, naming every wrong field and what was expected of it; there is at least one. */
export const badInput = (problems: readonly Problem[]): GraphQLError =>
  problem('BAD_INPUT', inWords(problems), { ...problems[0], problems });

/** Bad input, naming the field and what was expected of it. */
export function reject(field: string, expected: string): never {
  throw badInput([{ field, expected }]);
}

/** How texts with a NUL are refused that nobody has looked at before the database did; where they stand is worked out from the arguments then. */
export const unstorable = 'a text has NUL characters, which cannot be stored';
/** What was expected of such a text. */
export const storable = 'text without NUL characters';

/** Whether something is a code of the table. */
export const isCode = (value: unknown): value is Code => typeof value === 'string' && Object.hasOwn(statuses, value);

/** The code of an error thrown on purpose, else null. */
export function codeOf(error: unknown): Code | null {
  const code = error instanceof GraphQLError ? error.extensions?.code : null;
  return isCode(code) ? code : null;
}
