import type { IncomingMessage } from 'node:http';
import { type ExecutionResult, GraphQLError, type GraphQLSchema, parse } from 'graphql';
import { CloseCode, makeServer, type Server, type SubscribePayload } from 'graphql-ws';
import type { Client } from '../../kernel/declare/context.js';
import { codeOf, createError } from '../../kernel/declare/errors.js';
import type { Caller } from '../../kernel/declare/policy/caller.js';
import { createUnavailableError } from '../../kernel/monitoring/unavailable.js';
import { type ErrorMask, tagWithClient } from '../errors/mask.js';
import { operationProblemOf } from '../http/body.js';
import { resultJson } from './result-json.js';
import { type LiveSocket, SocketCloseError } from './socket.js';
import { forwardedHeaders, socketHeaders } from './socket-headers.js';
import type { SocketOperation } from './transport.js';

/** Timeout for the `connection_init` message in milliseconds. */
const initTimeoutMs = 5_000;
/** Maximum number of concurrent operations per socket, and maximum length of operation IDs in characters. */
const maxSocketOperations = 100;
const maxIdLength = 128;

/** Services that run the operations of WebSockets. */
export interface SocketHost {
  readonly schema: GraphQLSchema;
  readonly mask: ErrorMask;
  identify(header: Client['header']): Promise<Caller>;
  /** Whether web pages from the origin of the upgrade request may read responses for its caller. */
  canRead(header: Client['header']): Promise<boolean>;
  clientOf(request: IncomingMessage, header: Client['header']): Client;
  /** Runs an operation like an HTTP request. Delivers subscriptions to the socket. */
  run(request: RequestInit, serverContext: { client: Client; socketOperation: SocketOperation }): Promise<Response> | Response;
}

/** State of an open socket. */
export interface OpenedSocket {
  readonly socket: LiveSocket;
  readonly request: IncomingMessage;
  header: Client['header'];
  /** Number of operations that are starting. */
  startingOperations: number;
}

type Errors = { errors?: { message: string }[] };

/** Wraps formatted errors, so that graphql-ws serializes them unchanged. */
const asGraphQLErrors = (errors: readonly { message: string }[]): GraphQLError[] =>
  errors.map((error) => Object.assign(new GraphQLError(error.message), { toJSON: () => error }));

/** Returns the close code and reason for a rejected socket. Clients may retry after a temporary failure. */
function closeReason(error: unknown): SocketCloseError {
  if (error instanceof SocketCloseError) return error;
  const code = codeOf(error);
  const reason = error instanceof Error ? error.message : '';
  if (code === 'BAD_INPUT') return new SocketCloseError(CloseCode.BadRequest, reason);
  if (code === 'FORBIDDEN') return new SocketCloseError(CloseCode.Forbidden, reason);
  return new SocketCloseError(1013, 'Try again later');
}

/** Masks and logs an error that occurred before an operation ran. */
const maskFor = ({ mask, clientOf }: SocketHost, { request, header }: OpenedSocket, error: unknown): GraphQLError =>
  mask(tagWithClient(error, clientOf(request, header)));

async function connect(host: SocketHost, openSocket: OpenedSocket, params: Record<string, unknown> | undefined): Promise<void> {
  try {
    const header = socketHeaders(openSocket.request, params);
    const caller = await host.identify(header);
    if (caller.rejected) throw new SocketCloseError(CloseCode.Unauthorized, 'the token is unknown, expired or revoked');
    if (!(await host.canRead(header)))
      throw new SocketCloseError(CloseCode.Forbidden, 'pages of this origin may not read responses');
    openSocket.header = header;
  } catch (error) {
    throw closeReason(error instanceof SocketCloseError ? error : maskFor(host, openSocket, error));
  }
}

