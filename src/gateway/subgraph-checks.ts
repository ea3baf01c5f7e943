import type { ApolloServerPlugin } from '@apollo/server';
import type { Context } from '../kernel/declare/context.js';
import { problem } from '../kernel/declare/errors.js';
import { answeredByStatus } from './answered-by-status.js';
import { coerceVariables } from './coerce-variables.js';
import { tooCostly } from './complexity.js';

/** Of those that are sent by their text alone others have taken care. */
const noStream = () => problem('BAD_INPUT', 'subscriptions are sent with their text');

/** Has Apollo Server refuse what `/graphql` refuses: wrong variables, all of them in one error, and operations that ask for too much. */
export const checks: ApolloServerPlugin<Context> = {
  requestDidStart: async () => {
    let tooMuch: ReturnType<typeof tooCostly> = null;
    return {
      async didResolveOperation({ schema, document, operation, operationName, request: { variables = {} } }) {
        if (operation?.operation === 'subscription') throw answeredByStatus(noStream());
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
