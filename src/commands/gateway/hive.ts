import { getExecutorForUnifiedGraph, type UnifiedGraphHandler } from '@graphql-hive/gateway-runtime';
import { type DocumentNode, type ExecutionResult, type GraphQLError, getOperationAST, parse, print } from 'graphql';
import type { Engine, Opening, PlannedRun, StartEngine } from './engine.js';
import { withIndices } from './list-errors.js';
import { answerPlaces } from './places.js';
import { subgraphAt } from './subgraph.js';
import { subgraphEvents } from './subgraph-events.js';

/** What Hive Gateway has a transport send to a subgraph. */
interface Request {
  document: DocumentNode;
  variables?: Record<string, unknown>;
  operationName?: string;
  context?: Partial<PlannedRun>;
}

async function start(supergraph: string, opening: Opening, planner?: UnifiedGraphHandler): Promise<Engine> {
  const executor = getExecutorForUnifiedGraph<PlannedRun>({
    getUnifiedGraph: () => supergraph,
    ...(planner ? { handleUnifiedGraph: planner } : {}),
    // Requests of one moment in one document would have its aliases counted together.
    batch: false,
    transports: {
      http: {
        getSubgraphExecutor({ subgraphName, transportEntry }) {
          const ask = subgraphAt(subgraphName, transportEntry.location ?? '', opening);
          const listen = subgraphEvents(subgraphName, transportEntry.location ?? '', opening);
          return <Data>({ document, variables, operationName, context }: Request) => {
            const asked = { query: print(document), document, variables, operationName };
            return getOperationAST(document, operationName)?.operation === 'subscription'
              ? (listen(asked, context) as Promise<AsyncIterableIterator<ExecutionResult<Data>>>)
              : ask<Data>(asked, context);
          };
        },
      },
    },
  });
  const engine: Engine = {
    async execute({ document, operationName, variables }, context) {
      const result = await executor({ document, variables, operationName, context });
      if (Symbol.asyncIterator in result) throw new Error('an answer in parts');
      // Where it has nothing to show it leaves the data out.
      const whole = { ...result, data: result.data ?? nothing(document, operationName, variables) };
      return planner ? whole : withIndices(whole);
    },
    async subscribe({ document, operationName, variables }, context) {
      const result = await executor({ document, variables, operationName, context });
      const events = Symbol.asyncIterator in result ? result[Symbol.asyncIterator]() : [result][Symbol.iterator]();
      return aroundPlanner(events, context, planner ? (event) => event : withIndices);
    },
    stop: async () => executor[Symbol.asyncDispose](),
  };
  // It reads the supergraph and loads its planner with the first operation, which is not to be a client's.
  await engine.execute(
    { document: parse('{ viewer { id } }'), variables: {} },
    { headers: {}, silent: everyone, written: { token: null } },
  );
  return engine;
}

/** The events of an engine, with those that its subgraph told without data in their places. */
function aroundPlanner(
  events: AsyncIterator<ExecutionResult> | Iterator<ExecutionResult>,
  run: PlannedRun,
  told: (event: ExecutionResult) => ExecutionResult,
): AsyncIterableIterator<ExecutionResult> {
  return {
    async next() {
      const { done, value } = await events.next();
      const around = run.around?.event;
      if (run.around) run.around.event = null;
      if (around) return { done: false, value: around };
      if (done) return { done, value: undefined };
      // The executor beside the native planner appends the errors of an event to those of the events before it.
      const errors = value.errors ? (value.errors as GraphQLError[]).splice(0) : [];
      return { done: false, value: told({ data: value.data ?? null, ...(errors.length ? { errors } : {}) }) };
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

/** Nobody is asked anything. */
const everyone: PlannedRun['silent'] = { has: () => true, add: () => undefined, clear: () => undefined };

const nothing = (...operation: Parameters<typeof answerPlaces>): Record<string, null> =>
  Object.fromEntries(answerPlaces(...operation).map(([key]) => [key, null]));

/** Hive Gateway with its planner in JavaScript. */
export const startHiveJs: StartEngine = (supergraph, opening) => start(supergraph, opening);

/** Hive Gateway with the planner of Hive Router, a native module. */
export const startHive: StartEngine = async (supergraph, opening) => {
  const { unifiedGraphHandler } = await import('@graphql-hive/router-runtime');
  return start(supergraph, opening, unifiedGraphHandler);
};
