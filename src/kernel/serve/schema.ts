import { GraphQLSchema, getNamedType, isInterfaceType, isObjectType } from 'graphql';
import { buildSchemaSync, getMetadataStorage, Resolver } from 'type-graphql';
import { isGeneratedField } from '../declare/fields/generated.js';
import { type RootType, rootFieldNames, sortMetadata } from './field-order.js';
import { HandwrittenFields } from './handwritten-fields.js';
import type { Module } from './module.js';
import { relationsOf } from './relations.js';
import { SchemaTypes } from './types.js';
import { checkActions } from './viewer-can.js';

/** Empty resolver class. type-graphql requires at least one. */
@Resolver()
class NoResolvers {}

/** Builds type-graphql's schema, with the handwritten fields of the modules and the types of all classes. */
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
 * Builds the executable schema from handwritten and generated fields. If `included` is given, the schema contains only the root fields of
 * these modules and the fields that they add to records, with their types.
 */
export function buildGraph(modules: readonly Module[], included?: readonly string[]): GraphQLSchema {
  checkActions();
  sortMetadata(modules);
  const includedModules = included ? modules.filter(({ name }) => included.includes(name)) : modules;
  // A value type, such as `Place`, has all of its fields in every subgraph, including relations.
  const valueFields = modules.flatMap(({ values = [] }) => values.flatMap(relationsOf));
  // Within a type, fields from the `resolvers` of manifests come before fields of records.
  const manifestFields = includedModules.flatMap(({ resolvers = [] }) => resolvers.filter(isGeneratedField));
  const generatedFields = [...new Set([...manifestFields, ...includedModules.flatMap(({ fields }) => fields), ...valueFields])];
  const types = new SchemaTypes(handwrittenSchema(includedModules), new HandwrittenFields(), generatedFields);
  const root = (name: RootType) => types.root(name, rootFieldNames(includedModules, name));
  const roots = { query: root('Query'), mutation: root('Mutation'), subscription: root('Subscription') };
  // If the schema contains only some modules, types that their resolvers extend may be unreachable from root fields. They must be added
  // explicitly.
  const extendedTypes = included ? types.extendedBy(includedModules.flatMap(({ resolverClasses }) => resolverClasses)) : [];
  return withImplementations(new GraphQLSchema({ ...roots, types: extendedTypes }), types);
}

/** Adds all types that implement the interfaces of the schema. */
function withImplementations(schema: GraphQLSchema, types: SchemaTypes): GraphQLSchema {
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
