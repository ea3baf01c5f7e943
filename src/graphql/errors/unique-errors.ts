import type { ApolloServerPlugin } from '@apollo/server';
import type { Context } from '../../kernel/declare/context.js';
import { retryAfterHeaders } from './apollo-errors.js';

/** Removes duplicate errors. graphql-js reports the same problem once per missing field of an object literal. */
export const uniqueErrors = <T>(errors: readonly T[]): T[] => [
  ...new Map(errors.map((error) => [JSON.stringify(error), error])).values(),
];

/** Removes duplicate errors from responses of Apollo Server, and sets `Retry-After`. */
export const uniqueErrorsPlugin: ApolloServerPlugin<Context> = {
  requestDidStart: async () => ({
    async willSendResponse({ response: { body, http } }) {
      if (body.kind !== 'single' || !body.singleResult.errors) return;
      body.singleResult.errors = uniqueErrors(body.singleResult.errors);
      for (const [name, value] of retryAfterHeaders(body.singleResult.errors)) http.headers.set(name, value);
    },
  }),
};
