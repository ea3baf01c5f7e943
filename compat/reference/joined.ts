import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  parse,
  print,
  type VariableDefinitionNode,
  visit,
} from 'graphql';

type Names = ReadonlyMap<string, string>;

/** A document that combines several documents. */
export interface JoinedDocument {
  readonly document: string;
  /** New variable names by original name, for each of the combined documents. */
  readonly variables: readonly Names[];
}

/** Reserves and returns a unique name. A reserved name gets the first free number as a suffix. */
function reserve(reserved: Set<string>, name: string): string {
  let uniqueName = name;
  for (let number = 2; reserved.has(uniqueName); number += 1) uniqueName = `${name}${number}`;
  reserved.add(uniqueName);
  return uniqueName;
}

const nameNode = (value: string) => ({ kind: Kind.NAME as const, value });

/** Returns a copy of a definition with new names of its variables and fragment spreads. */
const withNewNames = <N extends OperationDefinitionNode | FragmentDefinitionNode>(
  node: N,
  variables: Names,
  fragments: Names,
): N =>
  visit(node, {
    Variable: (reference) => ({ ...reference, name: nameNode(variables.get(reference.name.value) ?? reference.name.value) }),
    FragmentSpread: (spread) => ({ ...spread, name: nameNode(fragments.get(spread.name.value) ?? spread.name.value) }),
  });

/** Returns the fragments of a document. Each one follows the fragments that it spreads. */
function inOrder({ definitions }: DocumentNode): FragmentDefinitionNode[] {
  const remainingFragments = new Map(
    definitions.flatMap((definition) =>
      definition.kind === Kind.FRAGMENT_DEFINITION ? [[definition.name.value, definition] as const] : [],
    ),
  );
  const ordered: FragmentDefinitionNode[] = [];
  const add = (name: string): void => {
    const fragment = remainingFragments.get(name);
    if (!fragment) return;
    remainingFragments.delete(name);
    visit(fragment, { FragmentSpread: (spread) => add(spread.name.value) });
    ordered.push(fragment);
  };
  for (const name of [...remainingFragments.keys()]) add(name);
  return ordered;
}

const isField = (node: { readonly kind: Kind }): node is FieldNode => node.kind === Kind.FIELD;

/**
 * Combines several queries into one. Conflicting root fields get aliases. Conflicting variables, and different fragments with the same name, get new
 * names. Null if an operation is not a query or spreads a fragment at its root.
 */
export function joinDocuments(name: string, documents: readonly string[]): JoinedDocument | null {
  const [rootKeys, variableNames] = [new Set<string>(), new Set<string>()];
  const texts = new Map<string, string>();
  const fields: FieldNode[] = [];
  const declared: VariableDefinitionNode[] = [];
  const variables: Names[] = [];
  for (const text of documents) {
    const document = parse(text, { noLocation: true });
    const operation = document.definitions.find((definition) => definition.kind === Kind.OPERATION_DEFINITION);
    if (operation?.operation !== OperationTypeNode.QUERY || !operation.selectionSet.selections.every(isField)) return null;
    const newVariableNames = new Map(
      (operation.variableDefinitions ?? []).map(
        ({ variable: { name: variableName } }) => [variableName.value, reserve(variableNames, variableName.value)] as const,
      ),
    );
    const fragments = new Map<string, string>();
    for (const fragment of inOrder(document)) {
      const renamedFragment = withNewNames(fragment, newVariableNames, fragments);
      const originalName = fragment.name.value;
      let newName = originalName;
      const printAs = (candidate: string) => print({ ...renamedFragment, name: nameNode(candidate) });
      for (let number = 2; texts.has(newName) && texts.get(newName) !== printAs(newName); number += 1)
        newName = `${originalName}${number}`;
      texts.set(newName, printAs(newName));
      fragments.set(originalName, newName);
    }
    const { selectionSet, variableDefinitions = [] } = withNewNames(operation, newVariableNames, fragments);
    for (const field of selectionSet.selections.filter(isField)) {
      const key = field.alias?.value ?? field.name.value;
      const uniqueKey = reserve(rootKeys, key);
      fields.push(uniqueKey === key ? field : { ...field, alias: nameNode(uniqueKey) });
    }
    declared.push(...variableDefinitions);
    variables.push(newVariableNames);
  }
  const operationText = print({
    kind: Kind.OPERATION_DEFINITION,
    operation: OperationTypeNode.QUERY,
    name: nameNode(name),
    variableDefinitions: declared,
    selectionSet: { kind: Kind.SELECTION_SET, selections: fields },
  });
  return { document: [operationText, ...texts.values()].join('\n\n'), variables };
}
