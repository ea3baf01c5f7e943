import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { GraphQLError } from 'graphql';
import { clock, tick } from '../kernel/clock.js';
import { problem, statuses } from '../kernel/declare/errors.js';
import { InFlight } from './in-flight.js';

const retryAfter = 5;

/** Answers a request that is late, as GraphQL does. */
function tellLate(response: ServerResponse, late: GraphQLError): void {
  response.writeHead(statuses.UNAVAILABLE, {
    'content-type': 'application/json; charset=utf-8',
    'retry-after': String(retryAfter),
  });
  response.end(JSON.stringify({ errors: [late] }));
}

const arrived = Symbol('arrived');

/** An answer that knows since when it is waited for, by the clock. */
interface Awaited extends ServerResponse {
  [arrived]?: number;
}

/** For how long the client has waited for an answer, in milliseconds; 0 where nobody has told when it asked. */
export const waitedFor = (response: ServerResponse): number => clock.now - ((response as Awaited)[arrived] ?? clock.now);

/** The requests of this process without an answer, by its listeners. */
const all = new Set<InFlight>();

/** How many requests of this process have no answer yet. */
export const unanswered = (): number => [...all].reduce((sum, { size }) => sum + size, 0);

/** Whether a request is still on its way because of its sender: nobody has asked for it to wait. */
const isArriving = ({ complete, readableFlowing }: IncomingMessage): boolean => !complete && readableFlowing === true;

/**
 * Has every request answered, or its answer begun, within so many milliseconds from when it has arrived, whatever holds up those who answer it.
 * What they answer afterwards is dropped. `isTold` answers those that want another form. One timer looks at them all.
 */
export function inTime(
  listener: RequestListener,
  longest: number,
  isTold: (response: ServerResponse, late: GraphQLError) => boolean,
): { listener: RequestListener; stop(): void } {
  const awaited = new InFlight();
  all.add(awaited);
  function forget(this: Awaited): void {
    awaited.delete(this);
  }
  const timer = setInterval(() => {
    for (const response of awaited.all()) {
      if (response.headersSent) awaited.delete(response);
      else if (isArriving(response.req)) (response as Awaited)[arrived] = clock.now;
      else if (waitedFor(response) > longest) {
        awaited.delete(response);
        const late = problem('UNAVAILABLE', 'the answer took too long', { retryAfter });
        if (!isTold(response, late)) tellLate(response, late);
      }
    }
  }, tick).unref();
  return {
    listener: (request, response: Awaited) => {
      response[arrived] = clock.now;
      awaited.add(response);
      response.once('close', forget);
      listener(request, response);
    },
    stop: () => {
      clearInterval(timer);
      all.delete(awaited);
    },
  };
}
