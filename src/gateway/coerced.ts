import { type DocumentNode, GraphQLScalarType, GraphQLSchema, Kind, type TypeNode, visit } from 'graphql';

/** A value that has been checked and coerced already, and is taken as it is. */
const Coerced = new GraphQLScalarType({ name: 'Coerced', description: 'A value that has been checked already.' });

const coercedType: TypeNode = { kind: Kind.NAMED_TYPE, name: { kind: Kind.NAME, value: Coerced.name } };
const isBoolean = (type: TypeNode): boolean =>
  type.kind === Kind.NON_NULL_TYPE ? isBoolean(type.type) : type.kind === Kind.NAMED_TYPE && type.name.value === 'Boolean';

const extended = new WeakMap<GraphQLSchema, GraphQLSchema>();

/** The same schema, the very same types, in which variables may also be declared as coerced. */
export function coercing(schema: GraphQLSchema): GraphQLSchema {
  const known = extended.get(schema);
  if (known) return known;
  const config = schema.toConfig();
  const made = new GraphQLSchema({ ...config, types: [...config.types, Coerced] });
  extended.set(schema, made);
  return made;
}

/** The same document, its variables declared as coerced. Booleans stay: directives ask for them by their type. */
export const withCoerced = (document: DocumentNode): DocumentNode =>
  visit(document, {
    VariableDefinition: (node) => (isBoolean(node.type) ? false : { ...node, type: coercedType, defaultValue: undefined }),
  });
