import {
  type ArgumentNode,
  type DocumentNode,
  type GraphQLInputType,
  type GraphQLSchema,
  getNullableType,
  isInputObjectType,
  isListType,
  Kind,
  type OperationDefinitionNode,
} from 'graphql';
import { pathIn } from '../../kernel/declare/errors.js';
import type { WriteKind } from '../../kernel/declare/fields/options.js';
import type { Problems } from '../../kernel/declare/problems.js';
import { checkInput } from '../../kernel/write/input-values.js';
import { usesOf } from './argument-values.js';

/**
 * Returns the prefix in the name of the mutation that uses a variable: `create`, `upsert` or `update`. Undefined if no such mutation uses
 * the variable.
 */
function writeKindOf({ operation, selectionSet }: OperationDefinitionNode, variable: string): WriteKind | undefined {
  const isVariable = ({ value }: ArgumentNode) => value.kind === Kind.VARIABLE && value.name.value === variable;
  for (const node of operation === 'mutation' ? selectionSet.selections : [])
    if (node.kind === Kind.FIELD && node.arguments?.some(isVariable))
      return (['create', 'upsert', 'update'] as const).find((kind) => node.name.value.startsWith(kind));
  return undefined;
}

/**
 * Checks an input and its nested inputs. `checkInput` may check a nested input a second time, but `Problems` keeps only one problem per
 * path.
 */
function checkValue(type: GraphQLInputType, value: unknown, path: string, problems: Problems, write?: WriteKind): void {
  const nullableType = getNullableType(type);
  if (isListType(nullableType) && Array.isArray(value)) {
    for (const [index, item] of value.entries()) checkValue(nullableType.ofType, item, pathIn(path, index), problems);
  } else if (isInputObjectType(nullableType) && typeof value === 'object' && value !== null) {
    checkInput(nullableType.name, value, path, problems, write);
    const fields = nullableType.getFields();
    for (const [key, fieldValue] of Object.entries(value))
      if (fields[key]) checkValue(fields[key].type, fieldValue, pathIn(path, key), problems);
  }
}

/**
 * Checks the inputs of an operation against their bounds and rules without running the operation. When an operation runs, its resolvers
 * perform the same checks.
 */
export function checkInputBounds(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
  problems: Problems,
): void {
  const uses = usesOf(schema, document, operation);
  for (const [name, value] of Object.entries(variables)) {
    const [use] = uses.get(name) ?? [];
    if (use) checkValue(use.type, value, use.path, problems, writeKindOf(operation, name));
  }
}
