import { HeaderMap } from '@apollo/server';
import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import { codeOf, statuses } from '../../kernel/declare/errors.js';

/** Adds the HTTP status of an error code for Apollo Server, which sends 500 for errors before an operation runs. */
export function withHttpStatus(error: GraphQLError): GraphQLError {
  const { message, nodes } = error;
  const http = { status: statuses[codeOf(error) ?? 'BAD_INPUT'], headers: new HeaderMap(retryAfterHeaders([error])) };
  // Yoga uses a different format for the same property.
  const extensions: Record<string, unknown> = { ...error.extensions, http };
  return new GraphQLError(message, { nodes: nodes ?? null, extensions });
}

/** Returns the `Retry-After` header if one of the errors has a `retryAfter`. */
export const retryAfterHeaders = (errors: readonly GraphQLFormattedError[]): [string, string][] =>
  errors.flatMap(({ extensions }): [string, string][] =>
    typeof extensions?.retryAfter === 'number' ? [['retry-after', String(extensions.retryAfter)]] : [],
  );
