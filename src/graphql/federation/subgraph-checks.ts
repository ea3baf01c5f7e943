import type { ApolloServerPlugin } from '@apollo/server';
import type { Context } from '../../kernel/declare/context.js';
import { createError } from '../../kernel/declare/errors.js';
import { coerceVariables } from '../coercion/coerce-variables.js';
import { withHttpStatus } from '../errors/apollo-errors.js';
import { costRefusal } from '../limits/complexity.js';

/** Error for a persisted subscription. Apollo Server never receives subscriptions that are sent as text. */
const subscriptionError = () => createError('BAD_INPUT', 'persisted queries do not support subscriptions: send the text');

/** Plugin that refuses the same operations as `/graphql`: those with invalid variables, or with a cost above the limit. */
export const operationChecks: ApolloServerPlugin<Context> = {
  requestDidStart: async () => {
    let refusal: ReturnType<typeof costRefusal> = null;
    return {
      async didResolveOperation({ schema, document, operation, operationName, request: { variables = {} } }) {
        if (operation?.operation === 'subscription') throw withHttpStatus(subscriptionError());
        const error = operation && coerceVariables(schema, document, operation, variables).error;
        if (error) throw withHttpStatus(error);
        refusal = costRefusal(schema, document, operationName ?? undefined, variables);
        if (refusal) throw withHttpStatus(refusal.error);
      },
      async willSendResponse({ response: { body } }) {
        if (refusal && body.kind === 'single') body.singleResult.extensions = refusal.extensions;
      },
    };
  },
};
