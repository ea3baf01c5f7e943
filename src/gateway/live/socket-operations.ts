import type { IncomingMessage } from 'node:http';
import { type ExecutionResult, GraphQLError, type GraphQLSchema, parse } from 'graphql';
import { CloseCode, makeServer, type Server, type SubscribePayload } from 'graphql-ws';
import type { Caller } from '../../kernel/declare/caller.js';
import type { Client } from '../../kernel/declare/context.js';
import { codeOf, problem } from '../../kernel/declare/errors.js';
import { wrongOperation } from '../body.js';
import { textOf } from './result-text.js';
import { type LiveSocket, SocketClosing } from './socket.js';
import { passedOn, socketHeaders } from './socket-headers.js';
import type { OverSocket } from './transport.js';

/** How long a socket may wait with its first message, in milliseconds. */
export const initWait = 5_000;
/** Operations of one socket at once, and characters of the ids that clients give them. */
export const mostOperations = 100;
const longestId = 128;

/** What an operation over a socket is run by. */
export interface SocketHost {
  readonly schema: GraphQLSchema;
  identify(header: Client['header']): Promise<Caller>;
  /** Whether pages of the origin that a browser names may read what this caller is told. */
  mayRead(header: Client['header']): Promise<boolean>;
  clientOf(request: IncomingMessage, header: Client['header']): Client;
  /** Runs an operation as if it had come as a request, subscriptions being given to the socket. */
  run(request: RequestInit, handed: { client: Client; overSocket: OverSocket }): Promise<Response> | Response;
}

/** A socket, and what is known of it. */
export interface OpenedSocket {
  readonly socket: LiveSocket;
  readonly request: IncomingMessage;
  header: Client['header'];
  /** Operations of which it is not known yet what becomes of them. */
  beginning: number;
}

type Errors = { errors?: { message: string }[] };

/** Errors as they are. */
const asTold = (errors: readonly { message: string }[]): GraphQLError[] =>
  errors.map((error) => Object.assign(new GraphQLError(error.message), { toJSON: () => error }));

/** Close codes for sockets that are rejected. Clients may retry after a temporary failure. */
function closing(error: unknown): SocketClosing {
  if (error instanceof SocketClosing) return error;
  const code = codeOf(error);
  const reason = error instanceof Error ? error.message : '';
  if (code === 'BAD_INPUT') return new SocketClosing(CloseCode.BadRequest, reason);
  if (code === 'FORBIDDEN') return new SocketClosing(CloseCode.Forbidden, reason);
  return new SocketClosing(1013, 'Try again later');
}

async function connect(host: SocketHost, opened: OpenedSocket, params: Record<string, unknown> | undefined): Promise<void> {
  try {
    const header = socketHeaders(opened.request, params);
    const caller = await host.identify(header);
    if (caller.rejected) throw new SocketClosing(CloseCode.Unauthorized, 'the token is unknown, expired or revoked');
    if (!(await host.mayRead(header))) throw new SocketClosing(CloseCode.Forbidden, 'pages of this origin may not read answers');
    opened.header = header;
  } catch (error) {
    throw closing(error);
  }
}

/** An operation, as a request. */
function requestOf({ header }: OpenedSocket, payload: SubscribePayload): RequestInit {
  const headers = passedOn.flatMap((name): [string, string][] => {
    const value = header(name);
    return value === undefined ? [] : [[name, value]];
  });
  return {
    method: 'POST',
    headers: Object.fromEntries([...headers, ['content-type', 'application/json'], ['accept', 'application/json']]),
    // The protocol has no message without a query: a document that is named is one with an empty text.
    body: JSON.stringify({ ...payload, query: payload.query || undefined }),
  };
}

/**
 * The answers to a subscription, each sent as it comes: the library, which would make the text of each anew for each subscriber, is given none
 * of them, and sees when they end.
 */
function sent(
  { socket }: OpenedSocket,
  id: string,
  results: AsyncIterator<ExecutionResult>,
): AsyncIterableIterator<ExecutionResult> {
  const head = `{"id":${JSON.stringify(id)},"type":"next","payload":`;
  const over = { done: true, value: undefined } as const;
  return {
    async next() {
      let last: ExecutionResult | undefined;
      for (let next = await results.next(); !next.done; next = await results.next()) {
        last = next.value;
        await socket.send(`${head}${textOf(last)}}`);
      }
      // All that the socket has is of one caller, who is nobody any more.
      if (last?.data === null && codeOf(last.errors?.[0]) === 'UNAUTHENTICATED')
        socket.close(CloseCode.Unauthorized, 'the token is unknown, expired or revoked');
      return over;
    },
    async return() {
      await results.return?.();
      return over;
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/** The library asks of an operation only that it is a subscription; what it says has been looked at as that of a request is. */
const anySubscription = parse('subscription { any }');

async function begin(
  host: SocketHost,
  opened: OpenedSocket,
  payload: SubscribePayload,
): Promise<AsyncIterator<ExecutionResult> | readonly { message: string }[]> {
  const wrong = wrongOperation({ ...payload });
  if (wrong !== null) return [problem('BAD_INPUT', wrong).toJSON()];
  let results: AsyncIterator<ExecutionResult> | undefined;
  const overSocket: OverSocket = {
    outlet: opened.socket,
    take: (given) => {
      results = given;
    },
  };
  const client = host.clientOf(opened.request, opened.header);
  const response = await host.run(requestOf(opened, payload), { client, overSocket });
  if (results) return results;
  const { errors = [problem('INTERNAL', 'internal error').toJSON()] } = (await response.json()) as Errors;
  return errors;
}

/** What runs the protocol graphql-transport-ws over sockets. */
export const socketOperations = (host: SocketHost): Server<{ opened: OpenedSocket }> =>
  makeServer<Record<string, unknown>, { opened: OpenedSocket }>({
    connectionInitWaitTimeout: initWait,
    onConnect: ({ connectionParams, extra: { opened } }) => connect(host, opened, connectionParams),
    async onSubscribe({ subscriptions, extra: { opened } }, id, payload) {
      if (id.length > longestId) throw new SocketClosing(CloseCode.BadRequest, `id: expected at most ${longestId} characters`);
      if (Math.max(Object.keys(subscriptions).length, opened.beginning + 1) > mostOperations) {
        const message = `too many operations over one socket: expected at most ${mostOperations} at once`;
        return asTold([problem('UNAVAILABLE', message, { retryAfter: 5 }).toJSON()]);
      }
      opened.beginning += 1;
      try {
        const begun = await begin(host, opened, payload);
        if ('length' in begun) return asTold(begun);
        return { schema: host.schema, document: anySubscription, contextValue: sent(opened, id, begun) };
      } finally {
        opened.beginning -= 1;
      }
    },
    subscribe: ({ contextValue }) => contextValue as AsyncIterableIterator<ExecutionResult>,
  });
