import { type DocumentNode, type FieldNode, Kind, type OperationDefinitionNode, type SelectionSetNode } from 'graphql';

/** A selection set, and whether `@skip` or `@include` applies to it. */
interface Part {
  readonly selectionSet: SelectionSetNode;
  readonly isConditional: boolean;
}

/** Fields that have selections, by response key. Fragments on different types count as if they applied to the same value. */
function fieldsByKey(
  document: DocumentNode,
  parts: readonly Part[],
  partsByKey: Map<string, Part[]> = new Map(),
): Map<string, Part[]> {
  const keyOf = ({ alias, name }: FieldNode): string => (alias ?? name).value;
  for (const { selectionSet, isConditional: isPartConditional } of parts)
    for (const node of selectionSet.selections) {
      const isConditional = isPartConditional || (node.directives?.length ?? 0) > 0;
      if (node.kind === Kind.FIELD) {
        if (node.selectionSet)
          partsByKey.set(keyOf(node), [
            ...(partsByKey.get(keyOf(node)) ?? []),
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
        fieldsByKey(document, [{ selectionSet: fragment.selectionSet, isConditional }], partsByKey);
    }
  return partsByKey;
}

/**
 * Whether an operation selects a field with selections twice, at least once with `@skip` or `@include` on it or on a fragment around it.
 * graphql-jit then returns the selections of both, even if a directive excludes one of them.
 */
export function mergesConditionally(document: DocumentNode, { selectionSet }: OperationDefinitionNode): boolean {
  const isMerged = (parts: readonly Part[]): boolean =>
    [...fieldsByKey(document, parts).values()].some(
      (fields) =>
        (fields.length > 1 && fields.some(({ isConditional }) => isConditional)) ||
        isMerged(fields.map(({ selectionSet }) => ({ selectionSet, isConditional: false }))),
    );
  return isMerged([{ selectionSet, isConditional: false }]);
}
