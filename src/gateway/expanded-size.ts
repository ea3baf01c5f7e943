import {
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  type ValidationContext,
  type ValidationRule,
} from 'graphql';
import { createError } from '../kernel/declare/errors.js';

type Fragment = (name: string) => FragmentDefinitionNode | null | undefined;

/** Number of selections after all fragment spreads are expanded. Each fragment is counted once and cached in `sizes`. */
export function expandedSize(set: SelectionSetNode, fragment: Fragment, sizes = new Map<string, number>()): number {
  let count = 0;
  for (const node of set.selections) {
    count += 1;
    if (node.kind !== Kind.FRAGMENT_SPREAD) {
      if (node.selectionSet) count += expandedSize(node.selectionSet, fragment, sizes);
      continue;
    }
    const name = node.name.value;
    const spread = sizes.has(name) ? null : fragment(name);
    if (spread) {
      // A cyclic fragment counts as 0 here. Another rule rejects it.
      sizes.set(name, 0);
      sizes.set(name, expandedSize(spread.selectionSet, fragment, sizes));
    }
    count += sizes.get(name) ?? 0;
  }
  return count;
}

/** Merged fields of selection sets by response key. Fragments must not be cyclic. */
function mergedFields(
  sets: readonly SelectionSetNode[],
  fragment: Fragment,
  fieldsByKey = new Map<string, FieldNode[]>(),
  seen = new Set<string>(),
): ReadonlyMap<string, readonly FieldNode[]> {
  for (const { selections } of sets)
    for (const node of selections) {
      if (node.kind === Kind.FIELD) {
        const key = (node.alias ?? node.name).value;
        const fields = fieldsByKey.get(key);
        if (fields) fields.push(node);
        else fieldsByKey.set(key, [node]);
      } else if (node.kind === Kind.INLINE_FRAGMENT) mergedFields([node.selectionSet], fragment, fieldsByKey, seen);
      else if (!seen.has(node.name.value)) {
        seen.add(node.name.value);
        const spread = fragment(node.name.value);
        if (spread) mergedFields([spread.selectionSet], fragment, fieldsByKey, seen);
      }
    }
  return fieldsByKey;
}

/** Number of field pairs with the same response key that validation has to compare. */
export function countComparedFieldPairs(sets: readonly SelectionSetNode[], fragment: Fragment): number {
  let count = 0;
  for (const fields of mergedFields(sets, fragment).values()) {
    count += (fields.length * (fields.length - 1)) / 2;
    const inner = fields.flatMap(({ selectionSet }) => selectionSet ?? []);
    if (inner.length) count += countComparedFieldPairs(inner, fragment);
  }
  return count;
}

/** Rejects a document if the sum of a count over its operations exceeds a maximum. */
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
              createError('BAD_INPUT', `the document has more than ${maximum} ${description}: expected at most ${maximum}`),
            );
        },
      },
    };
  };

export const maxExpandedSize = (maximum: number): ValidationRule =>
  limitSum(maximum, 'selections after its fragments are expanded', ({ selectionSet }, fragment) =>
    expandedSize(selectionSet, fragment),
  );

/** Takes one step per expanded selection. Run it after the expanded size is checked. */
export const maxPairs = (maximum: number): ValidationRule =>
  limitSum(maximum, 'pairs of fields with the same response key in the same selection', ({ selectionSet }, fragment) =>
    countComparedFieldPairs([selectionSet], fragment),
  );
