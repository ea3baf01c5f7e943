import type { RequestListener } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { DiagLogLevel, diag, trace } from '@opentelemetry/api';
import { startNodeSdk } from '@opentelemetry/sdk-node';
import type { Logger } from 'pino';
import { traceWith } from '../kernel/tracing.js';
import { carryOn } from './outgoing.js';
import { tracedRequests } from './requests.js';
import { Spans } from './spans.js';

/** Traces that are on. */
export interface Traces {
  /** The same listener, each of whose requests is a span. */
  requests(listener: RequestListener): RequestListener;
  /** Sends what was not sent yet; a collector that is away does not hold the end up. */
  stop(): Promise<void>;
}

/** Sends traces by OTLP to where the variables `OTEL_*` say. Whoever imports this loads OpenTelemetry. */
export function startTraces(serviceName: string, log: Logger): Traces {
  const sdk = startNodeSdk({
    resourceAttributes: { 'service.name': serviceName },
    // Traces only.
    metricReaders: [],
    logRecordProcessors: [],
    logLevel: 'none',
  });
  const tell = (message: string) => log.warn({ reason: message.slice(0, 500) }, 'traces cannot be sent');
  const quiet = () => {};
  diag.setLogger(
    { error: tell, warn: tell, info: quiet, debug: quiet, verbose: quiet },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
  const spans = new Spans(trace.getTracer('courtside'));
  traceWith(spans);
  carryOn();
  return {
    requests: (listener) => tracedRequests(spans.tracer, listener),
    stop: () => Promise.race([sdk.shutdown(), sleep(5_000, undefined, { ref: false })]),
  };
}
