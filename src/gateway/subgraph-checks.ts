import type { ApolloServerPlugin } from '@apollo/server';
import type { Context } from '../kernel/declare/context.js';
import { answeredByStatus } from './answered-by-status.js';
import { coerceVariables } from './coerce-variables.js';
import { tooCostly } from './complexity.js';

/** Has Apollo Server refuse what `/graphql` refuses: wrong variables, all of them in one error, and operations that ask for too much. */
export const checks: ApolloServerPlugin<Context> = {
  requestDidStart: async () => {
    let tooMuch: ReturnType<typeof tooCostly> = null;
    return {
      async didResolveOperation({ schema, document, operation, operationName, request: { variables = {} } }) {
        const error = operation && coerceVariables(schema, document, operation, variables).error;
        if (error) throw answeredByStatus(error);
        tooMuch = tooCostly(schema, document, operationName ?? undefined, variables);
        if (tooMuch) throw answeredByStatus(tooMuch.error);
      },
      async willSendResponse({ response: { body } }) {
        if (tooMuch && body.kind === 'single') body.singleResult.extensions = tooMuch.extensions;
      },
    };
  },
};
