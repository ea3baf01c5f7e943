import type { ApolloServerPlugin } from '@apollo/server';
import type { Context } from '../kernel/declare/context.js';
import { codeOf } from '../kernel/declare/errors.js';
import { tracing } from '../kernel/tracing.js';

/** Apollo Server lets nobody stand around its execution: it tells when one begins and ends. */
export const tracedOperations: ApolloServerPlugin<Context> = {
  requestDidStart: async () => {
    const codes: string[] = [];
    return {
      didEncounterErrors: async ({ errors }) =>
        void codes.push(...errors.map((error) => codeOf(error.originalError ?? error) ?? 'INTERNAL')),
      executionDidStart: async ({ operation }) => {
        const end = tracing?.begin(operation);
        return { executionDidEnd: async () => end?.(codes) };
      },
    };
  },
};
