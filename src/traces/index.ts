import { subscribe } from 'node:diagnostics_channel';
import type { RequestListener } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { context, DiagLogLevel, diag, propagation, type TextMapSetter, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { CompositePropagator, W3CBaggagePropagator, W3CTraceContextPropagator } from '@opentelemetry/core';
import type { Logger } from 'pino';
import { setTracing } from '../kernel/tracing.js';
import { createTracerProvider } from './provider.js';
import { traceRequests } from './requests.js';
import { Spans } from './spans.js';

/** Functions of active tracing. */
interface Traces {
  /** Wraps a listener to create a span for each request. */
  traceRequests(listener: RequestListener): RequestListener;
  /** Sends remaining spans. Waits at most five seconds for the collector. */
  stop(): Promise<void>;
}

/** Configuration of tracing. */
interface TracesConfig {
  readonly serviceName: string;
  readonly protocol: string;
}

/**
 * Starts tracing. Spans are exported with OTLP as configured by the `OTEL_*` variables. Importing this file loads OpenTelemetry.
 */
export async function startTraces({ serviceName, protocol }: TracesConfig, log: Logger): Promise<Traces> {
  const logError = (message: string) => log.warn({ reason: message.slice(0, 500) }, 'traces could not be sent');
  const ignore = () => {};
  diag.setLogger(
    { error: logError, warn: logError, info: ignore, debug: ignore, verbose: ignore },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
  const provider = await createTracerProvider(serviceName, protocol);
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(
    new CompositePropagator({ propagators: [new W3CTraceContextPropagator(), new W3CBaggagePropagator()] }),
  );
  trace.setGlobalTracerProvider(provider);
  const spans = new Spans(trace.getTracer('courtside'));
  setTracing(spans);
  propagateTraceContext();
  return {
    traceRequests: (listener) => traceRequests(spans.tracer, listener),
    stop: () => Promise.race([provider.shutdown(), sleep(5_000, undefined, { ref: false })]),
  };
}

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
function propagateTraceContext(): void {
  subscribe('undici:request:create', (message) => {
    if (trace.getActiveSpan()) propagation.inject(context.active(), (message as { request: FetchRequest }).request, headerSetter);
  });
}
