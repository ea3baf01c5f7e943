import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { type Attributes, context, propagation, ROOT_CONTEXT, SpanKind, type Tracer, trace } from '@opentelemetry/api';
import { requestIdOf } from '../gateway/request-id.js';
import { markFailed, requestKey, type TracedRequest } from './spans.js';

/** Probes come every second and tell nothing. */
const probes = new Set(['/health', '/livez', '/readyz']);

/** Paths that are the same in every request; others may hold one-time values, and only their patterns leave. */
const fixed = /^\/(?:graphql|subgraphs\/[a-z]+)(?=\/?$)/;

/** Names that clients give themselves, in the headers that Apollo's and other clients send. */
const clientHeaders = {
  'client.name': ['apollographql-client-name', 'graphql-client-name'],
  'client.version': ['apollographql-client-version', 'graphql-client-version'],
};

function clientOf({ headers }: IncomingMessage): Attributes {
  const attributes: Attributes = {};
  for (const [attribute, names] of Object.entries(clientHeaders)) {
    const value = names.map((name) => headers[name]).find((found) => typeof found === 'string');
    if (value) attributes[attribute] = value.slice(0, 100);
  }
  return attributes;
}

/** Express leaves the route of a request on it, where there was one. */
const routeOf = (request: IncomingMessage & { route?: { path?: unknown } }, path: string): string | undefined =>
  typeof request.route?.path === 'string' ? request.route.path : fixed.exec(path)?.[0];

/** The same listener, each of whose requests is a span: in the caller's trace, if it sent one. */
export const tracedRequests =
  (tracer: Tracer, listener: RequestListener): RequestListener =>
  (request, response) => {
    const { method = '', headers, httpVersion } = request;
    // Express changes the address while it looks for what answers.
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
    response.once('close', () => end(state, method, state.route ?? routeOf(request, path), response));
    context.with(trace.setSpan(parent, span).setValue(requestKey, state), () => listener(request, response));
  };

function end({ span }: TracedRequest, method: string, route: string | undefined, response: ServerResponse): void {
  const { statusCode } = response;
  if (route) {
    span.updateName(`${method} ${route}`);
    span.setAttribute('http.route', route);
  }
  span.setAttribute('http.request.id', String(requestIdOf(response)));
  span.setAttribute('http.response.status_code', statusCode);
  if (!response.writableFinished) markFailed(span, ['client left']);
  else if (statusCode >= 500) markFailed(span, [String(statusCode)]);
  span.end();
}
