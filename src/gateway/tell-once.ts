import type { ApolloServerPlugin } from '@apollo/server';
import type { Context } from '../kernel/declare/context.js';
import { retryIn } from './answered-by-status.js';

/** An object literal may lack several fields, and graphql-js has an error for each of them: what says the same is said once. */
export const once = <T>(errors: readonly T[]): T[] => [
  ...new Map(errors.map((error) => [JSON.stringify(error), error])).values(),
];

/** The same for the answers of Apollo Server, and when it makes sense to ask again, as a header. */
export const oncePlugin: ApolloServerPlugin<Context> = {
  requestDidStart: async () => ({
    async willSendResponse({ response: { body, http } }) {
      if (body.kind !== 'single' || !body.singleResult.errors) return;
      body.singleResult.errors = once(body.singleResult.errors);
      for (const [name, value] of retryIn(body.singleResult.errors)) http.headers.set(name, value);
    },
  }),
};
