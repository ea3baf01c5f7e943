import type { RequestListener } from 'node:http';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { setMetering } from '../kernel/monitoring/metering.js';
import type { FinishedRequest } from '../kernel/monitoring/request-facts.js';
import { componentMetrics } from './component-metrics.js';
import { healthMetrics } from './health-metrics.js';
import { RequestMeter } from './requests.js';
import { addSampledMetrics, type MetricSources } from './sampled-metric.js';

/** Active metrics. */
export interface Metrics {
  /** Handler of `/metrics` for Prometheus. */
  handleScrape: RequestListener;
  /** Counts a request that has ended. */
  countRequest(request: FinishedRequest): void;
  stop(): void;
}

/** Starts the metrics. Importing this file loads the Prometheus client. */
export function startMetrics(sources: MetricSources): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  addSampledMetrics([registry], [...healthMetrics, ...componentMetrics], sources);
  const meter = new RequestMeter([registry]);
  setMetering(meter);
  return {
    handleScrape: ({ method, url }, response) => {
      if (url !== '/metrics' || method !== 'GET') {
        response.writeHead(404).end();
        return;
      }
      registry.metrics().then(
        (text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
        () => response.writeHead(503, { 'retry-after': '5' }).end(),
      );
    },
    countRequest: (request) => meter.request(request),
    stop: () => setMetering(null),
  };
}
