import type { Metric, Registry } from 'prom-client';

/** Upper bounds of the histogram buckets in seconds. */
const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

export type Labels = Readonly<Record<string, string>>;

/** Number and duration of events with the same labels. */
class LabeledDurations {
  count = 0;
  seconds = 0;
  readonly bucketCounts = new Float64Array(bounds.length + 1);

  constructor(readonly labels: Labels) {}

  add(seconds: number): void {
    this.count += 1;
    this.seconds += seconds;
    let bucketIndex = 0;
    while (bucketIndex < bounds.length && seconds > (bounds[bucketIndex] ?? 0)) bucketIndex += 1;
    this.bucketCounts[bucketIndex] = (this.bucketCounts[bucketIndex] ?? 0) + 1;
  }
}

/** Durations of events, grouped by their labels. */
export class Durations {
  readonly #durationsByKey = new Map<string, LabeledDurations>();

  /** Adds a duration. `key` identifies the labels. `labels` is called for the first duration with the key. */
  add(key: string, seconds: number, labels: () => Labels): void {
    let durations = this.#durationsByKey.get(key);
    if (!durations) {
      durations = new LabeledDurations(labels());
      this.#durationsByKey.set(key, durations);
    }
    durations.add(seconds);
  }

  /** Returns the number of events for each combination of labels. */
  counts(): { labels: Labels; count: number }[] {
    return [...this.#durationsByKey.values()].map(({ labels, count }) => ({ labels, count }));
  }

  /** Returns the durations, grouped by some of the labels. */
  groupBy(labelNames: readonly string[]): [labels: Labels, durations: readonly LabeledDurations[]][] {
    const labelsOf = ({ labels }: LabeledDurations) => Object.fromEntries(labelNames.map((name) => [name, labels[name] ?? '']));
    const groups = Map.groupBy(this.#durationsByKey.values(), (durations) => Object.values(labelsOf(durations)).join('\n'));
    return [...groups.values()].flatMap((group) => (group[0] ? [[labelsOf(group[0]), group]] : []));
  }
}

interface HistogramOptions {
  readonly name: string;
  readonly help: string;
  /** Labels of the histogram. Durations that differ only in other labels are added up. */
  readonly labelNames: readonly string[];
}

/**
 * Adds a metric that exposes durations as a histogram. The client library's own histogram would take more time per request than all other
 * metrics together.
 */
export function addHistogram(registers: readonly Registry[], durations: Durations, options: HistogramOptions): void {
  const { name, help, labelNames } = options;
  const metric = {
    name,
    help,
    type: 'histogram',
    aggregator: 'sum',
    get() {
      const values = durations.groupBy(labelNames).flatMap(([labels, group]) => {
        let count = 0;
        const buckets = [...bounds, '+Inf'].map((le, bucketIndex) => {
          for (const { bucketCounts } of group) count += bucketCounts[bucketIndex] ?? 0;
          return { metricName: `${name}_bucket`, labels: { le, ...labels }, value: count };
        });
        const seconds = group.reduce((sum, labeledDurations) => sum + labeledDurations.seconds, 0);
        return [
          ...buckets,
          { metricName: `${name}_sum`, labels, value: seconds },
          { metricName: `${name}_count`, labels, value: count },
        ];
      });
      return Promise.resolve({ ...metric, values });
    },
  };
  // The client library uses only these properties of a metric, but has no type for them.
  for (const registry of registers) registry.registerMetric(metric as unknown as Metric);
}
