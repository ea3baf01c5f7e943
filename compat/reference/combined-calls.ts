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
import { capitalize } from './names.js';
import type { ReferenceCall } from './operation.js';

type Names = ReadonlyMap<string, string>;

/** A GraphQL document that combines several documents. */
export interface CombinedDocument {
  readonly document: string;
  /** New variable names, keyed by original name. One map for each of the combined documents. */
  readonly variables: readonly Names[];
}

/** Returns a unique name and reserves it. If the name is already reserved, appends the first free number, starting at 2. */
function reserve(reserved: Set<string>, name: string): string {
  let uniqueName = name;
  for (let number = 2; reserved.has(uniqueName); number += 1) uniqueName = `${name}${number}`;
  reserved.add(uniqueName);
  return uniqueName;
}

const nameNode = (value: string) => ({ kind: Kind.NAME as const, value });

/** Returns a copy of a definition with new names for its variables and fragment spreads. */
const withNewNames = <N extends OperationDefinitionNode | FragmentDefinitionNode>(
  node: N,
  variables: Names,
  fragments: Names,
): N =>
  visit(node, {
    Variable: (reference) => ({ ...reference, name: nameNode(variables.get(reference.name.value) ?? reference.name.value) }),
    FragmentSpread: (spread) => ({ ...spread, name: nameNode(fragments.get(spread.name.value) ?? spread.name.value) }),
  });

/** Returns the fragments of a document. Each fragment follows the fragments that it spreads. */
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
export function combineDocuments(name: string, documents: readonly string[]): CombinedDocument | null {
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

/** Maximum number of operations in a combined query, and maximum number of combined queries. */
const [maxOperations, maxCombinations] = [4, 12];

/** An operation of `/v1` with its GraphQL calls. */
export interface CombinableOperation<C extends CombinableCall> {
  readonly name: string;
  readonly calls: readonly C[];
}
type CombinableCall = Pick<ReferenceCall, 'when' | 'document'> & Partial<Pick<ReferenceCall, 'variables'>>;

/** A query that combines several calls. */
export interface CombinedCall<C extends CombinableCall> extends Omit<ReferenceCall, 'coordinates'> {
  readonly calls: readonly C[];
}

/**
 * Returns all combinations of one call per operation. If an operation occurs several times, each combination uses the same call for all
 * occurrences.
 */
function combinations<C extends CombinableCall>(operations: readonly CombinableOperation<C>[]): C[][] {
  const names = operations.map(({ name }) => name);
  return operations.reduce<C[][]>(
    (combinations, { name, calls }, index) => {
      const firstIndex = names.indexOf(name);
      return combinations.flatMap((combination) => {
        const sameNameCall = firstIndex < index ? combination[firstIndex] : undefined;
        return (sameNameCall ? [sameNameCall] : calls).map((call) => [...combination, call]);
      });
    },
    [[]],
  );
}

/**
 * Returns a combined query for each combination of the operations' calls, at most 12. Skips combinations that cannot be merged into one
 * query. Returns an empty list unless there are 2 to 4 operations.
 */
export function combinedCalls<C extends CombinableCall>(operations: readonly CombinableOperation<C>[]): CombinedCall<C>[] {
  if (operations.length < 2 || operations.length > maxOperations) return [];
  const names = operations.map(({ name }) => capitalize(name));
  const name = new Set(names).size === 1 ? `${names[0]}Several` : names.join('And');
  return combinations(operations)
    .slice(0, maxCombinations)
    .flatMap((calls) => {
      const combinedDocument = combineDocuments(
        name,
        calls.map(({ document }) => document),
      );
      if (!combinedDocument) return [];
      const conditions = [...new Set(calls.flatMap(({ when }) => when ?? []))];
      const variables = calls.flatMap(({ variables: callVariables = {} }, index) =>
        Object.entries(callVariables).map(([key, value]) => [combinedDocument.variables[index]?.get(key) ?? key, value] as const),
      );
      return [
        {
          calls,
          when: conditions.length > 0 ? conditions.join(' ') : null,
          document: combinedDocument.document,
          variables: Object.fromEntries(variables),
        },
      ];
    });
}
