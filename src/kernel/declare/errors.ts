import { GraphQLError } from 'graphql';
import { type Code, type Details, type Problem, statuses } from './codes.js';

export { type Code, type Details, type Problem, type Refused, statuses, withoutSchema } from './codes.js';

/** The path of a value in another one: a field's by its name, a list item's by its index. */
export const pathIn = (path: string, key: string | number): string =>
  typeof key === 'number' ? `${path}[${key}]` : `${path}.${key}`;

/** An error that may leave the service, for those who return or reject instead of throwing. */
export const problem = (code: Code, message: string, details: Details = {}): GraphQLError =>
  new GraphQLError(message, { extensions: { code, ...details } });

/** Throws an error that may leave the service; everything else thrown is logged and masked. */
export function fail(code: Code, message: string, details?: Details): never {
  throw problem(code, message, details);
}

/** Wrong values in the words in which they leave. */
export const inWords = (problems: readonly Problem[]): string =>
  problems
    .map(({ field, expected, suggestions = [] }) => {
      const names = suggestions.map((name) => `"${name}"`).join(' or ');
      return `${field}: expected ${expected}${names && ` (did you mean ${names}?)`}`;
    })
    .join('; ');

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
