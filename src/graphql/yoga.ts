import type { IncomingMessage, ServerResponse } from 'node:http';
import { type DocumentNode, GraphQLError, type GraphQLSchema } from 'graphql';
import { createYoga, type Plugin, type YogaServerInstance } from 'graphql-yoga';
import type { Logger } from 'pino';
import type { Client, Context } from '../kernel/declare/context.js';
import { codeOf, isCode, statuses } from '../kernel/declare/errors.js';
import type { Caller } from '../kernel/declare/policy/caller.js';
import { metering } from '../kernel/monitoring/metering.js';
import {
  type CountOperation,
  type OperationFacts,
  type RequestFacts,
  requestFactsOf,
} from '../kernel/monitoring/request-facts.js';
import { contextOf, type Resources, unknownClient } from './context.js';
import { parsedDocuments } from './documents/document-cache.js';
import { operationFactsOf } from './documents/operation-facts.js';
import { documentId, persistedDocumentsPlugin } from './documents/persisted.js';
import type { TrustedDocuments } from './documents/trusted.js';
import { countErrors } from './errors/error-counts.js';
import { createErrorMask, type ErrorMask, tagWithClient, uniqueErrors } from './errors/mask.js';
import { execute } from './execute.js';
import { clientOf, type IsTrustedProxy } from './http/client.js';
import { admittedCallerOf, permitCaching, trackClient } from './http/query-cache.js';
import { idempotencyPlugin } from './idempotency/replay.js';
import type { IdempotentResponses } from './idempotency/responses.js';
import { restrictIntrospection } from './introspection.js';
import { complexityLimit, costRefusal } from './limits/complexity.js';
import type { ConcurrencyLimiter } from './limits/concurrency-limiter.js';
import { limitsPlugin } from './limits/request-limits.js';
import { consistencyHeader, sendWriteToken } from './read-your-writes/index.js';
import { readLivePosition } from './subscriptions/live-position.js';
import type { Streams } from './subscriptions/streams.js';
import { subscribeTo } from './subscriptions/subscribe.js';
import { deliverSubscriptions, liveConnectionOf, requireEventStream, type SocketOperation } from './subscriptions/transport.js';

interface GraphQLOptions {
  schema: GraphQLSchema;
  resources: Resources;
  log: Logger;
  identify(header: (name: string) => string | undefined): Promise<Caller>;
  /**
   * Identifies the caller of a new request, records it in `facts`, and counts the request. Throws RATE_LIMITED if the platform has used up
   * its budget.
   */
  admit(header: (name: string) => string | undefined, facts?: RequestFacts): Promise<Caller>;
  /** Stored responses for requests with an Idempotency-Key. */
  responses: IdempotentResponses;
  /** Documents that clients can send by ID. Null if there is no manifest. */
  trusted: TrustedDocuments | null;
  /** Whether callers without a token or key may use introspection. */
  isIntrospectionPublic: boolean;
  trust: IsTrustedProxy;
  /** Open subscriptions. */
  streams: Streams;
  /** Counts operations for usage reports. */
  countOperation: CountOperation;
}

/** Values that the HTTP server passes to Yoga with a request. */
interface ServerContext {
  readonly req?: IncomingMessage;
  readonly res?: ServerResponse;
  /** Client and socket of an operation over a WebSocket. */
  readonly client?: Client;
  readonly socketOperation?: SocketOperation;
}

const noOperation: OperationFacts = { type: 'none', name: undefined, rootFields: [] };

/** Records the operation for the log line of its request, and returns it. */
function recordOperation(
  document: DocumentNode,
  operationName: string | null | undefined,
  { client: { facts } }: Context,
): OperationFacts {
  const operation = operationFactsOf(document, operationName) ?? noOperation;
  if (facts) facts.operation = operation;
  return operation;
}

/** Returns the HTTP status that describes an error. */
const statusOf = (error: unknown): number => statuses[codeOf(error) ?? 'INTERNAL'];

/** Returns the highest status of the errors. 200 if there are none. */
const outcomeOf = (errors: readonly unknown[] = []): number => Math.max(200, ...errors.map(statusOf));

/** Returns a function that records the client of an error, and throws the error. */
const throwTagged =
  (client: Client) =>
  (error: unknown): never => {
    throw tagWithClient(error, client);
  };

/**
 * Yoga plugin that runs queries and mutations with `execute`, which compiles repeated operations. Waits for a slot of the database limiter
 * first.
 */
