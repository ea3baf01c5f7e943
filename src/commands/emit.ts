import { composeServices } from '@theguild/federation-composition';
import { type DocumentNode, parse, print, printSchema, visit } from 'graphql';
import { type ContractOptions, contractOf } from '../gateway/contract.js';
import { graphOfModules } from '../gateway/graph.js';
import { ownershipOf } from '../gateway/ownership.js';
import { type SliceOptions, slice } from '../gateway/slice.js';
import { modules } from '../modules/index.js';

/** Where the supergraph expects a subgraph unless a router is told otherwise. */
export const subgraphUrl = (module: string, origin = 'http://localhost:4000'): string => `${origin}/subgraphs/${module}`;

/** Which supergraph is requested. Without a contract, the whole one. */
export interface SupergraphOptions extends SliceOptions {
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
  const cut = contract ? contractOf(schema, ownership, contract) : (subgraph: DocumentNode) => subgraph;
  return modules.map(({ name }) => ({ name, typeDefs: cut(slice(schema, ownership, name, options)), url: urlOf(name) }));
}

function composed(services: Service[]): string {
  const { supergraphSdl, errors } = composeServices(services);
  if (!supergraphSdl)
    throw new Error(`the subgraphs do not compose:\n${(errors ?? []).map(({ message }) => `  ${message}`).join('\n')}`);
  return supergraphSdl.endsWith('\n') ? supergraphSdl : `${supergraphSdl}\n`;
}

/** A supergraph beside the one under schema/: of one contract, or with what its fields ask of callers in `@policy`. */
export const supergraphOf = (options: SupergraphOptions): string => composed(servicesOf(options, subgraphUrl));

/** SDL with each description of one line on a line of its own, without the two that a block string adds. */
const textOf = (document: DocumentNode): string =>
  `${print(
    visit(document, {
      StringValue: (node) => (node.block && !/[\n"\\]/.test(node.value) ? { ...node, block: false } : undefined),
    }),
  )}\n`;

/** Every file under schema/ with its text: a subgraph a module, the supergraph composed of them, and the API schema. */
export function emit(urlOf: (module: string) => string = subgraphUrl): Map<string, string> {
  const services = servicesOf({}, urlOf);
  return new Map([
    ...services.map(({ name, typeDefs }) => [`${name}.graphql`, textOf(typeDefs)] as const),
    ['supergraph.graphql', composed(services)],
    ['schema.graphql', textOf(parse(printSchema(graphOfModules()), { noLocation: true }))],
  ]);
}
