import { getExecutorForUnifiedGraph, type UnifiedGraphHandler } from '@graphql-hive/gateway-runtime';
import { type DocumentNode, parse, print } from 'graphql';
import type { Engine, Opening, PlannedRun, StartEngine } from './engine.js';
import { withIndices } from './list-errors.js';
import { answerPlaces } from './places.js';
import { withoutRepeatedFields } from './repeated-fields.js';
import { subgraphAt } from './subgraph.js';

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
          return async <Data>({ document, variables, operationName, context }: Request) =>
            ask<Data>({ query: print(document), document, variables, operationName }, context);
        },
      },
    },
  });
  const engine: Engine = {
    async execute({ document, operationName, variables }, context) {
      const asked = planner ? withoutRepeatedFields(document) : document;
      const result = await executor({ document: asked, variables, operationName, context });
      if (Symbol.asyncIterator in result) throw new Error('an answer in parts');
      // Where it has nothing to show it leaves the data out.
      const whole = { ...result, data: result.data ?? nothing(document, operationName, variables) };
      return planner ? whole : withIndices(whole);
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

/** Nobody is asked anything. */
const everyone: PlannedRun['silent'] = { has: () => true, add: () => undefined };

const nothing = (...operation: Parameters<typeof answerPlaces>): Record<string, null> =>
  Object.fromEntries(answerPlaces(...operation).map(([key]) => [key, null]));

/** Hive Gateway with its planner in JavaScript. */
export const startHiveJs: StartEngine = (supergraph, opening) => start(supergraph, opening);

/** Hive Gateway with the planner of Hive Router, a native module. */
export const startHive: StartEngine = async (supergraph, opening) => {
  const { unifiedGraphHandler } = await import('@graphql-hive/router-runtime');
  return start(supergraph, opening, unifiedGraphHandler);
};