const runOperations = (databaseLimiter: ConcurrencyLimiter, countOperation: CountOperation): Plugin<Context> => ({
  onExecute({ args, setExecuteFn }) {
    const context = args.contextValue as Context;
    const { res } = args.contextValue as ServerContext;
    const operation = recordOperation(args.document, args.operationName, context);
    const startTime = performance.now();
    const count = (status: number) => countOperation(operation, context.caller, status, startTime);
    setExecuteFn(async () => {
      if (!databaseLimiter.tryAcquire())
        await databaseLimiter.acquire(res).catch((error) => {
          count(statusOf(error));
          throw tagWithClient(error, context.client);
        });
      let status = statuses.INTERNAL as number;
      try {
        const result = await execute(
          args.schema,
          args.document,
          args.operationName ?? undefined,
          args.variableValues ?? {},
          context,
        );
        if (operation.type === 'query' && !result.errors) permitCaching(context.client);
        status = outcomeOf(result.errors);
        return result;
      } finally {
        databaseLimiter.release();
        metering?.operation(context.client.header, operation.type, (performance.now() - startTime) / 1000);
        count(status);
      }
    });
  },
});

/**
 * Yoga plugin that starts subscriptions, which receive their events from the change log. Waits for a slot of the database limiter first.
 */
export const runSubscriptions = (
  { resources, identify, streams, countOperation }: Pick<GraphQLOptions, 'resources' | 'identify' | 'streams' | 'countOperation'>,
  mask: ErrorMask,
): Plugin<Context> => ({
  onSubscribe({ args, setSubscribeFn }) {
    const { caller, client } = args.contextValue as Context;
    const { schema, document, operationName } = args;
    const request = { schema, document, operationName: operationName ?? undefined, variables: args.variableValues ?? {} };
    const operation = recordOperation(document, request.operationName, args.contextValue as Context);
    metering?.operation(client.header, operation.type, null);
    const startTime = performance.now();
    const count = (status: number) => countOperation(operation, caller, status, startTime);
    setSubscribeFn(async () => {
      const refusal = costRefusal(schema, document, request.operationName, request.variables);
      if (refusal) {
        count(statusOf(refusal.error));
        return { errors: [mask(refusal.error)] };
      }
      const connection = liveConnectionOf(args.contextValue as object);
      const { databaseLimiter } = resources;
      const tagAndThrow = (error: unknown): never => {
        count(statusOf(error));
        throw tagWithClient(error, client);
      };
      if (!databaseLimiter.tryAcquire())
        await databaseLimiter.acquire((args.contextValue as ServerContext).res).catch(tagAndThrow);
      try {
        const options = { resources, streams, mask, client, caller, connection, identify: () => identify(client.header) };
        const result = await subscribeTo(request, options).catch(tagAndThrow);
        count(outcomeOf('errors' in result ? result.errors : []));
        return result;
      } finally {
        databaseLimiter.release();
      }
    });
  },
});

/** Masks validation errors like all other errors. */
export const maskValidationErrors = (mask: ErrorMask): Plugin<Context> => ({
  onValidate:
    () =>
    ({ valid, result, setResult }) => {
      if (!valid) setResult(uniqueErrors(result.map(mask)));
    },
});

/** HTTP properties of an error, in the format of Yoga. */
interface Http {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether the GraphQL over HTTP specification requires status 200 for `application/json`. */
  readonly spec?: boolean;
}

const httpOf = ({ extensions }: GraphQLError): Http | undefined => extensions.http as Http | undefined;

/** Whether the client accepts only an event stream. Such clients ignore other responses, so they get errors as events with status 200. */
const acceptsEventsOnly = (accept: string): boolean =>
  accept.includes('text/event-stream') && !/application\/|\*\/\*/.test(accept);

/**
 * Yoga plugin that sets the status of responses with errors. Executed operations return 200, because clients discard the data in other
 * responses. Operations that cannot be executed return the status of their error. With `Accept: application/json`, they return 200 if the
 * specification requires it.
 */
