import type { ApolloServerPlugin } from '@apollo/server';
import type { Context } from '../kernel/declare/context.js';
import { codeOf } from '../kernel/declare/errors.js';
import { tracing } from '../kernel/tracing.js';

/** Plugin that traces operations of Apollo Server, which has hooks for the start and end of an execution, but none around it. */
export const tracedOperations: ApolloServerPlugin<Context> = {
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
