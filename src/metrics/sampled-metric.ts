import type { Registry } from 'prom-client';
import type { Resources } from '../graphql/context.js';
import type { Pools } from '../kernel/session.js';

/** Values of a metric, with their labels. */
type Samples = readonly (readonly [labels: Readonly<Record<string, string>>, value: number])[];

interface Metric {
  reset(): void;
  inc(labels: Readonly<Record<string, string>>, value: number): void;
}

interface MetricConfiguration {
  readonly name: string;
  readonly help: string;
  readonly labelNames: readonly string[];
  readonly registers: Registry[];
  collect(this: Metric): Promise<void>;
}

/** Parts of the service that metrics read. */
export interface MetricSources extends Pick<Resources, 'databaseLimiter' | 'services'> {
  readonly pools: Pools;
  /** Hash of the GraphQL schema. Empty if the process does not serve `/graphql`. */
  readonly schemaHash: string;
}

/** Metric whose values are read on each scrape. */
export interface SampledMetric {
  readonly type: new (configuration: MetricConfiguration) => Metric;
  readonly name: string;
  readonly help: string;
  readonly labelNames?: readonly string[];
  read(sources: MetricSources): Samples | Promise<Samples>;
}

export const samplesByLabel = (label: string, counts: object | null): Samples =>
  Object.entries(counts ?? {}).map(([value, count]) => [{ [label]: value }, count]);

/** Adds metrics that are read on each scrape. If a metric cannot be read, it has no values and does not affect the others. */
export function addSampledMetrics(registers: Registry[], metrics: readonly SampledMetric[], sources: MetricSources): void {
  for (const { type: MetricType, name, help, labelNames = [], read } of metrics)
    new MetricType({
      name,
      help,
      labelNames,
      registers,
      async collect() {
        const samples = await Promise.resolve()
          .then(() => read(sources))
          .catch(() => []);
        this.reset();
        for (const [labels, value] of samples) this.inc(labels, value);
      },
    });
}
