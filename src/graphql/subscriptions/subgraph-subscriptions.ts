import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Request, RequestHandler, Response } from 'express';
import { type ExecutionResult, GraphQLError, type GraphQLSchema, getOperationAST } from 'graphql';
import { createYoga, type Plugin, type YogaServerInstance } from 'graphql-yoga';
import type { Logger } from 'pino';
import type { Client, Context } from '../../kernel/declare/context.js';
import { statuses } from '../../kernel/declare/errors.js';
import type { Caller } from '../../kernel/declare/policy/caller.js';
import type { RequestFacts } from '../../kernel/monitoring/request-facts.js';
import { contextOf, type Resources } from '../context.js';
import { parsedDocuments } from '../documents/document-cache.js';
import { createErrorMask, type ErrorMask, tagWithClient } from '../errors/mask.js';
import { clientOf, type IsTrustedProxy } from '../http/client.js';
import { headerReaderOf } from '../http/request-headers.js';
import { limitsPlugin, parseWithLimits } from '../limits/request-limits.js';
import { maskValidationErrors, normalizeStatus, runSubscriptions, withStatus } from '../yoga.js';
import { type CallbackAddress, type Callbacks, callbackAddress } from './callback.js';
import { serializeError } from './result-json.js';
import type { Streams } from './streams.js';
import { deliverSubscriptions, requireEventStream } from './transport.js';

export interface SubscriptionOptions {
  resources: Resources;
  log: Logger;
  identify(header: (name: string) => string | undefined): Promise<Caller>;
  /**
   * Identifies the caller of a new request, records it in `facts`, and counts the request. Throws RATE_LIMITED if the platform has used up
   * its budget.
   */
  admit(header: (name: string) => string | undefined, facts?: RequestFacts): Promise<Caller>;
  trust: IsTrustedProxy;
  streams: Streams;
  callbacks: Callbacks;
  /** Base URLs at which routers accept callbacks. */
  routerCallbacks: readonly string[];
}

/** Values that the HTTP server passes to Yoga: a request and its response, or the client of a callback subscription. */
type ServerContext = { readonly req: IncomingMessage; readonly res: ServerResponse } | { readonly client: Client };

type Server = YogaServerInstance<ServerContext, Context>;
type Parameters = Readonly<Record<string, unknown>>;

/**
 * Whether a document contains a subscription to run. False if the document cannot be parsed, because Apollo Server reports syntax errors.
 */
function isSubscription(text: unknown, operationName: unknown): boolean {
  if (typeof text !== 'string' || !text.includes('subscription')) return false;
  try {
    const name = typeof operationName === 'string' ? operationName : null;
    return getOperationAST(parseWithLimits(text, { noLocation: true }), name)?.operation === 'subscription';
  } catch {
    return false;
  }
}

/** Creates a client that remains usable after its HTTP request has ended. */
function detachedClient(request: IncomingMessage, response: ServerResponse, trust: IsTrustedProxy): Client {
  const readHeader = headerReaderOf(request.headers);
  const header = (name: string) => readHeader(name.toLowerCase());
  const { address, origin, requestId, facts } = clientOf(request, response, trust);
  return {
    address,
    origin,
    header,
    facts,
    setResponseHeader: () => undefined,
    ...(requestId === undefined ? {} : { requestId }),
  };
}

const eventStreamType = 'text/event-stream';

const createServer = (
  path: string,
  schema: GraphQLSchema,
  { resources, identify, admit, trust, streams }: SubscriptionOptions,
  maskWithStatus: ErrorMask,
): Server =>
  createYoga<ServerContext, Context>({
    schema,
    graphqlEndpoint: path,
    landingPage: false,
    graphiql: false,
    logging: false,
    batching: false,
    cors: false,
    maskedErrors: { maskError: maskWithStatus },
    parserAndValidationCache: parsedDocuments('subscriptions to a subgraph'),
    context: async (serverContext) => {
      const client =
        'client' in serverContext ? serverContext.client : detachedClient(serverContext.req, serverContext.res, trust);
      const caller = await admit(client.header, client.facts).catch((error: unknown) => {
        throw tagWithClient(error, client);
      });
      return contextOf(resources, caller, 'write', client);
    },
    plugins: [
      limitsPlugin,
      maskValidationErrors(maskWithStatus),
      deliverSubscriptions(maskWithStatus),
      requireEventStream(maskWithStatus),
      // Only operations of `/graphql` count for usage reports.
      runSubscriptions({ resources, identify, streams, countOperation: () => undefined }, maskWithStatus),
      normalizeStatus,
    ] as Plugin[],
  }) as unknown as Server;

/** Starts a subscription that delivers its events by callback. The checks are the same as for server-sent events. */
async function startSubscription(
  server: Server,
  { query, operationName, variables }: Parameters,
  serverContext: ServerContext,
  maskWithStatus: ErrorMask,
): Promise<AsyncIterableIterator<ExecutionResult> | ExecutionResult> {
  const { schema, parse, validate, contextFactory, subscribe } = server.getEnveloped(serverContext);
  try {
    const document = parse(query);
    const errors: readonly GraphQLError[] = validate(schema, document);
    if (errors.length) return { errors };
    return await subscribe({
      schema,
      document,
      operationName,
      variableValues: variables ?? {},
      contextValue: await contextFactory(),
    });
  } catch (error) {
    return { errors: [maskWithStatus(error)] };
  }
}

const isObject = (value: unknown): value is Parameters => typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Handles subscriptions to a subgraph, over server-sent events or HTTP callbacks, because Apollo Server does not support them. Passes all
 * other requests to the next handler.
 */
export function subscriptionsTo(path: string, subgraph: GraphQLSchema, options: SubscriptionOptions): RequestHandler {
  const { log, callbacks, routerCallbacks } = options;
  const mask = createErrorMask(subgraph, log);
  const maskWithStatus: ErrorMask = (error) => withStatus(mask(error));
  const server = createServer(path, subgraph, options, maskWithStatus);

  function refuse(response: Response, error: GraphQLError): void {
    response.status(statuses.BAD_INPUT).json({ errors: [serializeError(error)] });
  }

  /** Starts a callback subscription. The protocol requires a check callback before the response. */
  async function startCallback(address: CallbackAddress, request: Request, response: Response): Promise<void> {
    if (!(await callbacks.check(address)))
      return refuse(response, maskWithStatus(new GraphQLError('the router at callbackUrl did not confirm the subscription')));
    const result = await startSubscription(
      server,
      request.body,
      { client: detachedClient(request, response, options.trust) },
      maskWithStatus,
    );
    if (Symbol.asyncIterator in result) callbacks.deliver(address, result);
    else void callbacks.complete(address, result.errors);
    response.json({ data: null });
  }

  return (request, response, next) => {
    const { method, body, query: parameters, headers } = request;
    const params: Parameters = method === 'POST' ? body : parameters;
    if (!isSubscription(params.query, params.operationName)) return next();
    const { subscription } = isObject(params.extensions) ? params.extensions : {};
    // Routers that accept several stream formats get server-sent events.
    if (headers.accept?.includes(eventStreamType)) headers.accept = eventStreamType;
    if (method !== 'POST' || !isObject(subscription) || headers.accept === eventStreamType) return void server(request, response);
    try {
      startCallback(callbackAddress(subscription, routerCallbacks), request, response).catch(next);
    } catch (error) {
      refuse(response, maskWithStatus(error));
    }
  };
}
