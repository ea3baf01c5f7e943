import type { ApolloServerPlugin } from '@apollo/server';
import { GraphQLError } from 'graphql';
import type { Context } from '../kernel/context.js';
import { statuses } from '../kernel/errors.js';
import { coerceVariables } from './coerce-variables.js';
import { checkComplexity } from './complexity.js';

/** Apollo Server answers 500 to whatever else is thrown before an operation runs. */
const asBadRequest = ({ message, nodes, extensions }: GraphQLError): GraphQLError =>
  new GraphQLError(message, { nodes: nodes ?? null, extensions: { ...extensions, http: { status: statuses.BAD_INPUT } } });

/** Has Apollo Server refuse what `/graphql` refuses: wrong variables, all of them in one error, and operations that ask for too much. */
export const checks: ApolloServerPlugin<Context> = {
  requestDidStart: async () => ({
    async didResolveOperation({ schema, document, operation, operationName, request: { variables = {} } }) {
      const error = operation && coerceVariables(schema, document, operation, variables).error;
      if (error) throw asBadRequest(error);
      try {
        checkComplexity(schema, document, operationName ?? undefined, variables);
      } catch (tooMuch) {
        throw tooMuch instanceof GraphQLError ? asBadRequest(tooMuch) : tooMuch;
      }
    },
  }),
};
