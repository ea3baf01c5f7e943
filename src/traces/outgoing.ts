import { subscribe } from 'node:diagnostics_channel';
import { context, propagation, type TextMapSetter, trace } from '@opentelemetry/api';

interface FetchRequest {
  addHeader(name: string, value: string): void;
}

const headerSetter: TextMapSetter<FetchRequest> = {
  set(request, name, value) {
    // Baggage is not forwarded, because it is private data of the caller.
    if (name === 'traceparent' || name === 'tracestate') request.addHeader(name, value);
  },
};

/** Propagates the trace context in `fetch` requests. */
export function propagateTraceContext(): void {
  subscribe('undici:request:create', (message) => {
    if (trace.getActiveSpan()) propagation.inject(context.active(), (message as { request: FetchRequest }).request, headerSetter);
  });
}
