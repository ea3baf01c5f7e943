import { getNumberFromEnv, getStringFromEnv } from '@opentelemetry/core';
import {
  defaultResource,
  detectResources,
  hostDetector,
  osDetector,
  processDetector,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
  serviceInstanceIdDetector,
} from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { StartProblem } from '../process/start-problem.js';

/** Exporters, keyed by protocol. Each is loaded only if it is used. They read the variables `OTEL_EXPORTER_OTLP_*` themselves. */
const exporters: Readonly<Record<string, () => Promise<SpanExporter>>> = {
  'http/protobuf': async () => new (await import('@opentelemetry/exporter-trace-otlp-proto')).OTLPTraceExporter(),
  'http/json': async () => new (await import('@opentelemetry/exporter-trace-otlp-http')).OTLPTraceExporter(),
  grpc: async () => new (await import('@opentelemetry/exporter-trace-otlp-grpc')).OTLPTraceExporter(),
};

/** Returns the share of traces to sample. Throws a `StartProblem` if the share is not a number from 0 to 1. */
function samplerRatio(): number {
  const text = getStringFromEnv('OTEL_TRACES_SAMPLER_ARG') ?? '1';
  const ratio = Number(text);
  if (ratio >= 0 && ratio <= 1) return ratio;
  throw new StartProblem(`OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1, but is ${JSON.stringify(text)}.`);
}

const rootSamplers: Readonly<Record<string, () => Sampler>> = {
  always_on: () => new AlwaysOnSampler(),
  always_off: () => new AlwaysOffSampler(),
  traceidratio: () => new TraceIdRatioBasedSampler(samplerRatio()),
};
const samplers: Readonly<Record<string, () => Sampler>> = {
  ...rootSamplers,
  ...Object.fromEntries(
    Object.entries(rootSamplers).map(([name, root]) => [`parentbased_${name}`, () => new ParentBasedSampler({ root: root() })]),
  ),
};

/** Returns the entry for the value of an environment variable. Throws a `StartProblem` if no entry exists. */
function choose<T>(choices: Readonly<Record<string, T>>, variable: string, value: string): T {
  const choice = Object.hasOwn(choices, value) ? choices[value] : undefined;
  if (choice !== undefined) return choice;
  throw new StartProblem(`${variable} must be one of ${Object.keys(choices).join(', ')}, but is ${JSON.stringify(value)}.`);
}

const sampler = (): Sampler =>
  choose(samplers, 'OTEL_TRACES_SAMPLER', getStringFromEnv('OTEL_TRACES_SAMPLER') ?? 'parentbased_always_on')();

/**
 * Creates the tracer provider, as configured by the `OTEL_*` variables that docs/operating.md lists. Throws a `StartProblem` if one of them
 * is invalid.
 */
export async function createTracerProvider(serviceName: string, protocol: string): Promise<TracerProvider> {
  const tracesProtocol = getStringFromEnv('OTEL_EXPORTER_OTLP_TRACES_PROTOCOL') ?? protocol;
  const exporter = await choose(exporters, 'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', tracesProtocol)();
  return new TracerProvider({
    resource: defaultResource()
      .merge(
        detectResources({
          detectors: [hostDetector, osDetector, processDetector, serviceInstanceIdDetector, resourceAttributesEnvDetector],
        }),
      )
      .merge(resourceFromAttributes({ 'service.name': serviceName })),
    sampler: sampler(),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter,
        maxQueueSize: getNumberFromEnv('OTEL_BSP_MAX_QUEUE_SIZE'),
        scheduledDelayMillis: getNumberFromEnv('OTEL_BSP_SCHEDULE_DELAY'),
        exportTimeoutMillis: getNumberFromEnv('OTEL_BSP_EXPORT_TIMEOUT'),
        maxExportBatchSize: getNumberFromEnv('OTEL_BSP_MAX_EXPORT_BATCH_SIZE'),
      }),
    ],
  });
}
