import { Counter, type Metric, type Registry } from 'prom-client';

/** Upper bounds of the histogram buckets in seconds. */
const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

type Labels = Record<'method' | 'route' | 'status' | 'platform', string>;

/** Number and duration of requests with the same labels. */
class LabeledCounts {
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

/**
 * Creates the metric that exposes the counts as a histogram. The client library's own histogram would take more time per request than all
 * other metrics together.
 */
function durationHistogram(countsByLabels: ReadonlyMap<string, LabeledCounts>) {
  const name = 'courtside_request_duration_seconds';
  return {
    name,
    help: 'Time from the arrival of a request to the end of its response, in seconds.',
    type: 'histogram',
    aggregator: 'sum',
    get() {
      const byRoute = Map.groupBy(countsByLabels.values(), ({ labels: { method, route } }) => `${method} ${route}`);
      const values = [...byRoute.values()].flatMap((labeledCounts) => {
        const { method = '', route = '' } = labeledCounts[0]?.labels ?? {};
        const labels = { method, route };
        let count = 0;
        const buckets = [...bounds, '+Inf'].map((le, bucketIndex) => {
          for (const { bucketCounts } of labeledCounts) count += bucketCounts[bucketIndex] ?? 0;
          return { metricName: `${name}_bucket`, labels: { le, ...labels }, value: count };
        });
        const seconds = labeledCounts.reduce((sum, counts) => sum + counts.seconds, 0);
        return [
          ...buckets,
          { metricName: `${name}_sum`, labels, value: seconds },
          { metricName: `${name}_count`, labels, value: count },
        ];
      });
      return Promise.resolve({ ...this, values });
    },
  };
}

/** Counts requests by their labels. */
export class RequestCounts {
  readonly #countsByLabels = new Map<string, LabeledCounts>();

  constructor(registers: Registry[]) {
    const countsByLabels = this.#countsByLabels;
    new Counter({
      name: 'courtside_requests_total',
      help: 'Number of requests by route and platform. Status `499` means that the client disconnected.',
      labelNames: ['method', 'route', 'status', 'platform'],
      registers,
      collect() {
        this.reset();
        for (const { labels, count } of countsByLabels.values()) this.inc({ ...labels }, count);
      },
    });
    // The client library uses only these properties of a metric, but has no type for them.
    for (const registry of registers) registry.registerMetric(durationHistogram(countsByLabels) as unknown as Metric);
  }

  add(method: string, route: string, status: number, platform: string, seconds: number): void {
    const key = `${method} ${route} ${status} ${platform}`;
    let labeledCounts = this.#countsByLabels.get(key);
    if (!labeledCounts) {
      labeledCounts = new LabeledCounts({ method, route, status: String(status), platform });
      this.#countsByLabels.set(key, labeledCounts);
    }
    labeledCounts.add(seconds);
  }
}
