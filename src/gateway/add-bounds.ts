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
import { pathIn } from '../kernel/declare/errors.js';
import type { WriteKind } from '../kernel/declare/options.js';
import type { Problems } from '../kernel/declare/problems.js';
import { checkInput } from '../kernel/write/input-values.js';
import { usesOf } from './argument-values.js';

/** What an operation does with the input that a variable is, by the name of the mutation that takes it. */
function writeOf({ operation, selectionSet }: OperationDefinitionNode, variable: string): WriteKind | undefined {
  const takes = ({ value }: ArgumentNode) => value.kind === Kind.VARIABLE && value.name.value === variable;
  for (const node of operation === 'mutation' ? selectionSet.selections : [])
    if (node.kind === Kind.FIELD && node.arguments?.some(takes))
      return (['create', 'upsert', 'update'] as const).find((kind) => node.name.value.startsWith(kind));
  return undefined;
}

/** Inputs inside an input are told with it, and once: a path counts once. */
function checkValue(type: GraphQLInputType, value: unknown, path: string, problems: Problems, write?: WriteKind): void {
  const bare = getNullableType(type);
  if (isListType(bare) && Array.isArray(value)) {
    for (const [index, item] of value.entries()) checkValue(bare.ofType, item, pathIn(path, index), problems);
  } else if (isInputObjectType(bare) && typeof value === 'object' && value !== null) {
    checkInput(bare.name, value, path, problems, write);
    const fields = bare.getFields();
    for (const [key, inner] of Object.entries(value))
      if (fields[key]) checkValue(fields[key].type, inner, pathIn(path, key), problems);
  }
}

/** Inputs of which a part has a wrong type are held to their bounds and rules here: what does so otherwise will not run. */
export function addBounds(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
  problems: Problems,
): void {
  const uses = usesOf(schema, document, operation);
  for (const [name, value] of Object.entries(variables)) {
    const [use] = uses.get(name) ?? [];
    if (use) checkValue(use.type, value, use.path, problems, writeOf(operation, name));
  }
}
