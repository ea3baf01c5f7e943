import { type DocumentNode, type ExecutionResult, type GraphQLSchema, execute as interpret } from 'graphql';
import { compileQuery, isCompiledQuery } from 'graphql-jit';
import type { Context } from '../kernel/context.js';

type Compiled = (context: Context, variables: Record<string, unknown>) => Promise<ExecutionResult> | ExecutionResult;

/** A document that comes back is worth compiling; one that comes once is interpreted. */
const seen = new WeakMap<DocumentNode, Map<string, Compiled | 'once'>>();

/** Compiles an operation; null where the compiler does not know how, which graphql-js then runs. */
export function compile(schema: GraphQLSchema, document: DocumentNode, operationName?: string): Compiled | null {
  const compiled = compileQuery(schema, document, operationName, { disablingCapturingStackErrors: true });
  if (!isCompiledQuery(compiled)) return null;
  const slow = interpreted(schema, document, operationName);
  return (context, variables) => {
    const result = compiled.query(undefined, context, variables);
    // Variables of a wrong type are found before anything runs; graphql-js says better what is wrong with them.
    return !('then' in result) && result.data === undefined ? slow(context, variables) : result;
  };
}

const interpreted =
  (schema: GraphQLSchema, document: DocumentNode, operationName?: string): Compiled =>
  async (contextValue, variableValues) =>
    interpret({ schema, document, operationName: operationName ?? null, contextValue, variableValues });

/** Runs an operation of a validated document: compiled from the second time on. */
export function execute(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | undefined,
  variables: Record<string, unknown>,
  context: Context,
): Promise<ExecutionResult> | ExecutionResult {
  const operations = seen.get(document) ?? new Map<string, Compiled | 'once'>();
  seen.set(document, operations);
  const name = operationName ?? '';
  const known = operations.get(name);
  if (typeof known === 'function') return known(context, variables);
  const slow = interpreted(schema, document, operationName);
  if (known === 'once') {
    const fast = compile(schema, document, operationName) ?? slow;
    operations.set(name, fast);
    return fast(context, variables);
  }
  operations.set(name, 'once');
  return slow(context, variables);
}
