import { GraphQLError } from 'graphql';
import { codeOf, statuses } from '../kernel/declare/errors.js';

/** Has Apollo Server answer an error with the status of its code: to what else is thrown before an operation runs it answers 500. */
export function answeredByStatus(error: GraphQLError): GraphQLError {
  const { message, nodes, extensions } = error;
  const status = statuses[codeOf(error) ?? 'BAD_INPUT'];
  return new GraphQLError(message, { nodes: nodes ?? null, extensions: { ...extensions, http: { status } } });
}
