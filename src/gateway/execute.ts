import {
  type DocumentNode,
  type ExecutionResult,
  type GraphQLSchema,
  getOperationAST,
  getVariableValues,
  execute as interpret,
} from 'graphql';
import { compileQuery, isCompiledQuery } from 'graphql-jit';
import type { Context } from '../kernel/context.js';
import { coercing, withCoerced } from './coerced.js';

type Compiled = (context: Context, variables: Record<string, unknown>) => Promise<ExecutionResult> | ExecutionResult;

/** A document that comes back is worth compiling; one that comes once is interpreted. */
const seen = new WeakMap<DocumentNode, Map<string, Compiled | 'once'>>();

/**
 * Compiles an operation; null where the compiler does not know how, which graphql-js then runs. Variables are coerced by graphql-js:
 * the compiler's own coercion never ends on inputs that contain themselves, as filters do, and explains less.
 */
export function compile(schema: GraphQLSchema, document: DocumentNode, operationName?: string): Compiled | null {
  const operation = getOperationAST(document, operationName);
  const compiled = compileQuery(coercing(schema), withCoerced(document), operationName, { disablingCapturingStackErrors: true });
  if (!operation || !isCompiledQuery(compiled)) return null;
  const definitions = operation.variableDefinitions ?? [];
  return (context, variables) => {
    const { coerced, errors } = getVariableValues(schema, definitions, variables, { maxErrors: 50 });
    return errors ? { errors } : compiled.query(undefined, context, coerced);
  };
}

const interpreted =
  (schema: GraphQLSchema, document: DocumentNode, operationName?: string): Compiled =>
  async (contextValue, variableValues) =>
    interpret({ schema, document, operationName: operationName ?? null, contextValue, variableValues });

/** An operation that is known to come back: compiled when it comes first. */
export function compiledOnce(schema: GraphQLSchema, document: DocumentNode): Compiled {
  let run: Compiled | undefined;
  return (context, variables) => {
    run ??= compile(schema, document) ?? interpreted(schema, document);
    return run(context, variables);
  };
}

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
