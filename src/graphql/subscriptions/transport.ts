import type { ServerResponse } from 'node:http';
import type { ExecutionResult, GraphQLError } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { createError } from '../../kernel/declare/errors.js';
import type { LiveConnection } from './connections.js';
import { eventStream } from './event-stream.js';

/** WebSocket through which an operation was received. */
export interface SocketOperation {
  readonly connection: LiveConnection;
  /** Delivers the results of a subscription over the socket. */
  deliver(results: AsyncIterableIterator<ExecutionResult>): void;
}

/** Values that the HTTP server passes to Yoga: the response, or the socket of the operation. */
interface ServerContext {
  readonly res?: ServerResponse;
  readonly socketOperation?: SocketOperation;
}

/** Connection of a subscriber. Null for requests within the process. */
export function liveConnectionOf(context: object): LiveConnection | null {
  const { res, socketOperation } = context as ServerContext;
  return socketOperation?.connection ?? (res ? eventStream(res) : null);
}

const isStream = (result: object): result is AsyncIterableIterator<ExecutionResult> => Symbol.asyncIterator in result;

/** Refuses subscriptions of clients that do not accept an event stream. */
export const requireEventStream = (formatError: (error: unknown) => GraphQLError): Plugin =>
  ({
    onResultProcess({ result, serverContext, resultProcessor, setResultProcessor }) {
      // Can be undefined, although its type says otherwise: Yoga may have no result processor for the media types that the client accepts.
      const processor: unknown = resultProcessor;
      if (processor || !isStream(result) || (serverContext as ServerContext).socketOperation) return;
      void result.return?.();
      const refusal = createError('BAD_INPUT', 'accept: expected text/event-stream, the format of subscriptions');
      const { message, extensions } = formatError(refusal);
      const errors = [{ message, extensions: { ...extensions, http: undefined } }];
      setResultProcessor((_, { Response }) => Response.json({ errors }, { status: 406 }), 'application/json');
    },
  }) as Plugin;

/**
 * Yoga plugin that delivers subscriptions over this service's event streams and WebSockets instead of Yoga's streams. Refuses queries and
 * mutations over WebSockets.
 */
export const deliverSubscriptions = (formatError: (error: unknown) => GraphQLError): Plugin =>
  ({
    onExecute({ args, setResultAndStopExecution }) {
      if (!(args.contextValue as ServerContext).socketOperation) return;
      const refusal = createError('BAD_INPUT', 'query: expected a subscription, send queries and mutations to POST /graphql');
      setResultAndStopExecution({ errors: [formatError(refusal)] });
    },
    onResultProcess({ result, serverContext, resultProcessor, setResultProcessor, request }) {
      if (!isStream(result)) return;
      const { res, socketOperation } = serverContext as ServerContext;
      if (socketOperation) {
        setResultProcessor((_, { Response }) => {
          socketOperation.deliver(result);
          return new Response(null, { status: 204 });
        }, 'application/json');
      } else if (res && resultProcessor && request) {
        setResultProcessor(
          (_, { Response }) =>
            // The response has been written at this point, so Yoga does nothing.
            eventStream(res)
              .send(result)
              .then(() => new Response(null)) as unknown as Response,
          'text/event-stream',
        );
      }
    },
  }) as Plugin;
