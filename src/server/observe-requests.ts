import type { RequestListener, ServerResponse } from 'node:http';
import { startCollectingFacts } from '../graphql/http/collected-facts.js';
import { statuses } from '../kernel/declare/errors.js';
import { type FinishedRequest, requestFactsOf } from '../kernel/monitoring/request-facts.js';
import { onClose } from '../process/on-close.js';

/** Paths of health probes, which are frequent and not reported. */
const probes = /^\/(?:health|livez|readyz)\b/;

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

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
      requestId: facts.requestId,
      method: methods.has(method) ? method : 'other',
      route: facts.route,
      operationName: facts.operationName,
      status,
      unavailability: facts.unavailability ?? (status === statuses.UNAVAILABLE ? { reason: 'other' } : null),
      seconds: (performance.now() - facts.arrivedAt) / 1000,
    });
  };
  return (request, response) => {
    if (!probes.test(request.url ?? '')) {
      startCollectingFacts(response);
      onClose(response, endRequest);
    }
    listener(request, response);
  };
}
