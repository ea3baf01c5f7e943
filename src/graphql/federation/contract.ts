import {
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
  type TypeDefinitionNode,
  visit,
} from 'graphql';
import { isLegacy, legacyArgumentName } from '../../kernel/declare/fields/legacy-fields.js';
import { type Policy, policiesOf } from '../../kernel/declare/policy/policy.js';
import { optionsOf } from '../../kernel/declare/record.js';
import type { Ownership } from './ownership.js';
import { type Audience, isVisibleTo, parseDirective, withDirectives } from './router-directives.js';

const inaccessible = parseDirective('@inaccessible');

/** Options of a contract: a variant of the supergraph that hides some of its elements. */
export interface ContractOptions {
  /** Audience of the contract. Default: all audiences. */
  audience?: Audience | undefined;
  /** Whether to hide the fields named `legacy` and the arguments that accept legacy values. */
  hidesLegacy?: boolean | undefined;
}

/** Returns a function that hides elements of a subgraph: fields that the contract excludes, and types that only these fields use. */
export function createContractFilter(
  schema: GraphQLSchema,
  ownership: Ownership,
  { audience, hidesLegacy = false }: ContractOptions,
) {
  const isAllowed = (policies: readonly Policy[] | null): boolean => !audience || !policies || isVisibleTo(audience, policies);
  const isVisible = (field: GraphQLField<unknown, unknown> | GraphQLInputField): boolean =>
    isAllowed(policiesOf(field.extensions)) && !(hidesLegacy && isLegacy(field));

  /** Returns the possible types of an interface or a union, except record types that the audience cannot read. */
  function possibleTypes(type: GraphQLNamedType): GraphQLNamedType[] {
    const types = isUnionType(type) ? type.getTypes() : isInterfaceType(type) ? schema.getImplementations(type).objects : [];
    return types.filter(({ name }) => {
      const cls = ownership.records.get(name);
      return !cls || isAllowed(optionsOf(cls).read);
    });
  }

  function referencedTypes(type: GraphQLNamedType): GraphQLNamedType[] {
    if (isInputObjectType(type))
      return Object.values(type.getFields())
        .filter(isVisible)
        .map((field) => getNamedType(field.type));
    if (!isObjectType(type) && !isInterfaceType(type)) return possibleTypes(type);
    const fields = Object.values(type.getFields()).filter(isVisible);
    return [
      ...fields.flatMap((field) => [field, ...field.args].map((element) => getNamedType(element.type))),
      ...possibleTypes(type),
    ];
  }

  const visibleTypes = new Set<string>();
  const queue: GraphQLNamedType[] = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()].flatMap(
    (type) => type ?? [],
  );
  for (let type = queue.pop(); type; type = queue.pop()) {
    if (visibleTypes.has(type.name)) continue;
    visibleTypes.add(type.name);
    queue.push(...referencedTypes(type));
  }

  const hide = <Node extends TypeDefinitionNode | FieldDefinitionNode | InputValueDefinitionNode>(node: Node): Node =>
    withDirectives(node, inaccessible);
  const hideFields = <Node extends FieldDefinitionNode | InputValueDefinitionNode>(
    type: GraphQLObjectType | GraphQLInputObjectType,
    nodes: readonly Node[] | undefined,
  ): readonly Node[] | undefined => {
    const fields = type.getFields();
    return nodes?.map((node) => {
      const field = fields[node.name.value];
      return field && !isVisible(field) ? hide(node) : node;
    });
  };
  const hideUnlessVisible = (node: TypeDefinitionNode) => (visibleTypes.has(node.name.value) ? undefined : hide(node));

  return (subgraph: DocumentNode): DocumentNode =>
    visit(subgraph, {
      ObjectTypeDefinition(node) {
        const type = schema.getType(node.name.value);
        return isObjectType(type) && visibleTypes.has(type.name)
          ? { ...node, fields: hideFields(type, node.fields) }
          : hide(node);
      },
      FieldDefinition: (node) =>
        hidesLegacy
          ? {
              ...node,
              arguments: node.arguments?.map((argument) =>
                argument.name.value === legacyArgumentName ? hide(argument) : argument,
              ),
            }
          : undefined,
      InterfaceTypeDefinition: hideUnlessVisible,
      UnionTypeDefinition: hideUnlessVisible,
      EnumTypeDefinition: hideUnlessVisible,
      InputObjectTypeDefinition(node) {
        const type = schema.getType(node.name.value);
        return isInputObjectType(type) && visibleTypes.has(type.name)
          ? { ...node, fields: hideFields(type, node.fields) }
          : hide(node);
      },
      ScalarTypeDefinition: hideUnlessVisible,
    });
}
