import {
  type ConstDirectiveNode,
  type DocumentNode,
  type FieldDefinitionNode,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  type InputValueDefinitionNode,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isUnionType,
  Kind,
  type TypeDefinitionNode,
  visit,
} from 'graphql';
import { type Policy, policiesOf } from '../kernel/declare/policy.js';
import { optionsOf } from '../kernel/declare/record.js';
import { isLegacy, legacyArgument } from '../kernel/declare/shown.js';
import { type Audience, isFor } from './audiences.js';
import type { Ownership } from './ownership.js';

const inaccessible: ConstDirectiveNode = { kind: Kind.DIRECTIVE, name: { kind: Kind.NAME, value: 'inaccessible' } };

export interface ContractOptions {
  /** Audience of the contract. Default: all audiences. */
  audience?: Audience | undefined;
  /** Hides the fields `legacy`, and the arguments that accept legacy values. */
  hidesLegacy?: boolean | undefined;
}

/** Hides the fields that a contract excludes from the schema of a subgraph, and types that no visible field uses. */
export function contractOf(schema: GraphQLSchema, ownership: Ownership, { audience, hidesLegacy = false }: ContractOptions) {
  const isOpen = (policies: readonly Policy[] | null): boolean => !audience || !policies || isFor(audience, policies);
  const isShown = (field: GraphQLField<unknown, unknown> | GraphQLInputField): boolean =>
    isOpen(policiesOf(field.extensions)) && !(hidesLegacy && isLegacy(field));

  /** Possible types of an interface or a union, without the records that the audience cannot read. */
  function possible(type: GraphQLNamedType): GraphQLNamedType[] {
    const types = isUnionType(type) ? type.getTypes() : isInterfaceType(type) ? schema.getImplementations(type).objects : [];
    return types.filter(({ name }) => {
      const cls = ownership.records.get(name);
      return !cls || isOpen(optionsOf(cls).read);
    });
  }

  function leadsTo(type: GraphQLNamedType): GraphQLNamedType[] {
    if (isInputObjectType(type))
      return Object.values(type.getFields())
        .filter(isShown)
        .map((field) => getNamedType(field.type));
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

  const hidden = <Node extends TypeDefinitionNode | FieldDefinitionNode | InputValueDefinitionNode>(node: Node): Node => ({
    ...node,
    directives: [...(node.directives ?? []), inaccessible],
  });
  const without = <Node extends FieldDefinitionNode | InputValueDefinitionNode>(
    type: GraphQLObjectType | GraphQLInputObjectType,
    nodes: readonly Node[] | undefined,
  ): readonly Node[] | undefined => {
    const known = type.getFields();
    return nodes?.map((node) => {
      const field = known[node.name.value];
      return field && !isShown(field) ? hidden(node) : node;
    });
  };
  const unlessReached = (node: TypeDefinitionNode) => (reached.has(node.name.value) ? undefined : hidden(node));

  return (subgraph: DocumentNode): DocumentNode =>
    visit(subgraph, {
      ObjectTypeDefinition(node) {
        const type = schema.getType(node.name.value);
        return isObjectType(type) && reached.has(type.name) ? { ...node, fields: without(type, node.fields) } : hidden(node);
      },
      FieldDefinition: (node) =>
        hidesLegacy
          ? { ...node, arguments: node.arguments?.map((each) => (each.name.value === legacyArgument ? hidden(each) : each)) }
          : undefined,
      InterfaceTypeDefinition: unlessReached,
      UnionTypeDefinition: unlessReached,
      EnumTypeDefinition: unlessReached,
      InputObjectTypeDefinition(node) {
        const type = schema.getType(node.name.value);
        return isInputObjectType(type) && reached.has(type.name) ? { ...node, fields: without(type, node.fields) } : hidden(node);
      },
      ScalarTypeDefinition: unlessReached,
    });
}
