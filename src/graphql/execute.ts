import {
  type DocumentNode,
  type ExecutionResult,
  GraphQLScalarType,
  GraphQLSchema,
  getOperationAST,
  execute as interpret,
  Kind,
  type TypeNode,
  visit,
} from 'graphql';
import { compileQuery, isCompiledQuery } from 'graphql-jit';
import type { Context } from '../kernel/declare/context.js';
import { tracing } from '../kernel/tracing.js';
import { type CoercionResult, coerceVariables, variableCoercerFor } from './coercion/coerce-variables.js';
import { mergesConditionally } from './conditional-merges.js';
import { type Execution, locateErrors } from './errors/error-locations.js';
import { tagWithClient } from './errors/mask.js';

type Result = Promise<ExecutionResult> | ExecutionResult;
/** Runs an operation with uncoerced variables. */
type RunOperation = (context: Context, variables: Record<string, unknown>) => Result;

/**
 * Functions that run operations, keyed by document and operation name. An operation is compiled on its second run. `once` marks operations
 * that have run once.
 */
const runsByDocument = new WeakMap<DocumentNode, Map<string, RunOperation | 'once'>>();

type Executor = (variables: Record<string, unknown>) => Result;

function executeWith(
  execution: Omit<Execution, 'variables'>,
  coerce: () => CoercionResult,
  executor: Executor,
  context: Context,
): Result {
  return tracing
    ? tracing.operation(execution.operation, () => executeCoerced(execution, coerce(), executor, context))
    : executeCoerced(execution, coerce(), executor, context);
}

/** Rejects invalid variables, executes the operation and normalizes its errors. */
function executeCoerced(
  { schema, document, operation }: Omit<Execution, 'variables'>,
  { variables, error }: CoercionResult,
  executor: Executor,
  { client }: Context,
): Result {
  if (error) return { errors: [error] };
  const withLocations = (result: ExecutionResult) => {
    const locatedResult = locateErrors(result, { schema, document, operation, variables });
    for (const error of locatedResult.errors ?? []) tagWithClient(error, client);
    return locatedResult;
  };
  const result = executor(variables);
  return result instanceof Promise ? result.then(withLocations) : withLocations(result);
}

/**
 * Compiles an operation, or returns null if the compiler does not support it. Variables are coerced beforehand, because the
 * compiler's coercion does not terminate for recursive input types such as filters.
 */
function compile(schema: GraphQLSchema, document: DocumentNode, operationName?: string): RunOperation | null {
  const operation = getOperationAST(document, operationName);
  if (!operation || mergesConditionally(document, operation)) return null;
  const compiledQuery = compileQuery(withCoercedType(schema), withCoercedVariables(document), operationName, {
    disablingCapturingStackErrors: true,
  });
  if (!isCompiledQuery(compiledQuery)) return null;
  const execution = { schema, document, operation };
  const coerce = variableCoercerFor(schema, document, operation);
  return (context, values) =>
    executeWith(
      execution,
      () => coerce(values),
      (variables): Result => compiledQuery.query(undefined, context, variables),
      context,
    );
}

const interpretedRunFor =
  (schema: GraphQLSchema, document: DocumentNode, operationName?: string): RunOperation =>
  async (contextValue, variableValues) => {
    const operation = getOperationAST(document, operationName);
    const executor = () => interpret({ schema, document, operationName: operationName ?? null, contextValue, variableValues });
    if (!operation) return executor();
    const coerce = () => coerceVariables(schema, document, operation, variableValues);
    return executeWith({ schema, document, operation }, coerce, executor, contextValue);
  };

/** Returns a function that compiles an operation on its first run. Intended for frequently used operations. */
export function compileOnFirstRun(schema: GraphQLSchema, document: DocumentNode): RunOperation {
  let run: RunOperation | undefined;
  return (context, variables) => {
    run ??= compile(schema, document) ?? interpretedRunFor(schema, document);
    return run(context, variables);
  };
}

/**
 * Runs an operation of a validated document. The first run is interpreted. Later runs are compiled if the compiler supports the operation,
 * and return the same data and errors.
 */
export function execute(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | undefined,
  variables: Record<string, unknown>,
  context: Context,
): Result {
  const operations = runsByDocument.get(document) ?? new Map<string, RunOperation | 'once'>();
  runsByDocument.set(document, operations);
  const name = operationName ?? '';
  const entry = operations.get(name);
  if (typeof entry === 'function') return entry(context, variables);
  const interpretedRun = interpretedRunFor(schema, document, operationName);
  if (entry === 'once') {
    const compiledRun = compile(schema, document, operationName) ?? interpretedRun;
    operations.set(name, compiledRun);
    return compiledRun(context, variables);
  }
  // Ignores unknown operation names, because clients can send any number of them.
  if (getOperationAST(document, operationName)) operations.set(name, 'once');
  return interpretedRun(context, variables);
}

/** Type of a variable that has already been validated and coerced. */
const Coerced = new GraphQLScalarType({ name: 'Coerced', description: 'A value that has already been validated and coerced.' });

const coercedType: TypeNode = { kind: Kind.NAMED_TYPE, name: { kind: Kind.NAME, value: Coerced.name } };
const isBoolean = (type: TypeNode): boolean =>
  type.kind === Kind.NON_NULL_TYPE ? isBoolean(type.type) : type.kind === Kind.NAMED_TYPE && type.name.value === 'Boolean';

const schemas = new WeakMap<GraphQLSchema, GraphQLSchema>();

/** Returns a copy of a schema that allows variables of the type `Coerced`. It shares all types with the original. */
function withCoercedType(schema: GraphQLSchema): GraphQLSchema {
  const cached = schemas.get(schema);
  if (cached) return cached;
  const config = schema.toConfig();
  const schemaWithCoerced = new GraphQLSchema({ ...config, types: [...config.types, Coerced] });
  schemas.set(schema, schemaWithCoerced);
  return schemaWithCoerced;
}

/**
 * Returns a copy of a document that declares its variables as `Coerced`. Boolean variables keep their type, because directives require it.
 */
const withCoercedVariables = (document: DocumentNode): DocumentNode =>
  visit(document, {
    VariableDefinition: (node) => (isBoolean(node.type) ? false : { ...node, type: coercedType, defaultValue: undefined }),
  });
