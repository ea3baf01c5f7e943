import { subscribe } from 'node:diagnostics_channel';
import { context, propagation, type TextMapSetter, trace } from '@opentelemetry/api';

interface FetchRequest {
  addHeader(name: string, value: string): void;
}

const onto: TextMapSetter<FetchRequest> = {
  set(request, name, value) {
    // Baggage is the caller's own business, and stays here.
    if (name === 'traceparent' || name === 'tracestate') request.addHeader(name, value);
  },
};

/** Requests by `fetch` on behalf of a trace carry it on. */
export function carryOn(): void {
  subscribe('undici:request:create', (message) => {
    if (trace.getActiveSpan()) propagation.inject(context.active(), (message as { request: FetchRequest }).request, onto);
  });
}
