import { type DocumentNode, type FragmentDefinitionNode, getOperationAST, Kind, type SelectionSetNode } from 'graphql';
import type { OperationFacts } from '../../kernel/monitoring/request-facts.js';

/** Facts about operations, keyed by document and operation name. */
const factsByDocument = new WeakMap<DocumentNode, Map<string, OperationFacts | null>>();

/** Returns the type, name and root fields of an operation. Null if the document has no such operation. */
export function operationFactsOf(document: DocumentNode, operationName: string | null | undefined): OperationFacts | null {
  const operations = factsByDocument.get(document) ?? new Map<string, OperationFacts | null>();
  factsByDocument.set(document, operations);
  const key = operationName ?? '';
  const cachedFacts = operations.get(key);
  if (cachedFacts !== undefined) return cachedFacts;
  const operation = getOperationAST(document, operationName);
  const facts = operation
    ? {
        type: operation.operation,
        name: operation.name?.value,
        rootFields: rootFieldsOf(document, operation.selectionSet),
      }
    : null;
  operations.set(key, facts);
  return facts;
}

/** Returns the names of the selected root fields, each once. Includes fields in fragments, and those that a directive may omit. */
function rootFieldsOf(document: DocumentNode, selectionSet: SelectionSetNode): readonly string[] {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions)
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  const names = new Set<string>();
  const pending: SelectionSetNode[] = [selectionSet];
  const visited = new Set<SelectionSetNode>();
  for (let current = pending.pop(); current; current = pending.pop()) {
    if (visited.has(current)) continue;
    visited.add(current);
    for (const selection of current.selections) {
      if (selection.kind === Kind.FIELD) names.add(selection.name.value);
      else if (selection.kind === Kind.INLINE_FRAGMENT) pending.push(selection.selectionSet);
      else {
        const fragment = fragments.get(selection.name.value);
        if (fragment) pending.push(fragment.selectionSet);
      }
    }
  }
  return [...names];
}
