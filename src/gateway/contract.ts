import {
  type ConstDirectiveNode,
  type DocumentNode,
  type FieldDefinitionNode,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isUnionType,
  Kind,
  type TypeDefinitionNode,
  visit,
} from 'graphql';
import { policiesOf } from '../kernel/declare/policy.js';
import { optionsOf } from '../kernel/declare/record.js';
import { type Audience, isFor } from './audiences.js';
import type { Ownership } from './ownership.js';

const inaccessible: ConstDirectiveNode = { kind: Kind.DIRECTIVE, name: { kind: Kind.NAME, value: 'inaccessible' } };

/** Hides in a subgraph's schema what an audience does not have, and the types to which nothing leads any more. */
export function contractOf(schema: GraphQLSchema, ownership: Ownership, audience: Audience) {
  const isShown = ({ extensions }: GraphQLField<unknown, unknown>): boolean => {
    const policies = policiesOf(extensions);
    return !policies || isFor(audience, policies);
  };

  /** What an interface or a union may be: of the records, those that the audience reads at all. */
  function possible(type: GraphQLNamedType): GraphQLNamedType[] {
    const types = isUnionType(type) ? type.getTypes() : isInterfaceType(type) ? schema.getImplementations(type).objects : [];
    return types.filter(({ name }) => {
      const cls = ownership.records.get(name);
      return !cls || isFor(audience, optionsOf(cls).read);
    });
  }

  function leadsTo(type: GraphQLNamedType): GraphQLNamedType[] {
    if (isInputObjectType(type)) return Object.values(type.getFields()).map((field) => getNamedType(field.type));
    if (!isObjectType(type) && !isInterfaceType(type)) return possible(type);
    const fields = Object.values(type.getFields()).filter(isShown);
    return [...fields.flatMap((field) => [field, ...field.args].map((each) => getNamedType(each.type))), ...possible(type)];
  }

  const reached = new Set<string>();
  const queue: GraphQLNamedType[] = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()].flatMap(
    (type) => type ?? [],
  );
  for (let type = queue.pop(); type; type = queue.pop()) {
    if (reached.has(type.name)) continue;
    reached.add(type.name);
    queue.push(...leadsTo(type));
  }

  const hidden = <Node extends TypeDefinitionNode | FieldDefinitionNode>(node: Node): Node => ({
    ...node,
    directives: [...(node.directives ?? []), inaccessible],
  });
  const unlessReached = (node: TypeDefinitionNode) => (reached.has(node.name.value) ? undefined : hidden(node));

  return (subgraph: DocumentNode): DocumentNode =>
    visit(subgraph, {
      ObjectTypeDefinition(node) {
        const type = schema.getType(node.name.value);
        if (!isObjectType(type) || !reached.has(type.name)) return hidden(node);
        const known = type.getFields();
        const isHidden = (name: string) => known[name] !== undefined && !isShown(known[name]);
        return { ...node, fields: node.fields?.map((field) => (isHidden(field.name.value) ? hidden(field) : field)) };
      },
      InterfaceTypeDefinition: unlessReached,
      UnionTypeDefinition: unlessReached,
      EnumTypeDefinition: unlessReached,
      InputObjectTypeDefinition: unlessReached,
      ScalarTypeDefinition: unlessReached,
    });
}
