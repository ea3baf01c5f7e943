import { type DocumentNode, Kind, type SelectionSetNode, visit } from 'graphql';

const known = new WeakMap<DocumentNode, DocumentNode>();

/** Puts a field that stands beside another one of the same name into a fragment of its own. */
function apart(set: SelectionSetNode): SelectionSetNode | undefined {
  const names = new Set<string>();
  const selections = set.selections.map((node) => {
    const name = node.kind === Kind.FIELD && node.selectionSet ? (node.alias ?? node.name).value : '';
    if (name === '' || !names.has(name)) {
      names.add(name);
      return node;
    }
    const selectionSet: SelectionSetNode = { kind: Kind.SELECTION_SET, selections: [node] };
    return { kind: Kind.INLINE_FRAGMENT as const, selectionSet };
  });
  return selections.every((node, index) => node === set.selections[index]) ? undefined : { ...set, selections };
}

/**
 * The same document for an engine that appends the items of a list that is asked for twice side by side, `tags { a } tags { b }`, where it
 * should merge them one by one; of fragments it does.
 */
export function withoutRepeatedFields(document: DocumentNode): DocumentNode {
  const changed = known.get(document) ?? visit(document, { SelectionSet: { leave: apart } });
  known.set(document, changed);
  return changed;
}
