import {
  type DocumentNode,
  type ExecutionResult,
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLError,
  GraphQLIncludeDirective,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  GraphQLSkipDirective,
  getDirectiveValues,
  getNullableType,
  isAbstractType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  valueFromASTUntyped,
} from 'graphql';
import { badInputError, expectedWithoutNul, nulMessage, pathIn } from '../../kernel/declare/errors.js';
import { Problems } from '../../kernel/declare/problems.js';

/** The execution that produced the errors. */
export interface Execution {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  readonly variables: Record<string, unknown>;
}

/** Location of an error in the document and in the response. */
interface ErrorLocation {
  /** All selections of the field, which are merged into one value of the response. */
  readonly nodes: readonly FieldNode[];
  /** Number of path segments of the value that becomes null because of the error. */
  readonly depth: number;
}

const isExcluded = (directives: Parameters<typeof getDirectiveValues>[1], { variables }: Execution): boolean =>
  getDirectiveValues(GraphQLSkipDirective, directives, variables)?.if === true ||
  getDirectiveValues(GraphQLIncludeDirective, directives, variables)?.if === false;

/** Returns the selected fields with the response key `key`, in document order, for all types that the parent value can have. */
function fieldsOf(
  key: string,
  selectionSets: readonly SelectionSetNode[],
  execution: Execution,
  visited = new Set<FragmentDefinitionNode>(),
): FieldNode[] {
  return selectionSets.flatMap(({ selections }) =>
    selections.flatMap((node) => {
      if (isExcluded(node, execution)) return [];
      if (node.kind === Kind.FIELD) return (node.alias ?? node.name).value === key ? [node] : [];
      if (node.kind === Kind.INLINE_FRAGMENT) return fieldsOf(key, [node.selectionSet], execution, visited);
      const fragment = execution.document.definitions.find(
        (definition) => definition.kind === Kind.FRAGMENT_DEFINITION && definition.name.value === node.name.value,
      );
      if (fragment?.kind !== Kind.FRAGMENT_DEFINITION || visited.has(fragment)) return [];
      visited.add(fragment);
      return fieldsOf(key, [fragment.selectionSet], execution, visited);
    }),
  );
}

/** Returns the object types that a value of this type can have. */
function objectTypesOf({ schema }: Execution, type: GraphQLOutputType): readonly GraphQLObjectType[] {
  const nullableType = getNullableType(type);
  if (isAbstractType(nullableType)) return schema.getPossibleTypes(nullableType);
  return isObjectType(nullableType) ? [nullableType] : [];
}

/** Returns the types of the selected fields. If a response key has several types, either all or none of them are nullable. */
const typesOf = (types: readonly GraphQLOutputType[], nodes: readonly FieldNode[], execution: Execution): GraphQLOutputType[] => {
  const names = new Set(nodes.map(({ name }) => name.value));
  const owners = new Set(types.flatMap((type) => objectTypesOf(execution, type)));
  const fieldTypes = [...owners].flatMap((type) => [...names].flatMap((name) => type.getFields()[name]?.type ?? []));
  return [...new Set(fieldTypes)];
};

/** Returns the nodes at the locations of an error. If no node is at these locations, returns all nodes. */
function nodesAtError(nodes: readonly FieldNode[], { locations = [] }: GraphQLError): readonly FieldNode[] {
  const isAtError = ({ loc }: FieldNode) =>
    locations.some(({ line, column }) => line === loc?.startToken.line && column === loc.startToken.column);
  const matches = nodes.filter(isAtError);
  return matches.length ? matches : nodes;
}

function locationOf(error: GraphQLError, execution: Execution): ErrorLocation {
  const root = execution.schema.getRootType(execution.operation.operation);
  let types: readonly GraphQLOutputType[] = root ? [root] : [];
  let selectionSets: readonly SelectionSetNode[] = [execution.operation.selectionSet];
  let nodes: readonly FieldNode[] = [];
  let depth = 0;
  let isAmbiguous = false;
  for (const [index, key] of (error.path ?? []).entries()) {
    const nullableTypes = types.map((type): GraphQLOutputType => getNullableType(type));
    if (typeof key === 'number') types = nullableTypes.flatMap((type) => (isListType(type) ? [type.ofType] : []));
    else {
      isAmbiguous ||= nullableTypes.length > 1 || nullableTypes.some(isAbstractType);
      nodes = fieldsOf(key, selectionSets, execution);
      selectionSets = nodes.flatMap(({ selectionSet }) => selectionSet ?? []);
      types = typesOf(types, nodes, execution);
    }
    if (!types.some(isNonNullType)) depth = index + 1;
  }
  return { nodes: isAmbiguous ? nodesAtError(nodes, error) : nodes, depth };
}

/** Whether a parent of the null value is itself null because of another error. */
function isBelowNull(data: unknown, path: readonly (string | number)[], depth: number): boolean {
  let value = data;
  for (const key of path.slice(0, depth)) {
    if (value === null || value === undefined) return true;
    value = (value as Record<string | number, unknown>)[key];
  }
  return false;
}

const compareByPosition = (
  { locations: [a] = [], path: p = [] }: GraphQLError,
  { locations: [b] = [], path: q = [] }: GraphQLError,
): number => {
  const order = (a?.line ?? 0) - (b?.line ?? 0) || (a?.column ?? 0) - (b?.column ?? 0);
  if (order) return order;
  const index = p.findIndex((key, position) => key !== q[position]);
  return Number(p[index] ?? 0) - Number(q[index] ?? 0);
};

/**
 * Normalizes errors, so that compiled and interpreted executions report the same errors. All errors get locations and are sorted in
 * document order. Each null value has at most one error.
 */
export function locateErrors(result: ExecutionResult, execution: Execution): ExecutionResult {
  if (!result.errors) return result;
  const nulls = new Set<string>();
  const errors: GraphQLError[] = [];
  for (const error of result.errors) {
    const { path = [], originalError } = error;
    const { nodes, depth } = locationOf(error, execution);
    const position = path.slice(0, depth).join('.');
    if (nulls.has(position) || isBelowNull(result.data, path, depth)) continue;
    nulls.add(position);
    const { message, extensions } = withArgumentPaths(error, nodes, execution.variables);
    errors.push(new GraphQLError(message, { nodes, path, originalError, extensions }));
  }
  return { ...result, errors: errors.sort(compareByPosition) };
}

/** Adds a problem for each string with a NUL character. */
function addProblems(value: unknown, path: string, problems: Problems): void {
  if (typeof value === 'string') {
    if (value.includes('\0')) problems.add(path, expectedWithoutNul);
  } else if (Array.isArray(value)) for (const [index, item] of value.entries()) addProblems(item, pathIn(path, index), problems);
  else if (typeof value === 'object' && value !== null)
    for (const [key, item] of Object.entries(value)) addProblems(item, pathIn(path, key), problems);
}

/**
 * Adds the paths of the arguments that contain NUL characters to the error about them. PostgreSQL cannot store NUL characters, and its
 * error does not name the arguments.
 */
function withArgumentPaths(
  { message, extensions }: GraphQLError,
  nodes: readonly FieldNode[],
  variables: Record<string, unknown>,
): Pick<GraphQLError, 'message' | 'extensions'> {
  if (message !== nulMessage) return { message, extensions };
  const problems = new Problems();
  for (const node of nodes)
    for (const { name, value } of node.arguments ?? []) addProblems(valueFromASTUntyped(value, variables), name.value, problems);
  return problems.list.length ? badInputError(problems.list) : { message, extensions };
}
