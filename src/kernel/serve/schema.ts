import { GraphQLSchema, getNamedType, isInterfaceType, isObjectType } from 'graphql';
import { buildSchemaSync, getMetadataStorage, Resolver } from 'type-graphql';
import { isGeneratedField } from '../declare/fields/generated.js';
import { HandwrittenFields } from './handwritten-fields.js';
import type { Module } from './module.js';
import { relationsOf } from './relations.js';
import { Types } from './types.js';
import { checkActions } from './viewer-can.js';

/** Empty resolver class. type-graphql requires at least one. */
@Resolver()
class NoResolvers {}

/** Builds the schema of type-graphql, with the handwritten fields of the modules and the types of all classes. */
function handwrittenSchema(modules: readonly Module[]): GraphQLSchema {
  const { inputTypes, objectTypes } = getMetadataStorage();
  return buildSchemaSync({
    resolvers: [NoResolvers, ...modules.flatMap(({ resolverClasses }) => resolverClasses)],
    orphanedTypes: [...objectTypes, ...inputTypes].map(({ target }) => target),
    validate: false,
    skipCheck: true,
  });
}

/**
 * Builds the executable schema from handwritten and generated fields. With `names`, it contains only the root fields of these modules, the fields
 * that they add to records, and the types of these fields.
 */
export function buildGraph(modules: readonly Module[], names?: readonly string[]): GraphQLSchema {
  checkActions();
  const includedModules = names ? modules.filter(({ name }) => names.includes(name)) : modules;
  // A value type, such as `Place`, has all of its fields in every subgraph, including relations.
  const valueFields = modules.flatMap(({ values = [] }) => values.flatMap(relationsOf));
  // In the schema, fields in `resolvers` of manifests come before those of records.
  const manifestFields = includedModules.flatMap(({ resolvers = [] }) => resolvers.filter(isGeneratedField));
  const generatedFields = [...new Set([...manifestFields, ...includedModules.flatMap(({ fields }) => fields), ...valueFields])];
  const types = new Types(handwrittenSchema(includedModules), new HandwrittenFields(), generatedFields);
  const roots = { query: types.root('Query'), mutation: types.root('Mutation'), subscription: types.root('Subscription') };
  return withImplementations(new GraphQLSchema(roots), types);
}

/** Adds all types that implement the interfaces of the schema. */
function withImplementations(schema: GraphQLSchema, types: Types): GraphQLSchema {
  const outputs = Object.values(schema.getTypeMap())
    .filter(isObjectType)
    .flatMap((type) => Object.values(type.getFields()));
  const interfaces = new Set(outputs.map(({ type }) => getNamedType(type)).filter(isInterfaceType));
  const missingTypes = [...interfaces]
    .flatMap((type) => types.implementationsOf(type))
    .filter(({ name }) => !schema.getType(name));
  if (missingTypes.length === 0) return schema;
  const { types: includedTypes, ...config } = schema.toConfig();
  return withImplementations(new GraphQLSchema({ ...config, types: [...includedTypes, ...missingTypes] }), types);
}
