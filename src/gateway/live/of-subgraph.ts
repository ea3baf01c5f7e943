import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Request, RequestHandler, Response } from 'express';
import { type ExecutionResult, GraphQLError, type GraphQLSchema, getOperationAST } from 'graphql';
import { createYoga, type Plugin, type YogaServerInstance } from 'graphql-yoga';
import type { Logger } from 'pino';
import type { Caller } from '../../kernel/declare/caller.js';
import type { Client, Context } from '../../kernel/declare/context.js';
import { statuses } from '../../kernel/declare/errors.js';
import { metering } from '../../kernel/metering.js';
import { clientOf, type Trust } from '../client.js';
import { contextOf, type Resources } from '../context.js';
import { parsedDocuments } from '../documents/parsed.js';
import { inRequest } from '../error-requests.js';
import { headersOf } from '../headers.js';
import { limits, parseWithin } from '../limits.js';
import { type Mask, masking } from '../mask.js';
import { status, strict, subscribed, validated } from '../yoga.js';
import { type CallbackAddress, type Callbacks, callbackAddress, writtenError } from './callback.js';
import type { Streams } from './streams.js';
import { eventsTaken, toldLive } from './transport.js';

export interface SubscriptionOptions {
  resources: Resources;
  log: Logger;
  identify(header: (name: string) => string | undefined): Promise<Caller>;
  trust: Trust;
  streams: Streams;
  callbacks: Callbacks;
  /** Where routers may be called back. */
  routerCallbacks: readonly string[];
}

/** What the host hands over: a request and where it is answered, or the client where that is done already. */
type OfNode = { readonly req: IncomingMessage; readonly res: ServerResponse } | { readonly client: Client };

type Server = YogaServerInstance<OfNode, Context>;
type Parameters = Readonly<Record<string, unknown>>;

/** Whether a document asks for events; one that cannot be read is left to others. */
function isSubscription(text: unknown, operationName: unknown): boolean {
  if (typeof text !== 'string' || !text.includes('subscription')) return false;
  try {
    const name = typeof operationName === 'string' ? operationName : null;
    return getOperationAST(parseWithin(text, { noLocation: true }), name)?.operation === 'subscription';
  } catch {
    return false;
  }
}

/** Who sends a request, also when that is over. */
function lastingClient(request: IncomingMessage, response: ServerResponse, trust: Trust): Client {
  const read = headersOf(request.headers);
  const header = (name: string) => read(name.toLowerCase());
  const { address, origin, requestId } = clientOf(request, response, trust);
  return { address, origin, header, tell: () => undefined, ...(requestId === undefined ? {} : { requestId }) };
}

const events = 'text/event-stream';

const serverOf = (
  path: string,
  schema: GraphQLSchema,
  { resources, identify, trust, streams }: SubscriptionOptions,
  leaving: Mask,
): Server =>
  createYoga<OfNode, Context>({
    schema,
    graphqlEndpoint: path,
    landingPage: false,
    graphiql: false,
    logging: false,
    batching: false,
    cors: false,
    maskedErrors: { maskError: leaving },
    parserAndValidationCache: parsedDocuments('subscriptions to a subgraph'),
    context: async (node) => {
      const client = 'client' in node ? node.client : lastingClient(node.req, node.res, trust);
      const caller = await identify(client.header).catch((error: unknown) => {
        throw inRequest(error, client.requestId);
      });
      if ('res' in node) metering?.caller(node.res, caller);
      return contextOf(resources, caller, 'write', client);
    },
    plugins: [
      limits,
      validated(leaving),
      toldLive(leaving),
      eventsTaken(leaving),
      subscribed({ resources, identify, streams }, leaving),
      strict,
    ] as Plugin[],
  }) as unknown as Server;

/** Begins a subscription as one over server-sent events is begun. */
async function begin(
  server: Server,
  { query, operationName, variables }: Parameters,
  node: OfNode,
  leaving: Mask,
): Promise<AsyncIterableIterator<ExecutionResult> | ExecutionResult> {
  const { schema, parse, validate, contextFactory, subscribe } = server.getEnveloped(node);
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
    return { errors: [leaving(error)] };
  }
}

const isObject = (value: unknown): value is Parameters => typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Answers the subscriptions to a subgraph, which Apollo Server does not: over server-sent events, or by calling the router back. All else goes on
 * to those behind.
 */
export function subscriptionsTo(path: string, subgraph: GraphQLSchema, options: SubscriptionOptions): RequestHandler {
  const { log, callbacks, routerCallbacks } = options;
  const mask = masking(subgraph, log);
  const leaving: Mask = (error) => status(mask(error));
  const server = serverOf(path, subgraph, options, leaving);

  function refuse(response: Response, error: GraphQLError): void {
    response.status(statuses.BAD_INPUT).json({ errors: [writtenError(error)] });
  }

  /** As the protocol has it: the router is asked whether it was it before it gets its answer. */
  async function callBack(to: CallbackAddress, request: Request, response: Response): Promise<void> {
    if (!(await callbacks.check(to)))
      return refuse(response, leaving(new GraphQLError('the router that is to be called back does not know the subscription')));
    const begun = await begin(server, request.body, { client: lastingClient(request, response, options.trust) }, leaving);
    if (Symbol.asyncIterator in begun) callbacks.tell(to, begun);
    else void callbacks.complete(to, begun.errors);
    response.json({ data: null });
  }

  return (request, response, next) => {
    const { method, body, query: parameters, headers } = request;
    const asked: Parameters = method === 'POST' ? body : parameters;
    if (!isSubscription(asked.query, asked.operationName)) return next();
    const { subscription } = isObject(asked.extensions) ? asked.extensions : {};
    // Routers that read several forms of streams read this one.
    if (headers.accept?.includes(events)) headers.accept = events;
    if (method !== 'POST' || !isObject(subscription) || headers.accept === events) return void server(request, response);
    try {
      callBack(callbackAddress(subscription, routerCallbacks), request, response).catch(next);
    } catch (error) {
      refuse(response, leaving(error));
    }
  };
}
