import type { ApolloServerPlugin } from '@apollo/server';
import type { Context } from '../kernel/declare/context.js';

/** An object literal may lack several fields, and graphql-js has an error for each of them: what says the same is said once. */
export const once = <T>(errors: readonly T[]): T[] => [
  ...new Map(errors.map((error) => [JSON.stringify(error), error])).values(),
];

/** The same for the answers of Apollo Server. */
export const oncePlugin: ApolloServerPlugin<Context> = {
  requestDidStart: async () => ({
    async willSendResponse({ response: { body } }) {
      if (body.kind === 'single' && body.singleResult.errors) body.singleResult.errors = once(body.singleResult.errors);
    },
  }),
};
