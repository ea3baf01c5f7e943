import { type ApolloServerPlugin, HeaderMap } from '@apollo/server';
import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import type { Context } from '../../kernel/declare/context.js';
import { codeOf, createError, statuses } from '../../kernel/declare/errors.js';
import { tracing } from '../../kernel/tracing.js';
import { coerceVariables } from '../coercion/coerce-variables.js';
import { countErrors } from '../errors/error-counts.js';
import { uniqueErrors } from '../errors/mask.js';
import { costRefusal } from '../limits/complexity.js';

/**
 * Adds the HTTP status of the error code to an error. Without the status, Apollo Server sends 500 for errors that occur before an operation
 * runs.
 */
export function withApolloStatus(error: GraphQLError): GraphQLError {
  const { message, nodes } = error;
  const http = { status: statuses[codeOf(error) ?? 'BAD_INPUT'], headers: new HeaderMap(retryAfterHeaders([error])) };
  // Typed as a plain record, because Yoga declares `extensions.http` with a different type.
  const extensions: Record<string, unknown> = { ...error.extensions, http };
  // The original error contains the reason, which is logged.
  return new GraphQLError(message, { nodes: nodes ?? null, extensions, originalError: error });
}

/** Returns a `Retry-After` header for each error that has a `retryAfter`. */
const retryAfterHeaders = (errors: readonly GraphQLFormattedError[]): [string, string][] =>
  errors.flatMap(({ extensions }): [string, string][] =>
    typeof extensions?.retryAfter === 'number' ? [['retry-after', String(extensions.retryAfter)]] : [],
  );

/** Plugin that removes duplicate errors from responses, counts the errors, and sets `Retry-After`. */
export const responseErrorsPlugin: ApolloServerPlugin<Context> = {
  requestDidStart: async () => ({
    async willSendResponse({ response: { body, http } }) {
      if (body.kind !== 'single' || !body.singleResult.errors) return;
      body.singleResult.errors = uniqueErrors(body.singleResult.errors);
      countErrors(body.singleResult.errors);
      for (const [name, value] of retryAfterHeaders(body.singleResult.errors)) http.headers.set(name, value);
    },
  }),
};

/** Creates the error for a subscription that is sent as a persisted query. Subscriptions that are sent as text never reach Apollo Server. */
const subscriptionError = () => createError('BAD_INPUT', 'subscriptions cannot be sent as persisted queries: send the document');

/** Plugin that refuses operations with invalid variables or with a cost above the limit, as `/graphql` does. Also refuses subscriptions. */
export const operationChecksPlugin: ApolloServerPlugin<Context> = {
  requestDidStart: async () => {
    let refusal: ReturnType<typeof costRefusal> = null;
    return {
      async didResolveOperation({ schema, document, operation, operationName, request: { variables = {} } }) {
        if (operation?.operation === 'subscription') throw withApolloStatus(subscriptionError());
        const error = operation && coerceVariables(schema, document, operation, variables).error;
        if (error) throw withApolloStatus(error);
        refusal = costRefusal(schema, document, operationName ?? undefined, variables);
        if (refusal) throw withApolloStatus(refusal.error);
      },
      async willSendResponse({ response: { body } }) {
        if (refusal && body.kind === 'single') body.singleResult.extensions = refusal.extensions;
      },
    };
  },
};

/**
 * Plugin that traces the operations of Apollo Server. It combines the hooks for the start and end of an execution, because no hook wraps
 * the whole execution.
 */
export const operationTracingPlugin: ApolloServerPlugin<Context> = {
  requestDidStart: async () => {
    const codes: string[] = [];
    return {
      didEncounterErrors: async ({ errors }) =>
        void codes.push(...errors.map((error) => codeOf(error.originalError ?? error) ?? 'INTERNAL')),
      executionDidStart: async ({ operation }) => {
        const end = tracing?.startOperation(operation);
        return { executionDidEnd: async () => end?.(codes) };
      },
    };
  },
};
