import { getExecutorForUnifiedGraph, type UnifiedGraphHandler } from '@graphql-mesh/fusion-runtime';
import { type DocumentNode, type ExecutionResult, type GraphQLError, getOperationAST, parse, print } from 'graphql';
import type { Engine, EngineOptions, PlannedRun, StartEngine } from './engine.js';
import { withListIndexes } from './list-errors.js';
import { requestedPaths } from './requested-paths.js';
import { subgraphClient } from './subgraph.js';
import { subgraphEvents } from './subgraph-events.js';

/** Request that Hive Gateway sends to a subgraph. */
interface Request {
  document: DocumentNode;
  variables?: Record<string, unknown>;
  operationName?: string;
  context?: Partial<PlannedRun>;
}

async function start(supergraph: string, options: EngineOptions, planner?: UnifiedGraphHandler): Promise<Engine> {
  const executor = getExecutorForUnifiedGraph<PlannedRun>({
    getUnifiedGraph: () => supergraph,
    ...(planner ? { handleUnifiedGraph: planner } : {}),
    // Batching would merge concurrent requests into one document. Its aliases could exceed the limits of the subgraph.
    batch: false,
    transports: {
      http: {
        getSubgraphExecutor({ subgraphName, transportEntry }) {
          const request = subgraphClient(subgraphName, transportEntry.location ?? '', options);
          const subscribe = subgraphEvents(subgraphName, transportEntry.location ?? '', options);
          return <Data>({ document, variables, operationName, context }: Request) => {
            const subgraphRequest = { query: print(document), document, variables, operationName };
            return getOperationAST(document, operationName)?.operation === 'subscription'
              ? (subscribe(subgraphRequest, context) as Promise<AsyncIterableIterator<ExecutionResult<Data>>>)
              : request<Data>(subgraphRequest, context);
          };
        },
      },
    },
  });
  const engine: Engine = {
    async execute({ document, operationName, variables }, context) {
      const result = await executor({ document, variables, operationName, context });
      if (Symbol.asyncIterator in result)
        throw new Error('The gateway returned an incremental response, which is not supported.');
      // Hive Gateway omits the data if all fields are null.
      const completeResult = { ...result, data: result.data ?? allNull(document, operationName, variables) };
      return planner ? completeResult : withListIndexes(completeResult);
    },
    async subscribe({ document, operationName, variables }, context) {
      const result = await executor({ document, variables, operationName, context });
      const events = Symbol.asyncIterator in result ? result[Symbol.asyncIterator]() : [result][Symbol.iterator]();
      return withBypassedEvents(events, context, planner ? (event) => event : withListIndexes);
    },
    stop: async () => executor[Symbol.asyncDispose](),
  };
  // The first operation parses the supergraph and loads the planner. It runs at startup, so that no client waits for it.
  await engine.execute(
    { document: parse('{ viewer { id } }'), variables: {} },
    { headers: {}, unavailableSubgraphs: allSubgraphs, lastWrite: { token: null } },
  );
  return engine;
}

/** Yields the events of an engine and the events without data, which bypass the engine, in their original order. */
function withBypassedEvents(
  events: AsyncIterator<ExecutionResult> | Iterator<ExecutionResult>,
  run: PlannedRun,
  transform: (event: ExecutionResult) => ExecutionResult,
): AsyncIterableIterator<ExecutionResult> {
  return {
    async next() {
      const { done, value } = await events.next();
      const bypassed = run.bypass?.event;
      if (run.bypass) run.bypass.event = null;
      if (bypassed) return { done: false, value: bypassed };
      if (done) return { done, value: undefined };
      // With the native planner, the executor adds the errors of each event to the same array. The array is therefore emptied after each
      // event.
      const errors = value.errors ? (value.errors as GraphQLError[]).splice(0) : [];
      return { done: false, value: transform({ data: value.data ?? null, ...(errors.length ? { errors } : {}) }) };
    },
    async return() {
      await events.return?.();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/** Marks all subgraphs as unavailable, so that no subgraph gets a request. */
const allSubgraphs: PlannedRun['unavailableSubgraphs'] = { has: () => true, add: () => undefined, clear: () => undefined };

const allNull = (...operation: Parameters<typeof requestedPaths>): Record<string, null> =>
  Object.fromEntries(requestedPaths(...operation).map(([key]) => [key, null]));

/** Starts Hive Gateway with its JavaScript planner. */
export const startHiveJs: StartEngine = (supergraph, options) => start(supergraph, options);

/** Starts Hive Gateway with the planner of Hive Router, which is a native module. */
export const startHive: StartEngine = async (supergraph, options) => {
  const { unifiedGraphHandler } = await import('@graphql-hive/router-runtime');
  return start(supergraph, options, unifiedGraphHandler);
};
