import { GraphQLError } from 'graphql';
import { createError, loggableError, nulMessage } from './declare/errors.js';
import { Counts } from './monitoring/counts.js';
import { createUnavailableError } from './monitoring/unavailable.js';

/** Readable causes of database errors, keyed by SQLSTATE, by the class of an SQLSTATE, or by the code of a system error. */
const causes: Readonly<Record<string, string>> = {
  '08': 'connection lost',
  '25006': 'read-only server',
  '25P03': 'idle transaction timeout',
  '28': 'authentication failed',
  '3D000': 'unknown database',
  '40001': 'serialization failure',
  '40P01': 'deadlock',
  '42': 'invalid statement',
  '42501': 'missing privilege',
  '53': 'insufficient resources',
  '53100': 'disk full',
  '53200': 'out of memory',
  '53300': 'too many connections',
  '55P03': 'lock timeout',
  '57014': 'statement timeout',
  '57P01': 'server is shutting down',
  '57P02': 'server crashed',
  '57P03': 'server is starting or stopping',
  '57P05': 'idle session timeout',
  '58': 'system error',
  XX: 'internal error',
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection lost',
  EPIPE: 'connection lost',
  ENOTFOUND: 'unknown host',
  EAI_AGAIN: 'unknown host',
  ETIMEDOUT: 'host not reachable',
  EHOSTUNREACH: 'host not reachable',
  ENETUNREACH: 'host not reachable',
};

/** Causes of database driver errors, by message pattern. These errors have no code. */
const driverCauses = [
  [/Connection terminated|not queryable/, 'connection lost'],
  [/timeout exceeded when trying to connect/, 'no free connection'],
  [/Cannot use a pool/, 'service is stopping'],
] as const;

/** All readable causes, without duplicates. `other` is the cause of errors with any other SQLSTATE. */
export const databaseCauses: readonly string[] = [
  ...new Set([...Object.values(causes), ...driverCauses.map(([, cause]) => cause), 'other']),
];

/** Number of database errors, by cause. Excludes errors caused by values in requests. */
export const databaseErrorCounts = new Counts(databaseCauses);

const unavailableCodes = /^(ECONN|EPIPE|ETIMEDOUT|EHOST|ENET|ENOTFOUND|EAI_|08|25006|25P03|57P|53)/;

/** Returns the code of a PostgreSQL or system error, such as `42P01` or `ECONNREFUSED`. Empty for other errors. */
export const errorCode = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

/** Returns the readable cause of a database error. Null for other errors, and for errors caused by values in requests. */
function causeOf(error: Error): string | null {
  const code = errorCode(error);
  if (/^(22|23|54)/.test(code)) return null;
  const known = causes[code] ?? causes[code.slice(0, 2)];
  if (known !== undefined) return known;
  if (/^[0-9A-Z]{5}$/.test(code)) return 'other';
  return driverCauses.find(([pattern]) => pattern.test(error.message))?.[1] ?? null;
}

/** Log fields for a failure of background work. */
interface FailureFields {
  /** Error message. */
  readonly reason: string;
  /** Readable cause, for database errors, such as `disk full`. */
  readonly cause?: string;
  /** SQLSTATE, or code of the system error. */
  readonly code?: string;
}

/** Returns the database or system error that caused an error. Returns other errors unchanged. */
const sourceOf = (error: Error): Error =>
  error.cause instanceof Error && errorCode(error) === '' && causeOf(error) === null ? sourceOf(error.cause) : error;

const isErrorLike = (value: unknown): value is { readonly message: string } =>
  typeof value === 'object' && value !== null && 'message' in value && typeof value.message === 'string';

/** Returns the log fields for a failure of background work. */
export function failureFields(error: unknown): FailureFields {
  // pg-boss reports errors of its workers as plain objects that have the properties of an error.
  if (!(error instanceof Error))
    return isErrorLike(error) ? failureFields(Object.assign(new Error(error.message), error)) : { reason: String(error) };
  const source = sourceOf(error);
  const [cause, code] = [causeOf(source), errorCode(source)];
  return { reason: error.message, ...(cause !== null && { cause }), ...(code && { code }) };
}

/** Returns the log fields for an error that clients receive as an internal error. */
export function unexpectedErrorFields(error: unknown): object {
  const { reason: _, ...details } = failureFields(error);
  return { err: loggableError(error), ...details };
}

const countedErrors = new WeakSet<Error>();

/** Counts an error only once, even if both a statement and its transaction throw it. */
function countError(error: Error, cause: string | null): void {
  if (cause === null || countedErrors.has(error)) return;
  countedErrors.add(error);
  databaseErrorCounts.add(cause);
}

/** Whether an error code is a PostgreSQL SQLSTATE. It contains a digit, unlike Node.js codes such as `EPERM`. */
export const isSqlState = (code: string): boolean => /^(?=.*\d)[0-9A-Z]{5}$/.test(code);

/**
 * Converts a database error to an error with a code for clients. The `cause` of this error is the database error. Returns other errors
 * unchanged, because they are masked later.
 */
export function toClientError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof GraphQLError) return error;
  const clientError = clientErrorFor(error);
  return clientError ? Object.assign(clientError, { cause: error }) : error;
}

/** Returns the error that clients receive for a database error. Null for other errors. */
function clientErrorFor(error: Error): GraphQLError | null {
  const code = errorCode(error);
  const cause = causeOf(error);
  countError(error, cause);
  const asUnavailable = (message: string, retryAfter: number) =>
    createUnavailableError({ reason: 'database', cause: cause ?? 'other', ...(code && { code }) }, message, retryAfter);
  if (code === '53100') return asUnavailable('the database server has no free disk space', 5);
  if (unavailableCodes.test(code) || driverCauses.some(([pattern]) => pattern.test(error.message)))
    return asUnavailable('the database cannot be reached', 5);
  if (code === '57014') return asUnavailable('the database took too long', 5);
  if (code === '55P03') return asUnavailable('a requested row is locked by another transaction', 2);
  if (code === '40001' || code === '40P01') return asUnavailable('too many concurrent writes', 1);
  if (code === '22021' || code === '22P05') return createError('BAD_INPUT', nulMessage);
  if (code === '54000') return createError('BAD_INPUT', 'a value is too long to be stored');
  if (code.startsWith('22')) return createError('BAD_INPUT', 'a value is out of the range that can be stored');
  return null;
}

/** Returns the name of the unique constraint that a statement violated. Null for other errors. */
export function violatedConstraint(error: unknown): string | null {
  const { code, constraint } = (error instanceof Error ? error : {}) as { code?: unknown; constraint?: unknown };
  return code === '23505' ? String(constraint ?? '') : null;
}
