import type { ServerResponse } from 'node:http';
import type { ExecutionResult, GraphQLError } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { problem } from '../../kernel/declare/errors.js';
import { eventStream } from './event-stream.js';
import type { Outlet } from './outlet.js';

/** A socket that an operation came over. */
export interface OverSocket {
  readonly outlet: Outlet;
  /** Is given the answers of a subscription, which the socket tells. */
  take(results: AsyncIterableIterator<ExecutionResult>): void;
}

/** What the host hands over: the response of a request, or the socket that an operation came over. */
interface Handed {
  readonly res?: ServerResponse;
  readonly overSocket?: OverSocket;
}

/** By what a subscriber is told of events; null for requests within the process. */
export function outletOf(context: object): Outlet | null {
  const { res, overSocket } = context as Handed;
  return overSocket?.outlet ?? (res ? eventStream(res) : null);
}

const isStream = (result: object): result is AsyncIterableIterator<ExecutionResult> => Symbol.asyncIterator in result;

/** Refuses a subscription whose client takes no events, and ends it. */
export const eventsTaken = (leaving: (error: unknown) => GraphQLError): Plugin =>
  ({
    onResultProcess({ result, serverContext, resultProcessor, setResultProcessor }) {
      // There is none for the types that the client takes.
      const processor: unknown = resultProcessor;
      if (processor || !isStream(result) || (serverContext as Handed).overSocket) return;
      void result.return?.();
      const refusal = problem('BAD_INPUT', 'accept: expected text/event-stream, in which the events of a subscription come');
      const { message, extensions } = leaving(refusal);
      const errors = [{ message, extensions: { ...extensions, http: undefined } }];
      setResultProcessor((_, { Response }) => Response.json({ errors }, { status: 406 }), 'application/json');
    },
  }) as Plugin;

/** Has subscriptions told by writers of our own; over sockets nothing else is run. */
export const toldLive = (leaving: (error: unknown) => GraphQLError): Plugin =>
  ({
    onExecute({ args, setResultAndStopExecution }) {
      if (!(args.contextValue as Handed).overSocket) return;
      const refusal = problem('BAD_INPUT', 'query: expected a subscription, queries and mutations are for POST /graphql');
      setResultAndStopExecution({ errors: [leaving(refusal)] });
    },
    onResultProcess({ result, serverContext, resultProcessor, setResultProcessor, request }) {
      if (!isStream(result)) return;
      const { res, overSocket } = serverContext as Handed;
      if (overSocket) {
        setResultProcessor((_, { Response }) => {
          overSocket.take(result);
          return new Response(null, { status: 204 });
        }, 'application/json');
      } else if (res && resultProcessor && request) {
        setResultProcessor(
          (_, { Response }) =>
            // The answer is written by then: Yoga finds nothing left to do.
            eventStream(res)
              .tell(result)
              .then(() => new Response(null)) as unknown as Response,
          'text/event-stream',
        );
      }
    },
  }) as Plugin;
