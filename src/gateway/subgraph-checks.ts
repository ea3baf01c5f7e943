import type { ApolloServerPlugin } from '@apollo/server';
import { GraphQLError } from 'graphql';
import type { Context } from '../kernel/declare/context.js';
import { answeredByStatus } from './answered-by-status.js';
import { coerceVariables } from './coerce-variables.js';
import { checkComplexity } from './complexity.js';

/** Has Apollo Server refuse what `/graphql` refuses: wrong variables, all of them in one error, and operations that ask for too much. */
export const checks: ApolloServerPlugin<Context> = {
  requestDidStart: async () => ({
    async didResolveOperation({ schema, document, operation, operationName, request: { variables = {} } }) {
      const error = operation && coerceVariables(schema, document, operation, variables).error;
      if (error) throw answeredByStatus(error);
      try {
        checkComplexity(schema, document, operationName ?? undefined, variables);
      } catch (tooMuch) {
        throw tooMuch instanceof GraphQLError ? answeredByStatus(tooMuch) : tooMuch;
      }
    },
  }),
};
