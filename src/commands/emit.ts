import { composeServices } from '@theguild/federation-composition';
import { type ConstDirectiveNode, type DocumentNode, isInputObjectType, Kind, parse, printSchema, visit } from 'graphql';
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

/** Directive of the API schema, for clients that generate forms. */
const mergedBy = `
"List that keeps its stored items. An item in the input updates the stored item with the same value of \`field\`, or is added."
directive @mergedBy(field: String!) on INPUT_FIELD_DEFINITION`;

const nameNode = (value: string) => ({ kind: Kind.NAME as const, value });

const mergedByDirective = (field: string): ConstDirectiveNode => ({
  kind: Kind.DIRECTIVE,
  name: nameNode('mergedBy'),
  arguments: [{ kind: Kind.ARGUMENT, name: nameNode('field'), value: { kind: Kind.STRING, value: field } }],
});

/**
 * Returns the API schema. Its `Query` has a short description. In subgraphs and introspection, the description of `Query` repeats the long
 * description of the schema.
 */
function apiSchema(): DocumentNode {
  const schema = graphOfModules();
  return visit(parse(printSchema(schema) + mergedBy, { noLocation: true }), {
    ObjectTypeDefinition: (node) =>
      node.name.value === 'Query' ? { ...node, description: { kind: Kind.STRING, value: 'All queries.' } } : undefined,
    InputObjectTypeDefinition(node) {
      const type = schema.getType(node.name.value);
      const fields = isInputObjectType(type) ? type.getFields() : {};
      return {
        ...node,
        fields: node.fields?.map((field) => {
          const mergeKey = fields[field.name.value]?.extensions.mergeKey;
          return typeof mergeKey === 'string' ? { ...field, directives: [mergedByDirective(mergeKey)] } : field;
        }),
      };
    },
  });
}

/** Returns the contents of the files in `schema/`, keyed by file name: one subgraph per module, the supergraph and the API schema. */
export function emitSchemas(urlOf: (module: string) => string = subgraphUrl): Map<string, string> {
  const services = servicesOf({}, urlOf);
  return new Map([
    ...services.map(({ name, typeDefs }) => [`${name}.graphql`, sdlText(typeDefs)] as const),
    ['supergraph.graphql', compose(services)],
    ['schema.graphql', sdlText(apiSchema())],
  ]);
}
