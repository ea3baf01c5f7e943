import { GraphQLError } from 'graphql';
import { type Code, type Details, type Problem, statuses } from './scalars/codes.js';

export { type Code, type Details, type Problem, type Rejection, statuses, withoutSchema } from './scalars/codes.js';

/** Appends a field name or a list index to a path. */
export const pathIn = (path: string, key: string | number): string =>
  typeof key === 'number' ? `${path}[${key}]` : `${path}.${key}`;

/** Creates an error with a message for clients. Does not throw it. */
export const createError = (code: Code, message: string, details: Details = {}): GraphQLError =>
  new GraphQLError(message, { extensions: { code, ...details } });

/** Throws an error with a message for clients. All other errors are logged and masked. */
export function fail(code: Code, message: string, details?: Details): never {
  throw createError(code, message, details);
}

/** Returns the error message for invalid values. */
export const problemsMessage = (problems: readonly Problem[]): string =>
  problems
    .map(({ field, expected, suggestions = [] }) => {
      const names = suggestions.map((name) => `"${name}"`).join(' or ');
      return `${field}: expected ${expected}${names && ` (did you mean ${names}?)`}`;
    })
    .join('; ');

/** Creates a BAD_INPUT error. Requires at least one problem. */
export const badInputError = (problems: readonly Problem[]): GraphQLError =>
  createError('BAD_INPUT', problemsMessage(problems), { ...problems[0], problems });

/** Throws BAD_INPUT for one field. */
export function reject(field: string, expected: string): never {
  throw badInputError([{ field, expected }]);
}

/**
 * Message for a string that the database rejects because it contains NUL. The arguments are searched for the string, to report its path.
 */
export const nulMessage = 'a string contains NUL characters, which cannot be stored';
/** Description of the expected value, for a string that contains NUL. */
export const expectedWithoutNul = 'text without NUL characters';

/**
 * Returns the properties of an unexpected error that may be logged. Other properties of database errors contain personal data. `code` is the
 * SQLSTATE or the code of the system error.
 */
export const loggableError = (error: unknown): object | string =>
  error instanceof Error
    ? { message: error.message, code: 'code' in error ? error.code : undefined, stack: error.stack }
    : typeof error;

/** Whether a value is an error code of the service. */
export const isCode = (value: unknown): value is Code => typeof value === 'string' && Object.hasOwn(statuses, value);

/** Returns the code of an error that `createError` created. Null for other errors. */
export function codeOf(error: unknown): Code | null {
  const code = error instanceof GraphQLError ? error.extensions?.code : null;
  return isCode(code) ? code : null;
}
