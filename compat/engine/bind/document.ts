import {
  type DocumentNode,
  type FieldNode,
  type GraphQLField,
  type GraphQLSchema,
  getNamedType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  parse,
  print,
  type SelectionNode,
  visit,
} from 'graphql';
import type { Codecs } from './codec.js';

/** A parsed GraphQL operation. */
export interface ParsedOperation {
  readonly operation: OperationDefinitionNode;
  /** Names of the fragments that the operation spreads. */
  readonly fragments: ReadonlySet<string>;
  /** Selected root fields. */
  readonly roots: readonly FieldNode[];
  /** Definition of the root field in the schema. Undefined if the operation has several root fields. */
  readonly field: GraphQLField<unknown, unknown> | undefined;
}

const isField = (node: SelectionNode): node is FieldNode => node.kind === Kind.FIELD;
const isOperation = (node: DocumentNode['definitions'][number]): node is OperationDefinitionNode =>
  node.kind === Kind.OPERATION_DEFINITION;

/** Parses an operation. Throws if the text has several definitions, or if the operation selects root fields with a fragment. */
export function parsedOperation(text: string, schema: GraphQLSchema): ParsedOperation {
  const document = parse(text, { noLocation: true });
  const [operation, ...otherDefinitions] = document.definitions;
  if (!operation || !isOperation(operation) || otherDefinitions.length)
    throw new Error('must be one operation without fragment definitions: the record tables define all fragments');
  const roots = operation.selectionSet.selections.filter(isField);
  if (roots.length !== operation.selectionSet.selections.length) throw new Error('must select root fields without fragments');
  const field = roots.length === 1 ? schema.getRootType(operation.operation)?.getFields()[roots[0]?.name.value ?? ''] : undefined;
  return { operation, fragments: spreadsOf(document), roots, field };
}

function spreadsOf(document: DocumentNode): Set<string> {
  const names = new Set<string>();
  visit(document, { FragmentSpread: ({ name }) => void names.add(name.value) });
  return names;
}

/** Prints an operation and all fragments that it uses, directly or indirectly. Throws if a fragment is unknown. */
export function documentOf(operation: OperationDefinitionNode, codecs: Codecs): string {
  const texts = [print(operation)];
  const includedFragments = new Set<string>();
  const add = (names: Iterable<string>): void => {
    for (const name of names) {
      if (includedFragments.has(name)) continue;
      includedFragments.add(name);
      const fragment = codecs.findByFragment(name)?.fragment;
      if (!fragment) throw new Error(`spreads ...${name}, but no record table with a type has this name`);
      texts.push(fragment);
      add(spreadsOf(parse(fragment)));
    }
  };
  add(spreadsOf({ kind: Kind.DOCUMENT, definitions: [operation] }));
  return texts.join('\n');
}

const pagingArguments = ['first', 'after', 'offset'];

/** Whether a root field returns a connection: an object with `nodes`. */
export const isConnection = (field: GraphQLField<unknown, unknown> | undefined): boolean => {
  const type = field && getNamedType(field.type);
  return isObjectType(type) && 'nodes' in type.getFields();
};

/**
 * Adds the arguments `first`, `after` and `offset` to a connection field, with values from variables of the same name. Keeps arguments that
 * the operation already sets.
 */
export function withPaging({ operation, roots: [root], field }: ParsedOperation): OperationDefinitionNode {
  const missing = field?.args.filter(
    ({ name }) => pagingArguments.includes(name) && !root?.arguments?.some((argument) => argument.name.value === name),
  );
  if (!root || !missing?.length) return operation;
  const declared = new Set(operation.variableDefinitions?.map(({ variable }) => variable.name.value));
  const variables = missing.filter(({ name }) => !declared.has(name)).map(({ name, type }) => `$${name}: ${type}`);
  const text = `query ${variables.length ? `(${variables.join(', ')})` : ''} { list(${missing.map(({ name }) => `${name}: $${name}`).join(', ')}) }`;
  const [parsedOperation] = parse(text, { noLocation: true }).definitions.filter(isOperation);
  const [list] = parsedOperation?.selectionSet.selections.filter(isField) ?? [];
  return {
    ...operation,
    variableDefinitions: [...(operation.variableDefinitions ?? []), ...(parsedOperation?.variableDefinitions ?? [])],
    selectionSet: {
      ...operation.selectionSet,
      selections: [{ ...root, arguments: [...(root.arguments ?? []), ...(list?.arguments ?? [])] }],
    },
  };
}

const pageInfo =
  parse('{ pageInfo { endCursor hasNextPage } }', { noLocation: true }).definitions.filter(isOperation)[0]?.selectionSet
    .selections ?? [];

/**
 * Returns the operation that reads one page of a list and its cursor. After the first page, it selects only the `nodes` of the connection,
 * without the total.
 */
export function pageOf(operation: OperationDefinitionNode, first: boolean): OperationDefinitionNode {
  const selections = operation.selectionSet.selections.filter(isField).map((root) => {
    const selected =
      root.selectionSet?.selections.filter((node) => isField(node) && (first || node.name.value === 'nodes')) ?? [];
    return { ...root, selectionSet: { kind: Kind.SELECTION_SET as const, selections: [...selected, ...pageInfo] } };
  });
  return { ...operation, selectionSet: { ...operation.selectionSet, selections } };
}
