import {
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  type ValidationContext,
  type ValidationRule,
} from 'graphql';
import { problem } from '../kernel/declare/errors.js';

type Fragment = (name: string) => FragmentDefinitionNode | null | undefined;

/** How many selections there are when fragments are written out wherever they are spread; each fragment is counted once. */
export function writtenOut(set: SelectionSetNode, fragment: Fragment, known = new Map<string, number>()): number {
  let count = 0;
  for (const node of set.selections) {
    count += 1;
    if (node.kind !== Kind.FRAGMENT_SPREAD) {
      if (node.selectionSet) count += writtenOut(node.selectionSet, fragment, known);
      continue;
    }
    const name = node.name.value;
    const spread = known.has(name) ? null : fragment(name);
    if (spread) {
      // A circle ends here, and is refused.
      known.set(name, 0);
      known.set(name, writtenOut(spread.selectionSet, fragment, known));
    }
    count += known.get(name) ?? 0;
  }
  return count;
}

/** The fields of selections that are merged, by the keys under which they are answered. Fragments must not contain themselves. */
function merged(
  sets: readonly SelectionSetNode[],
  fragment: Fragment,
  into = new Map<string, FieldNode[]>(),
  seen = new Set<string>(),
): ReadonlyMap<string, readonly FieldNode[]> {
  for (const { selections } of sets)
    for (const node of selections) {
      if (node.kind === Kind.FIELD) {
        const key = (node.alias ?? node.name).value;
        const fields = into.get(key);
        if (fields) fields.push(node);
        else into.set(key, [node]);
      } else if (node.kind === Kind.INLINE_FRAGMENT) merged([node.selectionSet], fragment, into, seen);
      else if (!seen.has(node.name.value)) {
        seen.add(node.name.value);
        const spread = fragment(node.name.value);
        if (spread) merged([spread.selectionSet], fragment, into, seen);
      }
    }
  return into;
}

/** How often two fields that are answered under one key have to be held against each other, as validation does. */
export function pairs(sets: readonly SelectionSetNode[], fragment: Fragment): number {
  let count = 0;
  for (const fields of merged(sets, fragment).values()) {
    count += (fields.length * (fields.length - 1)) / 2;
    const inner = fields.flatMap(({ selectionSet }) => selectionSet ?? []);
    if (inner.length) count += pairs(inner, fragment);
  }
  return count;
}

/** Refuses documents of which something, summed over the operations, is more than there may be. */
const atMost =
  (most: number, what: string, countOf: (operation: OperationDefinitionNode, fragment: Fragment) => number): ValidationRule =>
  (context: ValidationContext) => {
    let count = 0;
    return {
      OperationDefinition(operation) {
        count += countOf(operation, (name) => context.getFragment(name));
      },
      Document: {
        leave() {
          if (count > most)
            context.reportError(problem('BAD_INPUT', `the document has more than ${most} ${what}: expected at most ${most}`));
        },
      },
    };
  };

export const maxWrittenOut = (most: number): ValidationRule =>
  atMost(most, 'selections when its fragments are written out', ({ selectionSet }, fragment) =>
    writtenOut(selectionSet, fragment),
  );

/** Takes as many steps as there are selections written out: to be asked when these have been counted. */
export const maxPairs = (most: number): ValidationRule =>
  atMost(most, 'pairs of fields with the same key in the same place', ({ selectionSet }, fragment) =>
    pairs([selectionSet], fragment),
  );
