import { type FieldNode, type GraphQLError, valueFromASTUntyped } from 'graphql';
import { badInput, expectedWithoutNul, nulMessage, pathIn } from '../../kernel/declare/errors.js';
import { Problems } from '../../kernel/declare/problems.js';

/** Adds a problem for each text with a NUL character. */
function collect(value: unknown, path: string, problems: Problems): void {
  if (typeof value === 'string') {
    if (value.includes('\0')) problems.add(path, expectedWithoutNul);
  } else if (Array.isArray(value)) for (const [index, item] of value.entries()) collect(item, pathIn(path, index), problems);
  else if (typeof value === 'object' && value !== null)
    for (const [key, item] of Object.entries(value)) collect(item, pathIn(path, key), problems);
}

/**
 * Names the arguments with NUL characters, which PostgreSQL cannot store. The database error does not say which argument is
 * affected.
 */
export function withArgumentPaths(
  { message, extensions }: GraphQLError,
  nodes: readonly FieldNode[],
  variables: Record<string, unknown>,
): Pick<GraphQLError, 'message' | 'extensions'> {
  if (message !== nulMessage) return { message, extensions };
  const problems = new Problems();
  for (const node of nodes)
    for (const { name, value } of node.arguments ?? []) collect(valueFromASTUntyped(value, variables), name.value, problems);
  return problems.list.length ? badInput(problems.list) : { message, extensions };
}
