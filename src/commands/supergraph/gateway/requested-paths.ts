import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  getOperationAST,
  Kind,
  type SelectionSetNode,
} from 'graphql';
import { isExcluded } from './merge-selections.js';

type Variables = Record<string, unknown>;
type Path = (string | number)[];

/** Returns the paths that are null if a subgraph does not respond to an operation: its root fields, or the fields of each entity. */
export function requestedPaths(document: DocumentNode, operationName: string | undefined, variables: Variables): Path[] {
  const fragments = new Map(
    document.definitions.flatMap((node): [string, FragmentDefinitionNode][] =>
      node.kind === Kind.FRAGMENT_DEFINITION ? [[node.name.value, node]] : [],
    ),
  );
  const fieldsOf = (set: SelectionSetNode | undefined, type: unknown): FieldNode[] =>
    (set?.selections ?? []).flatMap((node) => {
      if (isExcluded(node, variables)) return [];
      if (node.kind === Kind.FIELD) return node.name.value === '__typename' ? [] : [node];
      const definition = node.kind === Kind.FRAGMENT_SPREAD ? fragments.get(node.name.value) : node;
      const condition = definition?.typeCondition?.name.value;
      return condition === undefined || type === undefined || condition === type ? fieldsOf(definition?.selectionSet, type) : [];
    });
  const keyOf = ({ alias, name }: FieldNode) => (alias ?? name).value;
  return fieldsOf(getOperationAST(document, operationName)?.selectionSet, undefined).flatMap((field): Path[] => {
    if (field.name.value !== '_entities') return [[keyOf(field)]];
    return representationsOf(field, variables).flatMap((representation, index) =>
      fieldsOf(field.selectionSet, representation.__typename).map((nestedField) => [keyOf(field), index, keyOf(nestedField)]),
    );
  });
}

function representationsOf({ arguments: args = [] }: FieldNode, variables: Variables): { __typename?: unknown }[] {
  const value = args.find(({ name }) => name.value === 'representations')?.value;
  const list = value?.kind === Kind.VARIABLE ? variables[value.name.value] : [];
  return Array.isArray(list) ? list : [];
}
