import { composeServices } from '@theguild/federation-composition';
import { print, printSchema } from 'graphql';
import { graphOfModules } from '../gateway/graph.js';
import { ownershipOf } from '../gateway/ownership.js';
import { slice } from '../gateway/slice.js';
import { modules } from '../modules/index.js';

/** Where the supergraph expects a subgraph unless a router is told otherwise. */
export const subgraphUrl = (module: string, origin = 'http://localhost:4000'): string => `${origin}/subgraphs/${module}`;

/** Every file under schema/ with its text: a subgraph a module, the supergraph composed of them, and the API schema. */
export function emit(urlOf: (module: string) => string = subgraphUrl): Map<string, string> {
  const schema = graphOfModules();
  const ownership = ownershipOf(modules);
  const services = modules.map(({ name }) => ({ name, typeDefs: slice(schema, ownership, name), url: urlOf(name) }));
  const { supergraphSdl, errors } = composeServices(services);
  if (!supergraphSdl)
    throw new Error(`the subgraphs do not compose:\n${(errors ?? []).map(({ message }) => `  ${message}`).join('\n')}`);
  return new Map([
    ...services.map(({ name, typeDefs }) => [`${name}.graphql`, `${print(typeDefs)}\n`] as const),
    ['supergraph.graphql', supergraphSdl.endsWith('\n') ? supergraphSdl : `${supergraphSdl}\n`],
    ['schema.graphql', `${printSchema(schema)}\n`],
  ]);
}
