import type { ApolloServerPlugin } from '@apollo/server';
import type { Context } from '../kernel/declare/context.js';
import { codeOf } from '../kernel/declare/errors.js';
import { tracing } from '../kernel/tracing.js';

/** Traces operations of Apollo Server. It has no hook around the execution, only for its start and end. */
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
