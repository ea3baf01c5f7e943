import {
  type DocumentNode,
  GraphQLIncludeDirective,
  GraphQLSkipDirective,
  getDirectiveValues,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';

type Variables = Record<string, unknown>;

const isLeftOut = (node: SelectionNode, variables: Variables): boolean =>
  getDirectiveValues(GraphQLSkipDirective, node, variables)?.if === true ||
  getDirectiveValues(GraphQLIncludeDirective, node, variables)?.if === false;

/** Whether `@skip` and `@include` leave nothing of a selection: graphql-js would look for the field of a subscription all the same. */
export function asksForNothing({ selections }: SelectionSetNode, document: DocumentNode, variables: Variables): boolean {
  const inside = (node: SelectionNode): SelectionSetNode | undefined => {
    if (node.kind === Kind.INLINE_FRAGMENT) return node.selectionSet;
    if (node.kind === Kind.FIELD) return undefined;
    const named = document.definitions.find((one) => one.kind === Kind.FRAGMENT_DEFINITION && one.name.value === node.name.value);
    return named?.kind === Kind.FRAGMENT_DEFINITION ? named.selectionSet : undefined;
  };
  return selections.every((node) => {
    const inner = inside(node);
    return isLeftOut(node, variables) || (inner !== undefined && asksForNothing(inner, document, variables));
  });
}
