import type { GraphQLSchema } from 'graphql';
import { buildGraph } from '../kernel/serve/schema.js';
import { modules } from '../modules/index.js';
import { schemaDescription } from './schema-description.js';

let built: GraphQLSchema | undefined;

/** The one executable schema of all modules, built once a process. */
export function graphOfModules(): GraphQLSchema {
  if (!built) {
    built = buildGraph(modules);
    built.description = schemaDescription;
    for (const [type, text] of [
      // Composition leaves out the description of a schema, so that routers would not have it.
      [built.getQueryType(), `Everything that can be read.\n\n${schemaDescription}`],
      [
        built.getMutationType(),
        'Everything that can be changed. The fields of one operation run one after the other, and what one has done stays. Headers, errors and limits are told by the description of `Query`.',
      ],
    ] as const)
      if (type) type.description = text;
  }
  return built;
}
