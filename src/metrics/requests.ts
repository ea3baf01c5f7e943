import { Counter, type Registry } from 'prom-client';
import { statuses } from '../kernel/declare/errors.js';
import type { Caller } from '../kernel/declare/policy/caller.js';
import { clientHeaders, type Metering } from '../kernel/monitoring/metering.js';
import type { FinishedRequest } from '../kernel/monitoring/request-facts.js';
import { addHistogram, Durations, type Labels } from './duration-histogram.js';

/** Maximum number of values per label. */
const maxLabelValues = { platforms: 50, clients: 50 };

/** Interfaces for which server errors are counted separately. */
const interfaces = ['v1', 'graphql', 'other'] as const;

/** Statuses of server errors that the service sends. */
const serverErrors = [statuses.INTERNAL, statuses.UNAVAILABLE];

const interfaceOf = (route = ''): (typeof interfaces)[number] => {
  if (/^\/(?:v1|sso_platform)\//.test(route)) return 'v1';
  return /^\/(?:graphql$|subgraphs\/)/.test(route) ? 'graphql' : 'other';
};

interface RequestCounterOptions {
  readonly name: string;
  readonly help: string;
  readonly labelNames: string[];
  /** Labels that the counter has from the start, with the value 0, so that `rate()` includes their first request. */
  readonly initial?: readonly Labels[];
  /** Converts the labels of requests to the labels of the counter. Returns null for requests that the counter does not include. */
  labelsOf(labels: Labels): Labels | null;
}

/**
 * Adds a counter of requests. Its values are computed from `requests` on each scrape, so that a request is recorded only once for all
 * counters.
 */
function addRequestCounter(registers: Registry[], requests: Durations, options: RequestCounterOptions): void {
  const { name, help, labelNames, initial = [], labelsOf } = options;
  new Counter({
    name,
    help,
    labelNames,
    registers,
    collect() {
      this.reset();
      for (const labels of initial) this.inc({ ...labels }, 0);
      for (const { labels, count } of requests.counts()) {
        const counterLabels = labelsOf(labels);
        if (counterLabels) this.inc({ ...counterLabels }, count);
      }
    },
  });
}

/** Counts requests when their response is complete, and GraphQL operations when their execution ends. */
export class RequestMeter implements Metering {
  readonly #requests = new Durations();
  readonly #operations = new Durations();
  readonly #operationCounter;
  readonly #limitPlatform = limitLabelValues(maxLabelValues.platforms);
  readonly #limitClient = limitLabelValues(maxLabelValues.clients);

  constructor(registers: Registry[]) {
    const requests = this.#requests;
    addRequestCounter(registers, requests, {
      name: 'courtside_requests_total',
      help: 'Number of requests by route and platform. Status `499` means that the client disconnected.',
      labelNames: ['method', 'route', 'status', 'platform'],
      labelsOf: (labels) => labels,
    });
    addRequestCounter(registers, requests, {
      name: 'courtside_interface_requests_total',
      help: 'Number of requests by interface: v1, graphql or other.',
      labelNames: ['interface'],
      initial: interfaces.map((name) => ({ interface: name })),
      labelsOf: ({ route }) => ({ interface: interfaceOf(route) }),
    });
    addRequestCounter(registers, requests, {
      name: 'courtside_server_errors_total',
      help: 'Number of responses with a status of 500 or higher, by interface: v1, graphql or other.',
      labelNames: ['interface', 'status'],
      initial: interfaces.flatMap((name) => serverErrors.map((status) => ({ interface: name, status: String(status) }))),
      labelsOf: ({ route, status = '' }) => (Number(status) >= 500 ? { interface: interfaceOf(route), status } : null),
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