/** Builds the HTTP request that is equivalent to an operation over the socket. */
function requestOf({ header }: OpenedSocket, payload: SubscribePayload): RequestInit {
  const headers = forwardedHeaders.flatMap((name): [string, string][] => {
    const value = header(name);
    return value === undefined ? [] : [[name, value]];
  });
  return {
    method: 'POST',
    headers: Object.fromEntries([...headers, ['content-type', 'application/json'], ['accept', 'application/json']]),
    // The protocol requires a query. An empty query means a persisted document.
    body: JSON.stringify({ ...payload, query: payload.query || undefined }),
  };
}

/**
 * Sends the results of a subscription. The returned iterator yields nothing and only signals the end, because graphql-ws would serialize
 * each result once per subscriber.
 */
function sendResults(
  { socket }: OpenedSocket,
  id: string,
  results: AsyncIterator<ExecutionResult>,
): AsyncIterableIterator<ExecutionResult> {
  const messageStart = `{"id":${JSON.stringify(id)},"type":"next","payload":`;
  const doneResult = { done: true, value: undefined } as const;
  return {
    async next() {
      let last: ExecutionResult | undefined;
      for (let next = await results.next(); !next.done; next = await results.next()) {
        last = next.value;
        await socket.send(`${messageStart}${resultJson(last)}}`);
      }
      // All operations on the socket use the same token, which is no longer valid.
      if (last?.data === null && codeOf(last.errors?.[0]) === 'UNAUTHENTICATED')
        socket.close(CloseCode.Unauthorized, 'the token is unknown, expired or revoked');
      return doneResult;
    },
    async return() {
      await results.return?.();
      return doneResult;
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/**
 * Placeholder for graphql-ws, which only checks that the operation is a subscription. The actual document is validated in the same way as
 * the document of an HTTP request.
 */
const placeholderDocument = parse('subscription { any }');

async function startOperation(
  host: SocketHost,
  openSocket: OpenedSocket,
  payload: SubscribePayload,
): Promise<AsyncIterator<ExecutionResult> | readonly { message: string }[]> {
  const operationProblem = operationProblemOf({ ...payload });
  if (operationProblem !== null) return [createError('BAD_INPUT', operationProblem).toJSON()];
  let results: AsyncIterator<ExecutionResult> | undefined;
  const socketOperation: SocketOperation = {
    connection: openSocket.socket,
    deliver: (iterator) => {
      results = iterator;
    },
  };
  const client = host.clientOf(openSocket.request, openSocket.header);
  const response = await host.run(requestOf(openSocket, payload), { client, socketOperation });
  if (results) return results;
  const { errors = [createError('INTERNAL', 'internal error').toJSON()] } = (await response.json()) as Errors;
  return errors;
}

/** Creates the graphql-transport-ws server. */
export const socketOperations = (host: SocketHost): Server<{ openSocket: OpenedSocket }> =>
  makeServer<Record<string, unknown>, { openSocket: OpenedSocket }>({
    connectionInitWaitTimeout: initTimeoutMs,
    onConnect: ({ connectionParams, extra: { openSocket } }) => connect(host, openSocket, connectionParams),
    async onSubscribe({ subscriptions, extra: { openSocket } }, id, payload) {
      if (id.length > maxIdLength)
        throw new SocketCloseError(CloseCode.BadRequest, `id: expected at most ${maxIdLength} characters`);
      if (Math.max(Object.keys(subscriptions).length, openSocket.startingOperations + 1) > maxSocketOperations) {
        const message = `too many operations on one socket: expected at most ${maxSocketOperations} at once`;
        const error = createUnavailableError({ reason: 'subscriptions', cause: 'operations per socket' }, message, 5);
        return asGraphQLErrors([maskFor(host, openSocket, error).toJSON()]);
      }
      openSocket.startingOperations += 1;
      try {
        const result = await startOperation(host, openSocket, payload);
        if ('length' in result) return asGraphQLErrors(result);
        return { schema: host.schema, document: placeholderDocument, contextValue: sendResults(openSocket, id, result) };
      } finally {
        openSocket.startingOperations -= 1;
      }
    },
    subscribe: ({ contextValue }) => contextValue as AsyncIterableIterator<ExecutionResult>,
  });
