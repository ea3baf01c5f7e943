import type { DocumentNode, ExecutionResult, GraphQLSchema } from 'graphql';
import type { Caller } from '../kernel/caller.js';

export type { Caller } from '../kernel/caller.js';

/** An operation that was parsed, validated and prepared once and is run many times. */
export interface Operation {
  readonly document: DocumentNode;
  /** Throws UNAUTHENTICATED or FORBIDDEN when a policy of a root field refuses the caller, before any argument is looked at. */
  authorize(caller: Caller): void;
  run(variables: Record<string, unknown>, caller: Caller): Promise<ExecutionResult>;
}

/** The graph as its clients inside the process see it: what /v1 is built on. */
export interface Graph {
  readonly schema: GraphQLSchema;
  /** Parses, validates and prepares an operation; throws when a field or variable does not exist. */
  prepare(text: string): Operation;
}
