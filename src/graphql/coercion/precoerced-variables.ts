import { type DocumentNode, GraphQLScalarType, GraphQLSchema, Kind, type TypeNode, visit } from 'graphql';

/** Type of a variable that has already been validated and coerced. */
const Coerced = new GraphQLScalarType({ name: 'Coerced', description: 'A value that has been checked already.' });

const coercedType: TypeNode = { kind: Kind.NAMED_TYPE, name: { kind: Kind.NAME, value: Coerced.name } };
const isBoolean = (type: TypeNode): boolean =>
  type.kind === Kind.NON_NULL_TYPE ? isBoolean(type.type) : type.kind === Kind.NAMED_TYPE && type.name.value === 'Boolean';

const schemas = new WeakMap<GraphQLSchema, GraphQLSchema>();

/** Copy of a schema that allows variables of the type `Coerced`. It shares all types with the original. */
export function withCoercedType(schema: GraphQLSchema): GraphQLSchema {
  const cached = schemas.get(schema);
  if (cached) return cached;
  const config = schema.toConfig();
  const schemaWithCoerced = new GraphQLSchema({ ...config, types: [...config.types, Coerced] });
  schemas.set(schema, schemaWithCoerced);
  return schemaWithCoerced;
}

/**
 * Copy of a document that declares its variables as `Coerced`. Boolean variables keep their type, because directives require it.
 */
export const withCoercedVariables = (document: DocumentNode): DocumentNode =>
  visit(document, {
    VariableDefinition: (node) => (isBoolean(node.type) ? false : { ...node, type: coercedType, defaultValue: undefined }),
  });
