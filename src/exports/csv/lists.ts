import {
  type GraphQLField,
  type GraphQLInterfaceType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isInterfaceType,
  isObjectType,
} from 'graphql';

/** A list at the root of the graph. */
export interface RootList {
  readonly name: string;
  readonly field: GraphQLField<unknown, unknown>;
  /** Type of the rows, or their common interface if they have several types. */
  readonly item: GraphQLObjectType | GraphQLInterfaceType;
  readonly isMixed: boolean;
}

/** Connections of the query type by name. */
export function rootLists(schema: GraphQLSchema): ReadonlyMap<string, RootList> {
  const fields = Object.values(schema.getQueryType()?.getFields() ?? {});
  return new Map(
    fields.flatMap((field): [string, RootList][] => {
      const connection = getNamedType(field.type);
      const { nodes, pageInfo } = isObjectType(connection) ? connection.getFields() : {};
      if (!nodes || !pageInfo) return [];
      const namedType = getNamedType(nodes.type);
      const isComposite = isObjectType(namedType) || isInterfaceType(namedType);
      const item = isComposite ? namedType : schema.getType('Node');
      if (!isObjectType(item) && !isInterfaceType(item)) return [];
      return [[field.name, { name: field.name, field, item, isMixed: !isObjectType(namedType) }]];
    }),
  );
}
