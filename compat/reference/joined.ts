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

/** A document that asks for all that several ask for, and what their variables are called in it, document by document. */
export interface Joined {
  readonly document: string;
  readonly variables: readonly Names[];
}

/** The name itself, or with the first number that nobody has; nobody gets it afterwards. */
function taking(taken: Set<string>, name: string): string {
  let free = name;
  for (let number = 2; taken.has(free); number += 1) free = `${name}${number}`;
  taken.add(free);
  return free;
}

const named = (value: string) => ({ kind: Kind.NAME as const, value });

/** The same with other names for its variables and for the fragments that it spreads. */
const renamed = <N extends OperationDefinitionNode | FragmentDefinitionNode>(node: N, variables: Names, fragments: Names): N =>
  visit(node, {
    Variable: (each) => ({ ...each, name: named(variables.get(each.name.value) ?? each.name.value) }),
    FragmentSpread: (each) => ({ ...each, name: named(fragments.get(each.name.value) ?? each.name.value) }),
  });

/** Fragments by their names, each behind those that it spreads. */
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
 * Makes one query of several. Root fields that clash have aliases, variables that clash other names, and so have fragments that are not the same
 * text; null where one of them changes something, or spreads a fragment at its root.
 */
export function joined(name: string, documents: readonly string[]): Joined | null {
  const [roots, taken] = [new Set<string>(), new Set<string>()];
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
        ({ variable: { name: each } }) => [each.value, taking(taken, each.value)] as const,
      ),
    );
    const fragments = new Map<string, string>();
    for (const fragment of inOrder(document)) {
      const changed = renamed(fragment, own, fragments);
      const called = fragment.name.value;
      let place = called;
      const as = (free: string) => print({ ...changed, name: named(free) });
      for (let number = 2; texts.has(place) && texts.get(place) !== as(place); number += 1) place = `${called}${number}`;
      texts.set(place, as(place));
      fragments.set(called, place);
    }
    const { selectionSet, variableDefinitions = [] } = renamed(operation, own, fragments);
    for (const field of selectionSet.selections.filter(isField)) {
      const key = field.alias?.value ?? field.name.value;
      const free = taking(roots, key);
      fields.push(free === key ? field : { ...field, alias: named(free) });
    }
    declared.push(...variableDefinitions);
    variables.push(own);
  }
  const whole = print({
    kind: Kind.OPERATION_DEFINITION,
    operation: OperationTypeNode.QUERY,
    name: named(name),
    variableDefinitions: declared,
    selectionSet: { kind: Kind.SELECTION_SET, selections: fields },
  });
  return { document: [whole, ...texts.values()].join('\n\n'), variables };
}
