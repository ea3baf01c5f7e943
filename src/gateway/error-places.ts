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
} from 'graphql';
import { withPlaces } from './unstorable.js';

/** A run whose errors are looked at. */
export interface Ran {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  readonly variables: Record<string, unknown>;
}

/** Where an error happened. */
interface Place {
  /** The selections of its field, those merged with each other. */
  readonly nodes: readonly FieldNode[];
  /** How much of its path leads to the value that is null because of it. */
  readonly depth: number;
}

const isLeftOut = (directives: Parameters<typeof getDirectiveValues>[1], { variables }: Ran): boolean =>
  getDirectiveValues(GraphQLSkipDirective, directives, variables)?.if === true ||
  getDirectiveValues(GraphQLIncludeDirective, directives, variables)?.if === false;

/** The fields of a response key, in the order of the document, those of all types that the value may be of. */
function fieldsOf(
  key: string,
  sets: readonly SelectionSetNode[],
  ran: Ran,
  seen = new Set<FragmentDefinitionNode>(),
): FieldNode[] {
  return sets.flatMap(({ selections }) =>
    selections.flatMap((node) => {
      if (isLeftOut(node, ran)) return [];
      if (node.kind === Kind.FIELD) return (node.alias ?? node.name).value === key ? [node] : [];
      if (node.kind === Kind.INLINE_FRAGMENT) return fieldsOf(key, [node.selectionSet], ran, seen);
      const fragment = ran.document.definitions.find(
        (definition) => definition.kind === Kind.FRAGMENT_DEFINITION && definition.name.value === node.name.value,
      );
      if (fragment?.kind !== Kind.FRAGMENT_DEFINITION || seen.has(fragment)) return [];
      seen.add(fragment);
      return fieldsOf(key, [fragment.selectionSet], ran, seen);
    }),
  );
}

/** The types that a value of a type may be of. */
function objectTypesOf({ schema }: Ran, type: GraphQLOutputType): readonly GraphQLObjectType[] {
  const bare = getNullableType(type);
  if (isAbstractType(bare)) return schema.getPossibleTypes(bare);
  return isObjectType(bare) ? [bare] : [];
}

/** The types of fields, whichever of some types they are of: where a response key means several, they are all nullable or none is. */
const typesOf = (types: readonly GraphQLOutputType[], nodes: readonly FieldNode[], ran: Ran): GraphQLOutputType[] => {
  const names = new Set(nodes.map(({ name }) => name.value));
  const owners = new Set(types.flatMap((type) => objectTypesOf(ran, type)));
  const found = [...owners].flatMap((type) => [...names].flatMap((name) => type.getFields()[name]?.type ?? []));
  return [...new Set(found)];
};

/** Those of some nodes at which an error says that it happened; all of them where it says nothing of them. */
function toldOf(nodes: readonly FieldNode[], { locations = [] }: GraphQLError): readonly FieldNode[] {
  const isTold = ({ loc }: FieldNode) =>
    locations.some(({ line, column }) => line === loc?.startToken.line && column === loc.startToken.column);
  const told = nodes.filter(isTold);
  return told.length ? told : nodes;
}

function placeOf(error: GraphQLError, ran: Ran): Place {
  const root = ran.schema.getRootType(ran.operation.operation);
  let types: readonly GraphQLOutputType[] = root ? [root] : [];
  let sets: readonly SelectionSetNode[] = [ran.operation.selectionSet];
  let nodes: readonly FieldNode[] = [];
  let depth = 0;
  let isOneOfSeveral = false;
  for (const [index, key] of (error.path ?? []).entries()) {
    const bare = types.map((type): GraphQLOutputType => getNullableType(type));
    if (typeof key === 'number') types = bare.flatMap((type) => (isListType(type) ? [type.ofType] : []));
    else {
      isOneOfSeveral ||= bare.length > 1 || bare.some(isAbstractType);
      nodes = fieldsOf(key, sets, ran);
      sets = nodes.flatMap(({ selectionSet }) => selectionSet ?? []);
      types = typesOf(types, nodes, ran);
    }
    if (!types.some(isNonNullType)) depth = index + 1;
  }
  return { nodes: isOneOfSeveral ? toldOf(nodes, error) : nodes, depth };
}

/** Whether a value above the one that is null because of an error is null itself, because of another error. */
function isBelowNull(data: unknown, path: readonly (string | number)[], depth: number): boolean {
  let value = data;
  for (const key of path.slice(0, depth)) {
    if (value === null || value === undefined) return true;
    value = (value as Record<string | number, unknown>)[key];
  }
  return false;
}

const byPlace = (
  { locations: [a] = [], path: p = [] }: GraphQLError,
  { locations: [b] = [], path: q = [] }: GraphQLError,
): number => {
  const order = (a?.line ?? 0) - (b?.line ?? 0) || (a?.column ?? 0) - (b?.column ?? 0);
  if (order) return order;
  const index = p.findIndex((key, place) => key !== q[place]);
  return Number(p[index] ?? 0) - Number(q[index] ?? 0);
};

/**
 * The errors of a run as both ways to run an operation tell them: with their places in the document, in its order, one for each value
 * that is null because of them. Which further errors a run meets is a question of what fails first.
 */
export function inPlace(result: ExecutionResult, ran: Ran): ExecutionResult {
  if (!result.errors) return result;
  const nulls = new Set<string>();
  const errors: GraphQLError[] = [];
  for (const error of result.errors) {
    const { path = [], originalError } = error;
    const { nodes, depth } = placeOf(error, ran);
    const position = path.slice(0, depth).join('.');
    if (nulls.has(position) || isBelowNull(result.data, path, depth)) continue;
    nulls.add(position);
    const { message, extensions } = withPlaces(error, nodes, ran.variables);
    errors.push(new GraphQLError(message, { nodes, path, originalError, extensions }));
  }
  return { ...result, errors: errors.sort(byPlace) };
}
