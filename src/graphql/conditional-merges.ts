import { type DocumentNode, type FieldNode, Kind, type OperationDefinitionNode, type SelectionSetNode } from 'graphql';

/** A selection set, and whether `@skip` or `@include` applies to it. */
interface ConditionalSelection {
  readonly selectionSet: SelectionSetNode;
  readonly isConditional: boolean;
}

/**
 * Returns the fields that have subselections, grouped by response key. Includes the fields of all fragments, even if their types exclude
 * each other.
 */
function collectFields(
  document: DocumentNode,
  selections: readonly ConditionalSelection[],
  fieldsByKey: Map<string, ConditionalSelection[]> = new Map(),
): Map<string, ConditionalSelection[]> {
  const keyOf = ({ alias, name }: FieldNode): string => (alias ?? name).value;
  for (const { selectionSet, isConditional: isParentConditional } of selections)
    for (const node of selectionSet.selections) {
      const isConditional = isParentConditional || (node.directives?.length ?? 0) > 0;
      if (node.kind === Kind.FIELD) {
        if (node.selectionSet)
          fieldsByKey.set(keyOf(node), [
            ...(fieldsByKey.get(keyOf(node)) ?? []),
            { selectionSet: node.selectionSet, isConditional },
          ]);
        continue;
      }
      const fragment =
        node.kind === Kind.INLINE_FRAGMENT
          ? node
          : document.definitions.find(
              (definition) => definition.kind === Kind.FRAGMENT_DEFINITION && definition.name.value === node.name.value,
            );
      if (fragment && 'selectionSet' in fragment)
        collectFields(document, [{ selectionSet: fragment.selectionSet, isConditional }], fieldsByKey);
    }
  return fieldsByKey;
}

/**
 * Whether an operation selects a field more than once, with subselections, and at least one of these selections has `@skip` or `@include`. In
 * this case, graphql-jit returns the subselections of all selections, even of those that the directive excludes.
 */
export function mergesConditionally(document: DocumentNode, { selectionSet }: OperationDefinitionNode): boolean {
  const isMerged = (selections: readonly ConditionalSelection[]): boolean =>
    [...collectFields(document, selections).values()].some(
      (fields) =>
        (fields.length > 1 && fields.some(({ isConditional }) => isConditional)) ||
        isMerged(fields.map(({ selectionSet }) => ({ selectionSet, isConditional: false }))),
    );
  return isMerged([{ selectionSet, isConditional: false }]);
}
