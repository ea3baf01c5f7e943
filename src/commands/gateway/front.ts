import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import compression from 'compression';
import express, { type Express } from 'express';
import {
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
import { graphqlBody } from '../../gateway/body.js';
import { coerceVariables } from '../../gateway/coerce-variables.js';
import { costRefusal } from '../../gateway/complexity.js';
import { locateErrors } from '../../gateway/error-locations.js';
import { limitsPlugin } from '../../gateway/limits.js';
import { requireEventStream } from '../../gateway/live/transport.js';
import { masking } from '../../gateway/mask.js';
import { consistencyHeader, noWrite } from '../../gateway/read-your-writes/index.js';
import { maskValidationErrors, normalizeStatus, withStatus } from '../../gateway/yoga.js';
import { problem } from '../../kernel/declare/errors.js';
import type { Engine, PlannedOperation, PlannedRun } from './engine.js';
import { mergeSelections } from './merge-selections.js';
import { answerPlaces } from './places.js';

/** Whether an operation asks for nothing but the schema. Of that the supergraph knows less: the order of fields, and what is internal. */
const isIntrospection = ({ selectionSet: { selections } }: OperationDefinitionNode): boolean =>
  selections.every((node) => node.kind === Kind.FIELD && node.name.value.startsWith('__'));

/** What an operation is checked for before an engine has it: why it is refused, or the values of its variables. */
function checked(
  schema: GraphQLSchema,
  { document, operationName, variables: given }: PlannedOperation,
): { refused: ExecutionResult } | { operation: OperationDefinitionNode; variables: Record<string, unknown> } {
  const operation = getOperationAST(document, operationName);
  if (!operation) return { refused: { errors: [new GraphQLError(`unknown operation ${operationName ?? ''}`)] } };
  const { variables, error } = coerceVariables(schema, document, operation, given);
  if (error) return { refused: { errors: [error] } };
  const tooMuch = costRefusal(schema, document, operationName, given);
  if (tooMuch) return { refused: { errors: [tooMuch.error], extensions: tooMuch.extensions } };
  return { operation, variables };
}

/** Has an engine run an operation that the graph would run, too, and has its errors told as the graph tells them. */
async function run(
  engine: Engine,
  schema: GraphQLSchema,
  asked: PlannedOperation,
  headers: IncomingHttpHeaders,
): Promise<ExecutionResult> {
  const { document, operationName, variables: given } = asked;
  const sound = checked(schema, asked);
  if ('refused' in sound) return sound.refused;
  const { operation, variables } = sound;
  if (isIntrospection(operation))
    return execute({ schema, document, variableValues: given, operationName: operationName ?? null });
  const sent = headers[consistencyHeader];
  const before = typeof sent === 'string' ? sent : operation.operation === 'mutation' ? null : noWrite;
  const run: PlannedRun = { headers, silent: new Set(), written: { token: before } };
  const planned = { ...asked, document: mergeSelections(schema, document, operation, variables) };
  const result = locateErrors(await engine.execute(planned, run), { schema, document, operation, variables });
  const { token } = run.written;
  return token === before
    ? result
    : { ...result, extensions: { ...result.extensions, http: { headers: { [consistencyHeader]: token } } } };
}

/** An event with its errors in their places, also where it has no data. */
function told(event: ExecutionResult, ran: Parameters<typeof locateErrors>[1]): ExecutionResult {
  if (event.data || !event.errors) return locateErrors(event, ran);
  // Its only field, which a subgraph may have been asked for by its name.
  const [key = ''] = answerPlaces(ran.document, ran.operation.name?.value, ran.variables)[0] ?? [];
  const errors = event.errors.map(({ message, path, extensions }) =>
    path ? new GraphQLError(message, { path: [key, ...path.slice(1)], extensions }) : new GraphQLError(message, { extensions }),
  );
  const placed = locateErrors({ data: {}, errors: errors.filter(({ path }) => path) }, ran).errors ?? [];
  return { ...event, errors: [...errors.filter(({ path }) => !path), ...placed] };
}

/** Has an engine tell the events of a subscription, with their errors as the graph tells them. */
async function listen(
  engine: Engine,
  schema: GraphQLSchema,
  asked: PlannedOperation,
  headers: IncomingHttpHeaders,
): Promise<AsyncIterableIterator<ExecutionResult> | ExecutionResult> {
  const sound = checked(schema, asked);
  if ('refused' in sound) return { errors: sound.refused.errors ?? [] };
  if (!engine.subscribe)
    return { errors: [problem('BAD_INPUT', 'the engine of this gateway knows no subscriptions: hive and hive-js do')] };
  const { document } = asked;
  const ran = { schema, document, ...sound };
  // Whatever the events make others be asked for is to be read from the primary, which has what the events are about.
  const planned = { ...asked, document: mergeSelections(schema, document, sound.operation, sound.variables) };
  const events = await engine.subscribe(planned, {
    headers,
    silent: new Set(),
    written: { token: null },
    around: { event: null },
  });
  const answers: AsyncIterableIterator<ExecutionResult> = {
    async next() {
      const { done, value } = await events.next();
      return done ? { done, value: undefined } : { done: false, value: told(value, ran) };
    },
    async return() {
      await events.return?.();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
  return answers;
}

/** `/graphql` of a gateway: requests are read, checked and refused as the service's own, before an engine has them. */
export function frontOf(engine: Engine, schema: GraphQLSchema, log: Logger): Express {
  const mask = masking(schema, log);
  const leaving = (error: unknown) => withStatus(mask(error));
  const planned: Plugin<{ req?: IncomingMessage }> = {
    onExecute({ args: { document, operationName, variableValues, contextValue }, setExecuteFn }) {
      const headers = contextValue.req?.headers ?? {};
      setExecuteFn(() =>
        run(engine, schema, { document, operationName: operationName ?? undefined, variables: variableValues ?? {} }, headers),
      );
    },
    onSubscribe({ args: { document, operationName, variableValues, contextValue }, setSubscribeFn }) {
      const headers = contextValue.req?.headers ?? {};
      setSubscribeFn(async () =>
        listen(engine, schema, { document, operationName: operationName ?? undefined, variables: variableValues ?? {} }, headers),
      );
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
    maskedErrors: { maskError: leaving },
    plugins: [limitsPlugin, maskValidationErrors(mask), planned, requireEventStream(leaving), normalizeStatus] as Plugin[],
  });
  const app = express().disable('x-powered-by').disable('etag').set('query parser', 'simple');
  app.use('/graphql', compression(), graphqlBody(), yoga as unknown as express.RequestHandler);
  return app;
}