export const normalizeStatus: Plugin<Context> = {
  onResultProcess({ request, result }) {
    if (!('errors' in result)) return;
    countErrors(result.errors);
    const accept = request.headers.get('accept') ?? '';
    const acceptsJson = accept.includes('application/json');
    const isEvent = acceptsEventsOnly(accept);
    for (const error of result.errors ?? []) {
      const { status, spec, ...http } = httpOf(error) ?? {};
      const headers = status === statuses.METHOD_NOT_ALLOWED ? { ...http.headers, allow: 'GET, POST' } : http.headers;
      if (result.data !== undefined) error.extensions.http = headers && { headers };
      else if (isEvent) error.extensions.http = { status: 200, headers };
      else if (status !== undefined) error.extensions.http = { status, headers, spec: acceptsJson && spec };
    }
  },
};

/** Counts the requests that were refused before an operation ran, for example because of an unknown field. */
const countRefusals = ({ countOperation, identify }: Pick<GraphQLOptions, 'countOperation' | 'identify'>): Plugin<Context> => ({
  async onResultProcess({ request, result, serverContext }) {
    const { res } = serverContext as ServerContext;
    const facts = res && requestFactsOf(res);
    if (!facts || facts.operation || !('errors' in result) || result.data !== undefined) return;
    // Invalid documents are refused before the caller is identified.
    const header = (name: string) => request.headers.get(name) ?? undefined;
    facts.caller ??= await identify(header).catch(() => null);
    countOperation(null, facts.caller, outcomeOf(result.errors), facts.arrivedAt);
  },
});

/** Adds the HTTP status for the error code, and `Retry-After`, to the error of a request that cannot be executed. */
export const withStatus = (error: GraphQLError): GraphQLError => {
  const { code, retryAfter } = error.extensions;
  if (!isCode(code) || code === 'INTERNAL') return error;
  const headers = typeof retryAfter === 'number' ? { 'retry-after': String(retryAfter) } : undefined;
  const http: Http = { status: statuses[code], headers, spec: httpOf(error)?.spec };
  return new GraphQLError(error.message, {
    originalError: error,
    ...(error.nodes ? { nodes: error.nodes } : { source: error.source, positions: error.positions }),
    ...(error.path ? { path: error.path } : {}),
    extensions: { ...error.extensions, http },
  });
};

/** Creates the GraphQL server for `/graphql`. */
export function createGraphQL(options: GraphQLOptions): YogaServerInstance<ServerContext, Context> {
  const { schema, resources, log, identify, admit, responses, trusted, isIntrospectionPublic, trust, countOperation } = options;
  const mask = createErrorMask(schema, log);
  const maskWithStatus = (error: unknown) => withStatus(mask(error));
  return createYoga<ServerContext, Context>({
    schema,
    graphqlEndpoint: '/graphql',
    landingPage: false,
    logging: false,
    batching: false,
    // The HTTP server of the process handles CORS. Yoga's default would let every page send requests with cookies.
    cors: false,
    maskedErrors: { maskError: maskWithStatus },
    parserAndValidationCache: parsedDocuments(),
    extraParamNames: [documentId],
    // The HTTP server of the process serves GraphiQL.
    graphiql: false,
    context: async ({ request, req, res, client: socketClient }) => {
      const header = socketClient?.header ?? ((name: string) => request.headers.get(name) ?? undefined);
      const client =
        socketClient ?? (req && res ? trackClient(req, clientOf(req, res, trust, header)) : { ...unknownClient, header });
      const caller = await ((req && admittedCallerOf(req)) ?? admit(header, client.facts)).catch(throwTagged(client));
      if (socketClient) return { ...contextOf(resources, caller, 'write', socketClient) };
      // A guard on the mutation fields switches to the primary before the first statement of a mutation.
      const context = contextOf(resources, caller, 'read', client);
      await resources.readYourWrites.waitForWrite(context.sql, header(consistencyHeader));
      return { ...context };
    },
    plugins: [
      persistedDocumentsPlugin(trusted),
      isIntrospectionPublic ? {} : restrictIntrospection(identify, maskWithStatus),
      limitsPlugin,
      maskValidationErrors(mask),
      deliverSubscriptions(maskWithStatus),
      requireEventStream(maskWithStatus),
      complexityLimit(withStatus),
      idempotencyPlugin(responses, resources.readYourWrites),
      sendWriteToken(resources.readYourWrites),
      readLivePosition,
      runOperations(resources.databaseLimiter, countOperation),
      runSubscriptions(options, maskWithStatus),
      countRefusals(options),
      normalizeStatus,
    ] as Plugin[],
  }) as YogaServerInstance<ServerContext, Context>;
}
