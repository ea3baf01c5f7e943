import { subscribe } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';
import { context, propagation, type TextMapSetter, trace } from '@opentelemetry/api';

interface FetchRequest {
  addHeader(name: string, value: string): void;
}

/** Baggage is the caller's own business, and stays here. */
const passes = (name: string): boolean => name === 'traceparent' || name === 'tracestate';

const ofFetch: TextMapSetter<FetchRequest> = {
  set: (request, name, value) => void (passes(name) && request.addHeader(name, value)),
};

const ofHttp: TextMapSetter<ClientRequest> = {
  set: (request, name, value) => void (passes(name) && !request.headersSent && request.setHeader(name, value)),
};

/** Requests that the process makes on behalf of a trace carry it on, whichever client of Node makes them. */
export function carryOn(): void {
  const inject = <T>(request: T, setter: TextMapSetter<T>) => {
    if (trace.getActiveSpan()) propagation.inject(context.active(), request, setter);
  };
  subscribe('undici:request:create', (message) => inject((message as { request: FetchRequest }).request, ofFetch));
  subscribe('http.client.request.created', (message) => inject((message as { request: ClientRequest }).request, ofHttp));
}
