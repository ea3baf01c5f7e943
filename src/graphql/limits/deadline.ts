import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { GraphQLError } from 'graphql';
import { clock, clockTickMs } from '../../kernel/clock.js';
import { statuses } from '../../kernel/declare/errors.js';
import { recordUnavailability, requestFactsOf } from '../../kernel/monitoring/request-facts.js';
import { createUnavailableError } from '../../kernel/monitoring/unavailable.js';
import { onClose } from '../../process/on-close.js';
import { countErrors } from '../errors/error-counts.js';
import { UnfinishedResponses } from './unfinished-responses.js';

const retryAfter = 5;

/** Sends a timeout error as a GraphQL response. */
function sendTimeout(response: ServerResponse, error: GraphQLError): void {
  response.writeHead(statuses.UNAVAILABLE, {
    'content-type': 'application/json; charset=utf-8',
    'retry-after': String(retryAfter),
  });
  countErrors([error]);
  response.end(JSON.stringify({ errors: [error] }));
}

const arrivalTime = Symbol('arrivalTime');

/** A response with the arrival time of its request, from `clock.now`. */
interface TimedResponse extends ServerResponse {
  [arrivalTime]?: number;
}

/** Returns the time since the request arrived, in milliseconds. 0 if the arrival time was not recorded. */
export const elapsedMs = (response: ServerResponse): number =>
  clock.now - ((response as TimedResponse)[arrivalTime] ?? clock.now);

/** Pending requests of each listener of this process. */
const pendingByListener = new Set<UnfinishedResponses>();

/** Returns the number of requests in this process that have no response yet. */
export const pendingRequestCount = (): number => [...pendingByListener].reduce((sum, { size }) => sum + size, 0);

/** Whether the client is still sending the body. False while the server has paused the stream. */
const isReceiving = ({ complete, readableFlowing }: IncomingMessage): boolean => !complete && readableFlowing === true;

/**
 * Wraps a listener with a timeout. If a response has not started after `maxDuration` milliseconds, the request fails with UNAVAILABLE and
 * the late response is dropped. The time in which the client sends the body does not count. `sendError` can send the error in another
 * format, and returns whether it did. One timer checks all requests.
 */
export function withDeadline(
  listener: RequestListener,
  maxDuration: number,
  sendError: (response: ServerResponse, error: GraphQLError) => boolean,
): { listener: RequestListener; stop(): void } {
  const pending = new UnfinishedResponses();
  pendingByListener.add(pending);
  const removePending = (response: ServerResponse) => pending.delete(response);
  const timer = setInterval(() => {
    for (const response of pending.snapshot()) {
      if (response.headersSent) pending.delete(response);
      else if (isReceiving(response.req)) (response as TimedResponse)[arrivalTime] = clock.now;
      else if (elapsedMs(response) > maxDuration) {
        pending.delete(response);
        const error = createUnavailableError({ reason: 'deadline' }, 'the response took too long', retryAfter);
        recordUnavailability(error, requestFactsOf(response));
        if (!sendError(response, error)) sendTimeout(response, error);
      }
    }
  }, clockTickMs).unref();
  return {
    listener: (request, response: TimedResponse) => {
      response[arrivalTime] = clock.now;
      pending.add(response);
      onClose(response, removePending);
      listener(request, response);
    },
    stop: () => {
      clearInterval(timer);
      pendingByListener.delete(pending);
    },
  };
}
