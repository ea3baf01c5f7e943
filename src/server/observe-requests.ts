import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { requestIdOf } from '../graphql/http/response-headers.js';
import { statuses } from '../kernel/declare/errors.js';
import { type FinishedRequest, requestFactsOf, startFacts } from '../kernel/monitoring/request-facts.js';
import { onClose } from '../process/on-close.js';

/** Paths of health probes, which are frequent and not reported. */
const probes = /^\/(?:health|livez|readyz)\b/;

/** Paths that Express matches without a pattern. */
const staticPaths = /^\/(?:graphql|subgraphs\/[a-z]+)(?=\/?(?:\?|$))/;

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Returns the path pattern of a request that Express handled. Express modifies the URL during routing. */
const expressRouteOf = (request: IncomingMessage & { originalUrl?: string; route?: { path?: unknown } }): string =>
  typeof request.route?.path === 'string'
    ? request.route.path
    : (staticPaths.exec(request.originalUrl ?? request.url ?? '')?.[0] ?? 'other');

/** Wraps a listener to collect the facts of each request, and to report them when its response is closed. */
export function observeRequests(listener: RequestListener, report: (request: FinishedRequest) => void): RequestListener {
  const endRequest = (response: ServerResponse) => {
    const facts = requestFactsOf(response);
    if (!facts) return;
    facts.isReported = true;
    const { method = '' } = response.req;
    const status = response.writableFinished ? response.statusCode : 499;
    report({
      ...facts,
      requestId: requestIdOf(response),
      method: methods.has(method) ? method : 'other',
      route: facts.route ?? expressRouteOf(response.req),
      status,
      unavailability: facts.unavailability ?? (status === statuses.UNAVAILABLE ? { reason: 'other' } : null),
      seconds: (performance.now() - facts.arrivedAt) / 1000,
    });
  };
  return (request, response) => {
    if (!probes.test(request.url ?? '')) {
      startFacts(response);
      onClose(response, endRequest);
    }
    listener(request, response);
  };
}
