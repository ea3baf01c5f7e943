import type { GraphQLSchema } from 'graphql';
import { buildGraph } from '../kernel/serve/schema.js';
import { modules } from '../modules/index.js';

let built: GraphQLSchema | undefined;

/** The one executable schema of all modules, built once a process. */
export function graphOfModules(): GraphQLSchema {
  built ??= buildGraph(modules);
  return built;
}
