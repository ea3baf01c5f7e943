import { buildSubgraphSchema } from '@apollo/subgraph';
import {
  type GraphQLSchema,
  isAbstractType,
  isEnumType,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
  type ObjectTypeDefinitionNode,
} from 'graphql';
import type { RecordClass } from '../../kernel/declare/meta.js';
import { resolveEntities } from './entities.js';
import type { Ownership } from './ownership.js';
import { sdlText, slice } from './slice.js';

type Resolvers = Parameters<typeof buildSubgraphSchema>[0] extends infer T
  ? T extends { resolvers?: infer R }[]
    ? R
    : never
  : never;

/** Whether the subgraph can resolve entities of the type. False for stub types. */
const isResolvable = ({ directives = [] }: ObjectTypeDefinitionNode): boolean =>
  directives.some(
    ({ name, arguments: args = [] }) => name.value === 'key' && !args.some((argument) => argument.name.value === 'resolvable'),
  );

/** Builds the executable subgraph of a module: the types of the slice with the resolvers of the full schema. */
export function subgraphOf(schema: GraphQLSchema, ownership: Ownership, module: string): GraphQLSchema {
  const typeDefs = slice(schema, ownership, module);
  const resolvers: Record<string, unknown> = {};
  const entityClasses = new Map<string, RecordClass>();
  for (const definition of typeDefs.definitions) {
    const name = 'name' in definition ? definition.name?.value : undefined;
    const type = name ? schema.getType(name) : undefined;
    if (!name || !type) continue;
    if (isScalarType(type) && !isSpecifiedScalarType(type)) resolvers[name] = type;
    if (isAbstractType(type)) resolvers[name] = { __resolveType: type.resolveType };
    if (isEnumType(type)) resolvers[name] = Object.fromEntries(type.getValues().map((item) => [item.name, item.value]));
    if (!isObjectType(type) || definition.kind !== 'ObjectTypeDefinition') continue;
    const fieldNames = new Set((definition.fields ?? []).map((field) => field.name.value));
    const fields = Object.values(type.getFields()).filter((field) => fieldNames.has(field.name) && field.resolve);
    const fieldResolvers: Record<string, unknown> = Object.fromEntries(
      fields.map(({ name, resolve, subscribe }) => [name, subscribe ? { resolve, subscribe } : resolve]),
    );
    const cls = ownership.records.get(name);
    if (cls && isResolvable(definition)) entityClasses.set(name, cls);
    resolvers[name] = fieldResolvers;
  }
  const subgraph = buildSubgraphSchema([{ typeDefs, resolvers: resolvers as Resolvers }]);
  for (const type of Object.values(subgraph.getTypeMap())) {
    const original = schema.getType(type.name);
    if (!isObjectType(type) || !isObjectType(original)) continue;
    type.extensions = { ...type.extensions, ...original.extensions };
    // Copies the extensions of each field. The kernel stores the field's columns, foreign key and policies in them.
    for (const field of Object.values(type.getFields()))
      field.extensions = original.getFields()[field.name]?.extensions ?? field.extensions;
  }
  const entities = subgraph.getQueryType()?.getFields()._entities;
  if (entities) Object.assign(entities, { resolve: resolveEntities(entityClasses), extensions: { sizedBy: 'representations' } });
  const service = subgraph.getQueryType()?.getFields()._service;
  // Returns the same SDL that composition uses. `@apollo/subgraph` would add the definitions of the federation directives.
  if (service) service.resolve = () => ({ sdl: sdlText(typeDefs) });
  return subgraph;
}
