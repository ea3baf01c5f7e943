import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import compression from 'compression';
import express, { type Express } from 'express';
import {
  type ExecutionArgs,
  type ExecutionResult,
  execute,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  Kind,
  type OperationDefinitionNode,
} from 'graphql';
import { createYoga, type Plugin } from 'graphql-yoga';
import type { Logger } from 'pino';
import { coerceVariables } from '../../../graphql/coercion/coerce-variables.js';
import { locateErrors } from '../../../graphql/errors/error-locations.js';
import { createErrorMask } from '../../../graphql/errors/mask.js';
import { graphqlBody } from '../../../graphql/http/body.js';
import { costRefusal } from '../../../graphql/limits/complexity.js';
import { limitsPlugin } from '../../../graphql/limits/request-limits.js';
import { consistencyHeader, noWrite } from '../../../graphql/read-your-writes/index.js';
import { requireEventStream } from '../../../graphql/subscriptions/transport.js';
import { maskValidationErrors, normalizeStatus, withStatus } from '../../../graphql/yoga.js';
import { createError } from '../../../kernel/declare/errors.js';
import type { Engine, PlannedOperation, PlannedRun } from './engine.js';
import { mergeSelections } from './merge-selections.js';
import { requestedPaths } from './requested-paths.js';

/**
 * Whether an operation only introspects the schema. The gateway answers introspection from the schema of `/graphql`. The schema of the
 * engine comes from the supergraph: it orders fields differently and omits elements that are only used to compose the supergraph.
 */
const isIntrospection = ({ selectionSet: { selections } }: OperationDefinitionNode): boolean =>
  selections.every((node) => node.kind === Kind.FIELD && node.name.value.startsWith('__'));

/** Checks the variables and the cost of an operation. Returns the errors, or else the operation with its coerced variables. */
function validate(
  schema: GraphQLSchema,
  { document, operationName, variables: rawVariables }: PlannedOperation,
): { rejection: ExecutionResult } | { operation: OperationDefinitionNode; variables: Record<string, unknown> } {
  const operation = getOperationAST(document, operationName);
  if (!operation) return { rejection: { errors: [new GraphQLError(`there is no operation ${operationName ?? ''}`)] } };
  const { variables, error } = coerceVariables(schema, document, operation, rawVariables);
  if (error) return { rejection: { errors: [error] } };
  const costProblem = costRefusal(schema, document, operationName, rawVariables);
  if (costProblem) return { rejection: { errors: [costProblem.error], extensions: costProblem.extensions } };
  return { operation, variables };
}

/** Validates an operation and runs it with an engine. Errors have the same paths and order as without a gateway. */
async function run(
  engine: Engine,
  schema: GraphQLSchema,
  request: PlannedOperation,
  headers: IncomingHttpHeaders,
): Promise<ExecutionResult> {
  const { document, operationName, variables: rawVariables } = request;
  const validated = validate(schema, request);
  if ('rejection' in validated) return validated.rejection;
  const { operation, variables } = validated;
  if (isIntrospection(operation))
    return execute({ schema, document, variableValues: rawVariables, operationName: operationName ?? null });
  const header = headers[consistencyHeader];
  const initialToken = typeof header === 'string' ? header : operation.operation === 'mutation' ? null : noWrite;
  const run: PlannedRun = { headers, unavailableSubgraphs: new Set(), lastWrite: { token: initialToken } };
  const plannedRequest = { ...request, document: mergeSelections(schema, document, operation, variables) };
  const result = locateErrors(await engine.execute(plannedRequest, run), { schema, document, operation, variables });
  const { token } = run.lastWrite;
  return token === initialToken
    ? result
    : { ...result, extensions: { ...result.extensions, http: { headers: { [consistencyHeader]: token } } } };
}

/** Corrects the error paths of an event, so that they are the same as without a gateway. The event may have no data. */
function withErrorPaths(event: ExecutionResult, operation: Parameters<typeof locateErrors>[1]): ExecutionResult {
  if (event.data || !event.errors) return locateErrors(event, operation);
  // A subscription has one root field. The subgraph request may use the name of the field instead of its alias.
  const [key = ''] = requestedPaths(operation.document, operation.operation.name?.value, operation.variables)[0] ?? [];
  const errors = event.errors.map(({ message, path, extensions }) =>
    path ? new GraphQLError(message, { path: [key, ...path.slice(1)], extensions }) : new GraphQLError(message, { extensions }),
  );
  const locatedErrors = locateErrors({ data: {}, errors: errors.filter(({ path }) => path) }, operation).errors ?? [];
  return { ...event, errors: [...errors.filter(({ path }) => !path), ...locatedErrors] };
}

/** Validates a subscription and starts it with an engine. Errors have the same paths as without a gateway. */
async function subscribe(
  engine: Engine,
  schema: GraphQLSchema,
  request: PlannedOperation,
  headers: IncomingHttpHeaders,
): Promise<AsyncIterableIterator<ExecutionResult> | ExecutionResult> {
  const validated = validate(schema, request);
  if ('rejection' in validated) return { errors: validated.rejection.errors ?? [] };
  if (!engine.subscribe)
    return {
      errors: [createError('BAD_INPUT', 'the engine of this gateway does not support subscriptions: use hive or hive-js')],
    };
  const { document } = request;
  const executedOperation = { schema, document, ...validated };
  // Without a token, subgraphs read from the primary database, which already contains the changes that the events report.
  const plannedRequest = { ...request, document: mergeSelections(schema, document, validated.operation, validated.variables) };
  const events = await engine.subscribe(plannedRequest, {
    headers,
    unavailableSubgraphs: new Set(),
    lastWrite: { token: null },
    bypass: { event: null },
  });
  const correctedEvents: AsyncIterableIterator<ExecutionResult> = {
    async next() {
      const { done, value } = await events.next();
      return done ? { done, value: undefined } : { done: false, value: withErrorPaths(value, executedOperation) };
    },
    async return() {
      await events.return?.();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
  return correctedEvents;
}

const operationOf = ({ document, operationName, variableValues }: ExecutionArgs): PlannedOperation => ({
  document,
  operationName: operationName ?? undefined,
  variables: variableValues ?? {},
});

/** Creates the HTTP application that serves `/graphql` of a gateway. It parses, validates and rejects requests like the service itself. */
export function createGatewayApp(engine: Engine, schema: GraphQLSchema, log: Logger): Express {
  const mask = createErrorMask(schema, log);
  const maskError = (error: unknown) => withStatus(mask(error));
  const queryPlanPlugin: Plugin<{ req?: IncomingMessage }> = {
    onExecute({ args, setExecuteFn }) {
      setExecuteFn(() => run(engine, schema, operationOf(args), args.contextValue.req?.headers ?? {}));
    },
    onSubscribe({ args, setSubscribeFn }) {
      setSubscribeFn(async () => subscribe(engine, schema, operationOf(args), args.contextValue.req?.headers ?? {}));
    },
  };
  const yoga = createYoga<{ req?: IncomingMessage }>({
    schema,
    graphqlEndpoint: '/graphql',
    landingPage: false,
    graphiql: false,
    logging: false,
    batching: false,
    cors: false,
    maskedErrors: { maskError },
    plugins: [
      limitsPlugin,
      maskValidationErrors(mask),
      queryPlanPlugin,
      requireEventStream(maskError),
      normalizeStatus,
    ] as Plugin[],
  });
  const app = express().disable('x-powered-by').disable('etag').set('query parser', 'simple');
  app.use('/graphql', compression(), graphqlBody(), yoga as unknown as express.RequestHandler);
  return app;
}
