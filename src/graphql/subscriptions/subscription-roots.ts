import { Kind, type SelectionNode, type SelectionSetNode, type ValidationRule } from 'graphql';
import { createError } from '../../kernel/declare/errors.js';

/**
 * Rejects `@skip` and `@include` at the root of a subscription, as the GraphQL specification requires. The root field must not
 * depend on variables. Follows fragments, which must not be cyclic.
 */
export const unconditionalRoots: ValidationRule = (context) => {
  const nestedSelections = (node: SelectionNode): SelectionSetNode | undefined => {
    if (node.kind === Kind.FIELD) return undefined;
    return node.kind === Kind.INLINE_FRAGMENT ? node.selectionSet : context.getFragment(node.name.value)?.selectionSet;
  };
  const isConditional = (node: SelectionNode): boolean =>
    node.directives?.some(({ name }) => name.value === 'skip' || name.value === 'include') ||
    nestedSelections(node)?.selections.some(isConditional) ||
    false;
  return {
    OperationDefinition({ operation, selectionSet }) {
      if (operation !== 'subscription' || !selectionSet.selections.some(isConditional)) return;
      const expected = 'query: expected the root field of a subscription without @skip and @include';
      context.reportError(createError('BAD_INPUT', expected));
    },
  };
};
