import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { type Attributes, context, propagation, ROOT_CONTEXT, SpanKind, type Tracer, trace } from '@opentelemetry/api';
import { requestIdOf } from '../graphql/http/response-headers.js';
import { onClose } from '../process/on-close.js';
import { markFailed, requestKey, type TracedRequest } from './spans.js';

/** Paths of health probes. They are frequent, so they are not traced. */
const probes = new Set(['/health', '/livez', '/readyz']);

/** Paths that are exported verbatim. Other paths may contain one-time values, so only their route patterns are exported. */
const staticPaths = /^\/(?:graphql|subgraphs\/[a-z]+)(?=\/?$)/;

/** Headers that contain the name and version of a client, keyed by span attribute. */
const clientHeaders = {
  'client.name': ['apollographql-client-name', 'graphql-client-name'],
  'client.version': ['apollographql-client-version', 'graphql-client-version'],
};

function clientOf({ headers }: IncomingMessage): Attributes {
  const attributes: Attributes = {};
  for (const [attribute, names] of Object.entries(clientHeaders)) {
    const value = names.map((name) => headers[name]).find((header) => typeof header === 'string');
    if (value) attributes[attribute] = value.slice(0, 100);
  }
  return attributes;
}

/** Express stores the matched route on the request. */
const routeOf = (request: IncomingMessage & { route?: { path?: unknown } }, path: string): string | undefined =>
  typeof request.route?.path === 'string' ? request.route.path : staticPaths.exec(path)?.[0];

/** Wraps a listener to create a span for each request. If the request has trace headers, the span joins the trace of the caller. */
export const traceRequests =
  (tracer: Tracer, listener: RequestListener): RequestListener =>
  (request, response) => {
    const { method = '', headers, httpVersion } = request;
    // Reads the path before routing, because Express modifies the URL.
    const path = (request.url ?? '').replace(/[?#].*/, '');
    if (probes.has(path)) {
      listener(request, response);
      return;
    }
    const parent = propagation.extract(ROOT_CONTEXT, headers);
    const attributes = {
      'http.request.method': method,
      'url.scheme': 'http',
      'network.protocol.version': httpVersion,
      ...clientOf(request),
    };
    const span = tracer.startSpan(method, { kind: SpanKind.SERVER, attributes }, parent);
    const state: TracedRequest = { span };
    onClose(response, () => endSpan(state, method, state.route ?? routeOf(request, path), response));
    context.with(trace.setSpan(parent, span).setValue(requestKey, state), () => listener(request, response));
  };

function endSpan({ span }: TracedRequest, method: string, route: string | undefined, response: ServerResponse): void {
  const { statusCode } = response;
  if (route) {
    span.updateName(`${method} ${route}`);
    span.setAttribute('http.route', route);
  }
  span.setAttribute('http.request.id', String(requestIdOf(response)));
  span.setAttribute('http.response.status_code', statusCode);
  if (!response.writableFinished) markFailed(span, ['client disconnected']);
  else if (statusCode >= 500) markFailed(span, [String(statusCode)]);
  span.end();
}
