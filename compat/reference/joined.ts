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

/** A document that combines several documents, and the new names of their variables by document. */
export interface Joined {
  readonly document: string;
  readonly variables: readonly Names[];
}

/** Reserves a name, with the first unused number as a suffix if it is already reserved. */
function reserve(reserved: Set<string>, name: string): string {
  let free = name;
  for (let number = 2; reserved.has(free); number += 1) free = `${name}${number}`;
  reserved.add(free);
  return free;
}

const named = (value: string) => ({ kind: Kind.NAME as const, value });

/** A copy of a definition with new names for its variables and fragment spreads. */
const renamed = <N extends OperationDefinitionNode | FragmentDefinitionNode>(node: N, variables: Names, fragments: Names): N =>
  visit(node, {
    Variable: (each) => ({ ...each, name: named(variables.get(each.name.value) ?? each.name.value) }),
    FragmentSpread: (each) => ({ ...each, name: named(fragments.get(each.name.value) ?? each.name.value) }),
  });

/** Fragments of a document. Each follows the fragments that it uses. */
function inOrder({ definitions }: DocumentNode): FragmentDefinitionNode[] {
  const left = new Map(
    definitions.flatMap((each) => (each.kind === Kind.FRAGMENT_DEFINITION ? [[each.name.value, each] as const] : [])),
  );
  const found: FragmentDefinitionNode[] = [];
  const add = (name: string): void => {
    const fragment = left.get(name);
    if (!fragment) return;
    left.delete(name);
    visit(fragment, { FragmentSpread: (spread) => add(spread.name.value) });
    found.push(fragment);
  };
  for (const name of [...left.keys()]) add(name);
  return found;
}

const isField = (node: { readonly kind: Kind }): node is FieldNode => node.kind === Kind.FIELD;

/**
 * Combines several queries into one. Conflicting root fields get aliases. Conflicting variables and different fragments with the same name get new
 * names. Null if one is a mutation or subscription, or has a fragment at its root.
 */
export function joined(name: string, documents: readonly string[]): Joined | null {
  const [rootKeys, variableNames] = [new Set<string>(), new Set<string>()];
  const texts = new Map<string, string>();
  const fields: FieldNode[] = [];
  const declared: VariableDefinitionNode[] = [];
  const variables: Names[] = [];
  for (const text of documents) {
    const document = parse(text, { noLocation: true });
    const operation = document.definitions.find((each) => each.kind === Kind.OPERATION_DEFINITION);
    if (operation?.operation !== OperationTypeNode.QUERY || !operation.selectionSet.selections.every(isField)) return null;
    const own = new Map(
      (operation.variableDefinitions ?? []).map(
        ({ variable: { name: each } }) => [each.value, reserve(variableNames, each.value)] as const,
      ),
    );
    const fragments = new Map<string, string>();
    for (const fragment of inOrder(document)) {
      const changed = renamed(fragment, own, fragments);
      const originalName = fragment.name.value;
      let newName = originalName;
      const printAs = (candidate: string) => print({ ...changed, name: named(candidate) });
      for (let number = 2; texts.has(newName) && texts.get(newName) !== printAs(newName); number += 1)
        newName = `${originalName}${number}`;
      texts.set(newName, printAs(newName));
      fragments.set(originalName, newName);
    }
    const { selectionSet, variableDefinitions = [] } = renamed(operation, own, fragments);
    for (const field of selectionSet.selections.filter(isField)) {
      const key = field.alias?.value ?? field.name.value;
      const free = reserve(rootKeys, key);
      fields.push(free === key ? field : { ...field, alias: named(free) });
    }
    declared.push(...variableDefinitions);
    variables.push(own);
  }
  const operationText = print({
    kind: Kind.OPERATION_DEFINITION,
    operation: OperationTypeNode.QUERY,
    name: named(name),
    variableDefinitions: declared,
    selectionSet: { kind: Kind.SELECTION_SET, selections: fields },
  });
  return { document: [operationText, ...texts.values()].join('\n\n'), variables };
}
