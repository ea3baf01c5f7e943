import { type FieldNode, type GraphQLError, valueFromASTUntyped } from 'graphql';
import { badInput, pathIn, storable, unstorable } from '../kernel/declare/errors.js';
import { Problems } from '../kernel/declare/problems.js';

/** Notes the texts inside a value that have a NUL. */
function collect(value: unknown, path: string, problems: Problems): void {
  if (typeof value === 'string') {
    if (value.includes('\0')) problems.add(path, storable);
  } else if (Array.isArray(value)) for (const [index, item] of value.entries()) collect(item, pathIn(path, index), problems);
  else if (typeof value === 'object' && value !== null)
    for (const [key, item] of Object.entries(value)) collect(item, pathIn(path, key), problems);
}

/** What a field rejects in the words in which it does so: of a text that cannot be stored the database does not say in which argument it is. */
export function withPlaces(
  { message, extensions }: GraphQLError,
  nodes: readonly FieldNode[],
  variables: Record<string, unknown>,
): Pick<GraphQLError, 'message' | 'extensions'> {
  if (message !== unstorable) return { message, extensions };
  const problems = new Problems();
  for (const node of nodes)
    for (const { name, value } of node.arguments ?? []) collect(valueFromASTUntyped(value, variables), name.value, problems);
  return problems.list.length ? badInput(problems.list) : { message, extensions };
}
