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
import { tooCostly } from '../../gateway/complexity.js';
import { inPlace } from '../../gateway/error-places.js';
import { limits } from '../../gateway/limits.js';
import { masking } from '../../gateway/mask.js';
import { consistencyHeader, nothingWritten } from '../../gateway/read-your-writes/index.js';
import { status, strict, validated } from '../../gateway/yoga.js';
import type { Engine, PlannedOperation, PlannedRun } from './engine.js';

/** Whether an operation asks for nothing but the schema. Of that the supergraph knows less: the order of fields, and what is internal. */
const isIntrospection = ({ selectionSet: { selections } }: OperationDefinitionNode): boolean =>
  selections.every((node) => node.kind === Kind.FIELD && node.name.value.startsWith('__'));

/** Has an engine run an operation that the graph would run, too, and has its errors told as the graph tells them. */
async function run(
  engine: Engine,
  schema: GraphQLSchema,
  asked: PlannedOperation,
  headers: IncomingHttpHeaders,
): Promise<ExecutionResult> {
  const { document, operationName, variables: given } = asked;
  const operation = getOperationAST(document, operationName);
  if (!operation) return { errors: [new GraphQLError(`there is no operation ${operationName ?? ''}`)] };
  const { variables, error } = coerceVariables(schema, document, operation, given);
  if (error) return { errors: [error] };
  const tooMuch = tooCostly(schema, document, operationName, given);
  if (tooMuch) return { errors: [tooMuch.error], extensions: tooMuch.extensions };
  if (isIntrospection(operation))
    return execute({ schema, document, variableValues: given, operationName: operationName ?? null });
  const sent = headers[consistencyHeader];
  const before = typeof sent === 'string' ? sent : operation.operation === 'mutation' ? null : nothingWritten;
  const run: PlannedRun = { headers, silent: new Set(), written: { token: before } };
  const result = inPlace(await engine.execute(asked, run), { schema, document, operation, variables });
  const { token } = run.written;
  return token === before
    ? result
    : { ...result, extensions: { ...result.extensions, http: { headers: { [consistencyHeader]: token } } } };
}

/** `/graphql` of a gateway: requests are read, checked and refused as the service's own, before an engine has them. */
export function frontOf(engine: Engine, schema: GraphQLSchema, log: Logger): Express {
  const mask = masking(schema, log);
  const planned: Plugin<{ req?: IncomingMessage }> = {
    onExecute({ args: { document, operationName, variableValues, contextValue }, setExecuteFn }) {
      const headers = contextValue.req?.headers ?? {};
      setExecuteFn(() =>
        run(engine, schema, { document, operationName: operationName ?? undefined, variables: variableValues ?? {} }, headers),
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
    maskedErrors: { maskError: (error) => status(mask(error)) },
    plugins: [limits, validated(mask), planned, strict] as Plugin[],
  });
  const app = express().disable('x-powered-by').disable('etag').set('query parser', 'simple');
  app.use('/graphql', compression(), graphqlBody(), yoga as unknown as express.RequestHandler);
  return app;
}
