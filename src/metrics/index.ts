import { createServer, type RequestListener } from 'node:http';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { meterWith } from '../kernel/metering.js';
import type { Pools } from '../kernel/session.js';
import { close, open } from '../lifecycle/listen.js';
import { addGauges } from './gauges.js';
import { RequestMeter } from './requests.js';

/** Metrics that are on. */
export interface Metrics {
  /** Port at which they are told. */
  port: number;
  /** The same listener, whose requests are counted. */
  requests(listener: RequestListener): RequestListener;
  stop(): Promise<void>;
}

/** Counts, and tells at `/metrics` of a port of its own, as Prometheus asks for it. Whoever imports this loads its client. */
export async function startMetrics(pools: Pools, place: { host: string; port: number }): Promise<Metrics> {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  addGauges([registry], pools);
  const meter = new RequestMeter([registry]);
  meterWith(meter);
  const server = createServer(async (request, response) => {
    if (request.url !== '/metrics' || request.method !== 'GET') {
      response.writeHead(404).end();
      return;
    }
    try {
      const text = await registry.metrics();
      response.writeHead(200, { 'content-type': registry.contentType }).end(text);
    } catch {
      response.writeHead(500).end();
    }
  });
  const port = await open(server, { ...place, exclusive: true, variable: 'METRICS_PORT' });
  return {
    port,
    requests: (listener) => meter.around(listener),
    stop: async () => {
      meterWith(null);
      await close(server);
    },
  };
}
