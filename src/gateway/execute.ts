import { type DocumentNode, type ExecutionResult, type GraphQLSchema, getOperationAST, execute as interpret } from 'graphql';
import { compileQuery, isCompiledQuery } from 'graphql-jit';
import type { Context } from '../kernel/declare/context.js';
import { tracing } from '../kernel/tracing.js';
import { type Coerced, coerceVariables, variablesOf } from './coerce-variables.js';
import { coercing, withCoerced } from './coerced.js';
import { mergesConditionally } from './conditional-merges.js';
import { inPlace, type Ran } from './error-places.js';
import { inRequest } from './error-requests.js';

type Result = Promise<ExecutionResult> | ExecutionResult;
/** Runs an operation with the variables as they were sent. */
type Run = (context: Context, variables: Record<string, unknown>) => Result;

/** A document that comes back is worth compiling; one that comes once is interpreted. */
const seen = new WeakMap<DocumentNode, Map<string, Run | 'once'>>();

type Way = (variables: Record<string, unknown>) => Result;

function run(ran: Omit<Ran, 'variables'>, coerced: () => Coerced, way: Way, context: Context): Result {
  return tracing
    ? tracing.operation(ran.operation, () => runCoerced(ran, coerced(), way, context))
    : runCoerced(ran, coerced(), way, context);
}

/** The way in and the way out that both ways to run an operation share. */
function runCoerced(
  { schema, document, operation }: Omit<Ran, 'variables'>,
  { variables, error }: Coerced,
  way: Way,
  { client }: Context,
): Result {
  if (error) return { errors: [error] };
  const placed = (result: ExecutionResult) => {
    const found = inPlace(result, { schema, document, operation, variables });
    for (const each of found.errors ?? []) inRequest(each, client.requestId);
    return found;
  };
  const result = way(variables);
  return result instanceof Promise ? result.then(placed) : placed(result);
}

/**
 * Compiles an operation; null where the compiler does not know how, which graphql-js then runs. The compiler's own coercion of variables
 * never ends on inputs that contain themselves, as filters do: they come to it coerced.
 */
function compile(schema: GraphQLSchema, document: DocumentNode, operationName?: string): Run | null {
  const operation = getOperationAST(document, operationName);
  if (!operation || mergesConditionally(document, operation)) return null;
  const compiled = compileQuery(coercing(schema), withCoerced(document), operationName, { disablingCapturingStackErrors: true });
  if (!isCompiledQuery(compiled)) return null;
  const ran = { schema, document, operation };
  const coerce = variablesOf(schema, document, operation);
  return (context, given) =>
    run(
      ran,
      () => coerce(given),
      (variables): Result => compiled.query(undefined, context, variables),
      context,
    );
}

const interpreted =
  (schema: GraphQLSchema, document: DocumentNode, operationName?: string): Run =>
  async (contextValue, variableValues) => {
    const operation = getOperationAST(document, operationName);
    const way = () => interpret({ schema, document, operationName: operationName ?? null, contextValue, variableValues });
    if (!operation) return way();
    const coerced = () => coerceVariables(schema, document, operation, variableValues);
    return run({ schema, document, operation }, coerced, way, contextValue);
  };

/** An operation that is known to come back: compiled when it comes first. */
export function compiledOnce(schema: GraphQLSchema, document: DocumentNode): Run {
  let run: Run | undefined;
  return (context, variables) => {
    run ??= compile(schema, document) ?? interpreted(schema, document);
    return run(context, variables);
  };
}

/** Runs an operation of a validated document: compiled from the second time on. Both ways give the same answer, errors included. */
export function execute(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | undefined,
  variables: Record<string, unknown>,
  context: Context,
): Result {
  const operations = seen.get(document) ?? new Map<string, Run | 'once'>();
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
  // There is no end of names of operations that the document does not have.
  if (getOperationAST(document, operationName)) operations.set(name, 'once');
  return slow(context, variables);
}
