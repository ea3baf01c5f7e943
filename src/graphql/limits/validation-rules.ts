import {
  type ASTNode,
  type ASTVisitFn,
  type FieldNode,
  type FloatValueNode,
  type FragmentDefinitionNode,
  type IntValueNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
  type ValidationContext,
  type ValidationRule,
} from 'graphql';
import { createError } from '../../kernel/declare/errors.js';

type Fragment = (name: string) => FragmentDefinitionNode | null | undefined;

/** Returns the number of selections after all fragment spreads are expanded. `sizes` caches the size of each fragment. */
function expandedSize(selectionSet: SelectionSetNode, fragment: Fragment, sizes = new Map<string, number>()): number {
  let count = 0;
  for (const node of selectionSet.selections) {
    count += 1;
    if (node.kind !== Kind.FRAGMENT_SPREAD) {
      if (node.selectionSet) count += expandedSize(node.selectionSet, fragment, sizes);
      continue;
    }
    const name = node.name.value;
    const unmeasuredFragment = sizes.has(name) ? null : fragment(name);
    if (unmeasuredFragment) {
      // A cyclic fragment counts as 0 here. Another rule rejects it.
      sizes.set(name, 0);
      sizes.set(name, expandedSize(unmeasuredFragment.selectionSet, fragment, sizes));
    }
    count += sizes.get(name) ?? 0;
  }
  return count;
}

/** Returns the fields of selection sets and their fragments, grouped by response key. Fragments must not be cyclic. */
function mergedFields(
  selectionSets: readonly SelectionSetNode[],
  fragment: Fragment,
  fieldsByKey = new Map<string, FieldNode[]>(),
  visitedNames = new Set<string>(),
): ReadonlyMap<string, readonly FieldNode[]> {
  for (const { selections } of selectionSets)
    for (const node of selections) {
      if (node.kind === Kind.FIELD) {
        const key = (node.alias ?? node.name).value;
        const fields = fieldsByKey.get(key);
        if (fields) fields.push(node);
        else fieldsByKey.set(key, [node]);
      } else if (node.kind === Kind.INLINE_FRAGMENT) mergedFields([node.selectionSet], fragment, fieldsByKey, visitedNames);
      else if (!visitedNames.has(node.name.value)) {
        visitedNames.add(node.name.value);
        const spread = fragment(node.name.value);
        if (spread) mergedFields([spread.selectionSet], fragment, fieldsByKey, visitedNames);
      }
    }
  return fieldsByKey;
}

/** Returns the number of field pairs with the same response key that validation has to compare. */
function countComparedFieldPairs(selectionSets: readonly SelectionSetNode[], fragment: Fragment): number {
  let count = 0;
  for (const fields of mergedFields(selectionSets, fragment).values()) {
    count += (fields.length * (fields.length - 1)) / 2;
    const nestedSelectionSets = fields.flatMap(({ selectionSet }) => selectionSet ?? []);
    if (nestedSelectionSets.length) count += countComparedFieldPairs(nestedSelectionSets, fragment);
  }
  return count;
}

/** Creates a rule that adds up a count for all operations of a document, and rejects the document if the sum exceeds a maximum. */
const limitSum =
  (
    maximum: number,
    description: string,
    countOf: (operation: OperationDefinitionNode, fragment: Fragment) => number,
  ): ValidationRule =>
  (context: ValidationContext) => {
    let count = 0;
    return {
      OperationDefinition(operation) {
        count += countOf(operation, (name) => context.getFragment(name));
      },
      Document: {
        leave() {
          if (count > maximum)
            context.reportError(
              createError('BAD_INPUT', `the document has too many ${description}: expected at most ${maximum}`),
            );
        },
      },
    };
  };

export const maxExpandedSize = (maximum: number): ValidationRule =>
  limitSum(maximum, 'selections after its fragments are expanded', ({ selectionSet }, fragment) =>
    expandedSize(selectionSet, fragment),
  );

/**
 * Creates a rule that limits the number of field pairs that validation compares. The rule takes time proportional to the expanded size, so
 * the expanded size must be checked first.
 */
export const maxPairs = (maximum: number): ValidationRule =>
  limitSum(maximum, 'pairs of fields with the same response key in the same selection', ({ selectionSet }, fragment) =>
    countComparedFieldPairs([selectionSet], fragment),
  );

/** Returns an array with the path segment for an ancestor of a value. The array is empty if the node adds no segment to the path. */
const nameOf = (node: ASTNode | readonly ASTNode[]): string[] => {
  if (!('kind' in node)) return [];
  if (node.kind === Kind.ARGUMENT || node.kind === Kind.OBJECT_FIELD) return [node.name.value];
  return node.kind === Kind.VARIABLE_DEFINITION ? [`$${node.variable.name.value}`] : [];
};

/** Rejects number literals outside the range of a double. graphql-js rejects such numbers only in variables. */
export const finiteNumbers: ValidationRule = (context) => {
  const checkNumber: ASTVisitFn<IntValueNode | FloatValueNode> = ({ value }, _, parent, __, ancestors) => {
    if (Number.isFinite(Number(value))) return;
    const path = [...ancestors, ...(parent ? [parent] : [])].flatMap(nameOf).join('.');
    context.reportError(createError('BAD_INPUT', `${path}: expected a number up to ${Number.MAX_VALUE}`));
  };
  return { IntValue: checkNumber, FloatValue: checkNumber };
};

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
