import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { GraphQLError } from 'graphql';
import { clock, tick } from '../kernel/clock.js';
import { problem, statuses } from '../kernel/declare/errors.js';

const retryAfter = 5;

/** Answers a request that is late, as GraphQL does. */
function tellLate(response: ServerResponse, late: GraphQLError): void {
  response.writeHead(statuses.UNAVAILABLE, {
    'content-type': 'application/json; charset=utf-8',
    'retry-after': String(retryAfter),
  });
  response.end(JSON.stringify({ errors: [late] }));
}

/** Whether a request is still on its way because of its sender: nobody has asked for it to wait. */
const isArriving = ({ complete, readableFlowing }: IncomingMessage): boolean => !complete && readableFlowing === true;

/**
 * Has every request answered, or its answer begun, within so many milliseconds from when it has arrived, whatever holds up those who answer it.
 * What they answer afterwards is dropped. `isTold` answers those that want another form. It costs a request an entry in a map: one timer looks at them all.
 */
export function inTime(
  listener: RequestListener,
  longest: number,
  isTold: (response: ServerResponse, late: GraphQLError) => boolean,
): { listener: RequestListener; stop(): void } {
  const since = new Map<ServerResponse, number>();
  function forget(this: ServerResponse): void {
    since.delete(this);
  }
  const timer = setInterval(() => {
    for (const [response, arrived] of since) {
      if (response.headersSent) since.delete(response);
      else if (isArriving(response.req)) since.set(response, clock.now);
      else if (clock.now - arrived > longest) {
        since.delete(response);
        const late = problem('UNAVAILABLE', 'the answer took too long', { retryAfter });
        if (!isTold(response, late)) tellLate(response, late);
      }
    }
  }, tick).unref();
  return {
    listener: (request, response) => {
      since.set(response, clock.now);
      response.once('close', forget);
      listener(request, response);
    },
    stop: () => clearInterval(timer),
  };
}
