import { GraphQLSchema, getNamedType, isInterfaceType, isObjectType } from 'graphql';
import { buildSchemaSync, getMetadataStorage, Resolver } from 'type-graphql';
import { isGeneratedField } from '../declare/generated.js';
import { HandwrittenFields } from './handwritten-fields.js';
import type { Module } from './module.js';
import { relationsOf } from './relations.js';
import { Types } from './types.js';
import { checkActions } from './viewer-can.js';

/** Stands for the resolvers of modules that have none, because type-graphql asks for at least one. */
@Resolver()
class NoResolvers {}

/** What type-graphql builds: the handwritten fields of these modules, and the types of all classes. */
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
 * Builds the one executable schema: the handwritten fields, as type-graphql has built them, and the generated ones. With names it has the
 * root fields of these modules, what they add to the records of all, and the types that these mention.
 */
export function buildGraph(modules: readonly Module[], names?: readonly string[]): GraphQLSchema {
  checkActions();
  const served = names ? modules.filter(({ name }) => names.includes(name)) : modules;
  // A value type, such as `Place`, has all of its fields in every subgraph, relations included.
  const ofValues = modules.flatMap(({ values = [] }) => values.flatMap(relationsOf));
  // In the order of the emitted schema: what modules list themselves comes before what follows from records.
  const listed = served.flatMap(({ resolvers = [] }) => resolvers.filter(isGeneratedField));
  const added = [...new Set([...listed, ...served.flatMap(({ fields }) => fields), ...ofValues])];
  const types = new Types(handwrittenSchema(served), new HandwrittenFields(), added);
  const roots = { query: types.root('Query'), mutation: types.root('Mutation'), subscription: types.root('Subscription') };
  return withImplementations(new GraphQLSchema(roots), types);
}

/** A schema with all types of the interfaces that its fields have as a type. */
function withImplementations(schema: GraphQLSchema, types: Types): GraphQLSchema {
  const outputs = Object.values(schema.getTypeMap())
    .filter(isObjectType)
    .flatMap((type) => Object.values(type.getFields()));
  const interfaces = new Set(outputs.map(({ type }) => getNamedType(type)).filter(isInterfaceType));
  const missing = [...interfaces].flatMap((type) => types.implementing(type)).filter(({ name }) => !schema.getType(name));
  if (missing.length === 0) return schema;
  const { types: present, ...config } = schema.toConfig();
  return withImplementations(new GraphQLSchema({ ...config, types: [...present, ...missing] }), types);
}
