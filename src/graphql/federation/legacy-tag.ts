import {
  type ConstDirectiveNode,
  type DefinitionNode,
  type FieldDefinitionNode,
  type GraphQLSchema,
  isInputObjectType,
  isObjectType,
  Kind,
} from 'graphql';
import { isLegacy, legacyArgument } from '../../kernel/declare/fields/legacy-fields.js';

const tag: ConstDirectiveNode = {
  kind: Kind.DIRECTIVE,
  name: { kind: Kind.NAME, value: 'tag' },
  arguments: [
    {
      kind: Kind.ARGUMENT,
      name: { kind: Kind.NAME, value: 'name' },
      value: { kind: Kind.STRING, value: 'legacy' },
    },
  ],
};

const withTag = <Node extends { readonly directives?: readonly ConstDirectiveNode[] }>(node: Node): Node => ({
  ...node,
  directives: [...(node.directives ?? []), tag],
});

const withTaggedArgument = (field: FieldDefinitionNode): FieldDefinitionNode => ({
  ...field,
  arguments: field.arguments?.map((argument) => (argument.name.value === legacyArgument ? withTag(argument) : argument)),
});

/**
 * Adds `@tag(name: "legacy")` to fields named `legacy`, to their types, and to arguments that accept legacy values. Contracts can
 * hide elements with this tag.
 */
export function withLegacyTag(schema: GraphQLSchema, node: DefinitionNode): DefinitionNode {
  if (node.kind !== Kind.OBJECT_TYPE_DEFINITION && node.kind !== Kind.INPUT_OBJECT_TYPE_DEFINITION) return node;
  const type = schema.getType(node.name.value);
  if (!isObjectType(type) && !isInputObjectType(type)) return node;
  if (isLegacy({ type })) return withTag(node);
  const fields = type.getFields();
  const isLegacyField = ({ name }: { readonly name: { readonly value: string } }): boolean => {
    const field = fields[name.value];
    return field !== undefined && isLegacy(field);
  };
  return node.kind === Kind.OBJECT_TYPE_DEFINITION
    ? { ...node, fields: node.fields?.map((field) => withTaggedArgument(isLegacyField(field) ? withTag(field) : field)) }
    : { ...node, fields: node.fields?.map((field) => (isLegacyField(field) ? withTag(field) : field)) };
}
