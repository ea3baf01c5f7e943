import { HeaderMap } from '@apollo/server';
import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import { codeOf, statuses } from '../kernel/declare/errors.js';

/** Has Apollo Server answer an error with the status of its code: to what else is thrown before an operation runs it answers 500. */
export function answeredByStatus(error: GraphQLError): GraphQLError {
  const { message, nodes } = error;
  const http = { status: statuses[codeOf(error) ?? 'BAD_INPUT'], headers: new HeaderMap(retryIn([error])) };
  // Yoga has another form for the same property.
  const extensions: Record<string, unknown> = { ...error.extensions, http };
  return new GraphQLError(message, { nodes: nodes ?? null, extensions });
}

/** The header that says when it makes sense to try again, where one of some errors says so. */
export const retryIn = (errors: readonly GraphQLFormattedError[]): [string, string][] =>
  errors.flatMap(({ extensions }): [string, string][] =>
    typeof extensions?.retryAfter === 'number' ? [['retry-after', String(extensions.retryAfter)]] : [],
  );
