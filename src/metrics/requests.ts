import { Counter, type Registry } from 'prom-client';
import type { Caller } from '../kernel/declare/policy/caller.js';
import type { Metering } from '../kernel/monitoring/metering.js';
import type { FinishedRequest } from '../kernel/monitoring/request-facts.js';
import { addHistogram, Durations } from './duration-histogram.js';

/** Maximum number of values per label. */
const maxLabelValues = { platforms: 50, clients: 50 };

const clientHeaders = ['apollographql-client-name', 'graphql-client-name', 'x-client-name'];

/** Counts requests when their response is complete, and GraphQL operations when their execution ends. */
export class RequestMeter implements Metering {
  readonly #requests = new Durations();
  readonly #operations = new Durations();
  readonly #operationCounter;
  readonly #limitPlatform = limitLabelValues(maxLabelValues.platforms);
  readonly #limitClient = limitLabelValues(maxLabelValues.clients);

  constructor(registers: Registry[]) {
    const requests = this.#requests;
    new Counter({
      name: 'courtside_requests_total',
      help: 'Number of requests by route and platform. Status `499` means that the client disconnected.',
      labelNames: ['method', 'route', 'status', 'platform'],
      registers,
      collect() {
        this.reset();
        for (const { labels, count } of requests.counts()) this.inc({ ...labels }, count);
      },
    });
    addHistogram(registers, requests, {
      name: 'courtside_request_duration_seconds',
      help: 'Time from the arrival of a request to the end of its response, in seconds.',
      labelNames: ['method', 'route'],
    });
    this.#operationCounter = new Counter({
      name: 'courtside_operations_total',
      help: 'Number of GraphQL operations by client name and type.',
      labelNames: ['client', 'type'] as const,
      registers,
    });
    addHistogram(registers, this.#operations, {
      name: 'courtside_operation_duration_seconds',
      help: 'Time to execute a GraphQL query or mutation, in seconds. Includes the time in the queue of `REQUESTS_AT_ONCE`.',
      labelNames: ['client', 'type'],
    });
  }

  operation(header: (name: string) => string | undefined, type: string, seconds: number | null): void {
    const name = clientHeaders.map(header).find((value) => value) ?? 'unnamed';
    const client = this.#limitClient(name.slice(0, 60));
    this.#operationCounter.inc({ client, type });
    if (seconds !== null) this.#operations.add(`${type} ${client}`, seconds, () => ({ client, type }));
  }

  request({ method, route, status, seconds, caller }: FinishedRequest): void {
    const platform = this.#platformOf(caller);
    this.#requests.add(`${method} ${route} ${status} ${platform}`, seconds, () => ({
      method,
      route,
      status: String(status),
      platform,
    }));
  }

  #platformOf(caller: Caller | null): string {
    const name = caller?.platform?.name ?? caller?.key?.platformId;
    return name ? this.#limitPlatform(name.slice(0, 60)) : 'none';
  }
}

/**
 * Limits the number of label values that clients control. All values after the first `maxValues` become `other`, because each value is a
 * permanent time series.
 */
function limitLabelValues(maxValues: number): (name: string) => string {
  const knownValues = new Set<string>();
  return (name) => {
    if (knownValues.has(name)) return name;
    if (knownValues.size >= maxValues) return 'other';
    knownValues.add(name);
    return name;
  };
}
