import {
  type ASTNode,
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLInputType,
  type GraphQLSchema,
  getNullableType,
  isInputObjectType,
  isListType,
  Kind,
  type OperationDefinitionNode,
  TypeInfo,
  type ValueNode,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { pathIn } from '../../kernel/declare/errors.js';

/** Called with a value, its expected type, and its path. The path starts at the argument, as in `filter.or[0].title`. */
type ValueVisitor = (value: ValueNode, type: GraphQLInputType, path: string) => void;

/** Visits a value and then its nested values. Skips fields that the schema does not define. */
export function visitValue(value: ValueNode, type: GraphQLInputType, path: string, visitor: ValueVisitor): void {
  visitor(value, type, path);
  const nullableType = getNullableType(type);
  if (value.kind === Kind.LIST) {
    if (isListType(nullableType))
      for (const [index, item] of value.values.entries()) visitValue(item, nullableType.ofType, pathIn(path, index), visitor);
  } else if (isListType(nullableType)) {
    // GraphQL accepts a single item in place of a list of items.
    if (value.kind === Kind.OBJECT) visitFields(value, nullableType.ofType, path, visitor);
  } else visitFields(value, nullableType, path, visitor);
}

function visitFields(value: ValueNode, type: GraphQLInputType, path: string, visitor: ValueVisitor): void {
  let nullableType = getNullableType(type);
  while (isListType(nullableType)) nullableType = getNullableType(nullableType.ofType);
  if (value.kind !== Kind.OBJECT || !isInputObjectType(nullableType)) return;
  const fields = nullableType.getFields();
  for (const { name, value: fieldValue } of value.fields) {
    const field = fields[name.value];
    if (field) visitValue(fieldValue, field.type, pathIn(path, name.value), visitor);
  }
}

/** Visits the argument values of all fields and directives in a node. */
export function visitArguments(schema: GraphQLSchema, node: ASTNode, visitor: ValueVisitor): void {
  const types = new TypeInfo(schema);
  visit(
    node,
    visitWithTypeInfo(types, {
      Argument({ name, value }) {
        const argument = types.getArgument();
        if (argument) visitValue(value, argument.type, name.value, visitor);
      },
    }),
  );
}

/** Argument or input field that has a variable as its value. */
interface VariableUse {
  readonly path: string;
  readonly type: GraphQLInputType;
}

const usesByOperation = new WeakMap<OperationDefinitionNode, ReadonlyMap<string, readonly VariableUse[]>>();

/** Returns the uses of each variable in an operation and in the fragments that it spreads, in document order. */
export function usesOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): ReadonlyMap<string, readonly VariableUse[]> {
  const cached = usesByOperation.get(operation);
  if (cached) return cached;
  const uses = new Map<string, VariableUse[]>();
  for (const node of [operation, ...reachableFragments(document, operation)]) {
    visitArguments(schema, node, (value, type, path) => {
      if (value.kind === Kind.VARIABLE) uses.set(value.name.value, [...(uses.get(value.name.value) ?? []), { path, type }]);
    });
  }
  usesByOperation.set(operation, uses);
  return uses;
}

function reachableFragments(document: DocumentNode, operation: OperationDefinitionNode): FragmentDefinitionNode[] {
  const fragments = new Map(
    document.definitions.flatMap((node) => (node.kind === Kind.FRAGMENT_DEFINITION ? [[node.name.value, node]] : [])),
  );
  const visited = new Set<FragmentDefinitionNode>();
  const visitSpreads = (node: ASTNode): void =>
    void visit(node, {
      FragmentSpread({ name }) {
        const fragment = fragments.get(name.value);
        if (!fragment || visited.has(fragment)) return;
        visited.add(fragment);
        visitSpreads(fragment);
      },
    });
  visitSpreads(operation);
  return [...visited];
}
