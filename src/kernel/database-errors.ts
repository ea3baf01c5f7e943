import { type Code, createError, type Details, nulMessage } from './declare/errors.js';

const unavailableCodes = /^(ECONN|EPIPE|ETIMEDOUT|EHOST|ENET|ENOTFOUND|EAI_|08|25P03|57P|53)/;
const connectionLost = /Connection terminated|timeout exceeded when trying to connect|Cannot use a pool|not queryable/;

/** Returns the code of a PostgreSQL or system error, such as `42P01` or `ECONNREFUSED`. Empty for other errors. */
export const errorCode = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

/** Converts a database error to an error with a code for clients. Returns other errors unchanged, because they are masked later. */
export function toClientError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const code = errorCode(error);
  const withCause = (clientCode: Code, message: string, details?: Details) =>
    Object.assign(createError(clientCode, message, details), { cause: error });
  if (unavailableCodes.test(code) || connectionLost.test(error.message)) {
    return withCause('UNAVAILABLE', 'the database cannot be reached', { retryAfter: 5 });
  }
  if (code === '57014') return withCause('UNAVAILABLE', 'the database took too long', { retryAfter: 5 });
  if (code === '55P03') return withCause('UNAVAILABLE', 'a requested row is locked by another transaction', { retryAfter: 2 });
  if (code === '40001' || code === '40P01') return withCause('UNAVAILABLE', 'too many concurrent writes', { retryAfter: 1 });
  if (code === '22021' || code === '22P05') return withCause('BAD_INPUT', nulMessage);
  if (code === '54000') return withCause('BAD_INPUT', 'a value is too long to be stored');
  if (code.startsWith('22')) return withCause('BAD_INPUT', 'a value is out of the range that can be stored');
  return error;
}

/** Returns the name of the unique constraint that a statement violated. Null for other errors. */
export function violatedConstraint(error: unknown): string | null {
  const { code, constraint } = (error instanceof Error ? error : {}) as { code?: unknown; constraint?: unknown };
  return code === '23505' ? String(constraint ?? '') : null;
}
