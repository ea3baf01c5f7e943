import { Kind, type SelectionNode, type SelectionSetNode, type ValidationRule } from 'graphql';
import { problem } from '../../kernel/declare/errors.js';

/**
 * Refuses `@skip` and `@include` at the root of a subscription, as the GraphQL specification does: its one field is known before any variable.
 * Follows fragments, which are not to go in circles.
 */
export const wholeRoots: ValidationRule = (context) => {
  const inside = (node: SelectionNode): SelectionSetNode | undefined => {
    if (node.kind === Kind.FIELD) return undefined;
    return node.kind === Kind.INLINE_FRAGMENT ? node.selectionSet : context.getFragment(node.name.value)?.selectionSet;
  };
  const isConditional = (node: SelectionNode): boolean =>
    node.directives?.some(({ name }) => name.value === 'skip' || name.value === 'include') ||
    inside(node)?.selections.some(isConditional) ||
    false;
  return {
    OperationDefinition({ operation, selectionSet }) {
      if (operation !== 'subscription' || !selectionSet.selections.some(isConditional)) return;
      const expected = 'query: expected the field of a subscription without @skip and @include, which may stand on fields in it';
      context.reportError(problem('BAD_INPUT', expected));
    },
  };
};
