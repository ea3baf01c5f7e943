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
import { pathIn } from '../kernel/declare/errors.js';

/** Called with a value, the type that is wanted in its place, and its path from the argument on: `filter.or[0].title`. */
export type See = (value: ValueNode, type: GraphQLInputType, path: string) => void;

/** Shows a value and then those inside it, as far as the schema knows their places. */
export function seeValue(value: ValueNode, type: GraphQLInputType, path: string, see: See): void {
  see(value, type, path);
  const bare = getNullableType(type);
  if (value.kind === Kind.LIST) {
    if (isListType(bare))
      for (const [index, item] of value.values.entries()) seeValue(item, bare.ofType, pathIn(path, index), see);
  } else if (isListType(bare)) {
    // A lone item stands for the list of it.
    if (value.kind === Kind.OBJECT) seeFields(value, bare.ofType, path, see);
  } else seeFields(value, bare, path, see);
}

function seeFields(value: ValueNode, type: GraphQLInputType, path: string, see: See): void {
  let bare = getNullableType(type);
  while (isListType(bare)) bare = getNullableType(bare.ofType);
  if (value.kind !== Kind.OBJECT || !isInputObjectType(bare)) return;
  const known = bare.getFields();
  for (const { name, value: inner } of value.fields) {
    const field = known[name.value];
    if (field) seeValue(inner, field.type, pathIn(path, name.value), see);
  }
}

/** Shows every value of the arguments below a node, those of directives too. */
export function seeArguments(schema: GraphQLSchema, node: ASTNode, see: See): void {
  const types = new TypeInfo(schema);
  visit(
    node,
    visitWithTypeInfo(types, {
      Argument({ name, value }) {
        const argument = types.getArgument();
        if (argument) seeValue(value, argument.type, name.value, see);
      },
    }),
  );
}

/** Where a variable is used. */
export interface Use {
  readonly path: string;
  readonly type: GraphQLInputType;
}

const known = new WeakMap<OperationDefinitionNode, ReadonlyMap<string, readonly Use[]>>();

/** The places in which an operation and the fragments that it reaches use its variables, in the order of the document. */
export function usesOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): ReadonlyMap<string, readonly Use[]> {
  const found = known.get(operation);
  if (found) return found;
  const uses = new Map<string, Use[]>();
  for (const node of [operation, ...reached(document, operation)]) {
    seeArguments(schema, node, (value, type, path) => {
      if (value.kind === Kind.VARIABLE) uses.set(value.name.value, [...(uses.get(value.name.value) ?? []), { path, type }]);
    });
  }
  known.set(operation, uses);
  return uses;
}

function reached(document: DocumentNode, operation: OperationDefinitionNode): FragmentDefinitionNode[] {
  const fragments = new Map(
    document.definitions.flatMap((node) => (node.kind === Kind.FRAGMENT_DEFINITION ? [[node.name.value, node]] : [])),
  );
  const seen = new Set<FragmentDefinitionNode>();
  const follow = (node: ASTNode): void =>
    void visit(node, {
      FragmentSpread({ name }) {
        const fragment = fragments.get(name.value);
        if (!fragment || seen.has(fragment)) return;
        seen.add(fragment);
        follow(fragment);
      },
    });
  follow(operation);
  return [...seen];
}
