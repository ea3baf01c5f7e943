import { composeServices } from '@theguild/federation-composition';
import { type DocumentNode, Kind, parse, printSchema, visit } from 'graphql';
import { type ContractOptions, createContractFilter } from '../graphql/federation/contract.js';
import { ownershipOf } from '../graphql/federation/ownership.js';
import { type SliceOptions, sdlText, slice } from '../graphql/federation/slice.js';
import { graphOfModules } from '../graphql/graph.js';
import { modules } from '../modules/index.js';

/** Returns the default URL of a subgraph in the supergraph. Routers can override it. */
export const subgraphUrl = (module: string, origin = 'http://localhost:4000'): string => `${origin}/subgraphs/${module}`;

/** Options for composing a supergraph. Without a contract, the supergraph contains the entire graph. */
interface SupergraphOptions extends SliceOptions {
  contract?: ContractOptions | undefined;
}

interface Service {
  name: string;
  typeDefs: DocumentNode;
  url: string;
}

function servicesOf({ contract, ...options }: SupergraphOptions, urlOf: (module: string) => string): Service[] {
  const schema = graphOfModules();
  const ownership = ownershipOf(modules);
  const restrict = contract ? createContractFilter(schema, ownership, contract) : (subgraph: DocumentNode) => subgraph;
  return modules.map(({ name }) => ({ name, typeDefs: restrict(slice(schema, ownership, name, options)), url: urlOf(name) }));
}

function compose(services: Service[]): string {
  const { supergraphSdl, errors } = composeServices(services);
  if (!supergraphSdl)
    throw new Error(
      `The subgraphs cannot be composed into a supergraph:\n${(errors ?? []).map(({ message }) => `  ${message}`).join('\n')}`,
    );
  return supergraphSdl.endsWith('\n') ? supergraphSdl : `${supergraphSdl}\n`;
}

/** Composes a variant of `schema/supergraph.graphql`: with a contract, or with `@policy` directives. */
export const supergraphOf = (options: SupergraphOptions): string => compose(servicesOf(options, subgraphUrl));

/**
 * Returns the API schema. Its `Query` has no long description, unlike in subgraphs and introspection, where it repeats the description of the
 * schema.
 */
const apiSchema = (): DocumentNode =>
  visit(parse(printSchema(graphOfModules()), { noLocation: true }), {
    ObjectTypeDefinition: (node) =>
      node.name.value === 'Query' ? { ...node, description: { kind: Kind.STRING, value: 'All queries.' } } : undefined,
  });

/** Returns the contents of the files in `schema/`, keyed by file name: one subgraph per module, the supergraph and the API schema. */
export function emitSchemas(urlOf: (module: string) => string = subgraphUrl): Map<string, string> {
  const services = servicesOf({}, urlOf);
  return new Map([
    ...services.map(({ name, typeDefs }) => [`${name}.graphql`, sdlText(typeDefs)] as const),
    ['supergraph.graphql', compose(services)],
    ['schema.graphql', sdlText(apiSchema())],
  ]);
}
