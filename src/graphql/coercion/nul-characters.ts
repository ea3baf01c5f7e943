import { type FieldNode, type GraphQLError, valueFromASTUntyped } from 'graphql';
import { badInput, expectedWithoutNul, nulMessage, pathIn } from '../../kernel/declare/errors.js';
import { Problems } from '../../kernel/declare/problems.js';

/** Adds a problem for each string with a NUL character. */
function addProblems(value: unknown, path: string, problems: Problems): void {
  if (typeof value === 'string') {
    if (value.includes('\0')) problems.add(path, expectedWithoutNul);
  } else if (Array.isArray(value)) for (const [index, item] of value.entries()) addProblems(item, pathIn(path, index), problems);
  else if (typeof value === 'object' && value !== null)
    for (const [key, item] of Object.entries(value)) addProblems(item, pathIn(path, key), problems);
}

/**
 * Adds the paths of the arguments with NUL characters to a database error, which does not contain them. PostgreSQL cannot store NUL
 * characters.
 */
export function withArgumentPaths(
  { message, extensions }: GraphQLError,
  nodes: readonly FieldNode[],
  variables: Record<string, unknown>,
): Pick<GraphQLError, 'message' | 'extensions'> {
  if (message !== nulMessage) return { message, extensions };
  const problems = new Problems();
  for (const node of nodes)
    for (const { name, value } of node.arguments ?? []) addProblems(valueFromASTUntyped(value, variables), name.value, problems);
  return problems.list.length ? badInput(problems.list) : { message, extensions };
}
